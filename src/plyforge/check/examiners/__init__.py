"""What is asked of rules, a module for each kind of law."""
