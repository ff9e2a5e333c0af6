"""What texts can do: find, index, count, in, startswith; -1 where nothing is found."""

from typing import NamedTuple

import plyforge as pf


class Word(NamedTuple):
    text: str
    player: int


class Spelling(pf.Game):
    """Each puts an a, a b or an n behind a word; who finishes an `ana` wins, who finishes a `bb` loses."""

    def start(self):
        return Word("b", pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for letter in "abn":
            yield letter

    def result(self, s, letter):
        return Word(s.text + letter, 1 - s.player)

    def terminal(self, s):
        return s.text.find("ana") >= 0 or "bb" in s.text or len(s.text) == 9

    def utility(self, s):
        last = 1.0 if s.player == pf.MIN else -1.0
        if s.text.endswith("bb"):
            return -last
        if "ana" in s.text and s.text.index("ana") > s.text.find("z"):
            return last
        return (s.text.count("n") - s.text.count("bn")) / 10
