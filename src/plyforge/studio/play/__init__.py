"""The Play view: a game in progress, who sits where, clocks, hints, a review afterwards."""
