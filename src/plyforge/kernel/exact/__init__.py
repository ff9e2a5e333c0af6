"""What rules that are not Plyforge's own mean in compiled code: Python's integers, tuples, lists, texts, exactly.

`numbers` has the operators, `kinds` and `boards` tuples of cells packed into words, `constants` the tables of a rules
file, `sequences` Python's ways with all of them, `cells` sets and dicts of states, `construct` states.
`plyforge.kernel.translate` writes rules in these words. Only the compiler imports this package.
"""
