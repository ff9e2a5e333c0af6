"""How a kernel is run: at which speed, in which thread, stopped by whom, and who is to blame."""
