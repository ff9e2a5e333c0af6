"""Any game as lines of JSON, from both sides: the protocol `talk`."""
