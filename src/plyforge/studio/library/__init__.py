"""The games on offer: those of the catalogue, rules of somebody's own, their cards on the home page."""
