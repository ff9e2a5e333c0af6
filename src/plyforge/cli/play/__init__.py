"""Play against somebody, in a browser or the terminal; outside programs and files of games."""
