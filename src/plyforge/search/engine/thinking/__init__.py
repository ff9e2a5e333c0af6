"""One call of the engine: its kernel called (`runs.py`), depth after depth (`deepening.py`), what is looked for after a
proof (`after_proof.py`), and the answer made of it (`answers.py`)."""
