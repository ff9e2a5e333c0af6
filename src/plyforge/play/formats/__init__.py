"""Games as files: records of any game, and the formats that single games have of their own."""
