"""The laws that the rules of a game must keep, each with what it means and the usual way to break it.

Searches rely on them without asking: a broken law does not crash a search, it makes the answer wrong. A law's name is
part of the public face: reports, the command line and the guide all use it.
"""

from __future__ import annotations

from dataclasses import dataclass

LAWS: dict[str, Law] = {}
"""All laws by name, in the order in which a game is asked."""


@dataclass(frozen=True)
class Law:
    """One law."""

    name: str
    """A short sentence."""
    meaning: str
    """What is asked of the rules."""
    mistake: str
    """How it is usually broken."""


def _law(name: str, meaning: str, mistake: str) -> str:
    LAWS[name] = Law(name, meaning, mistake)
    return name


RULES_RUN = _law(
    "the rules run",
    "no function raises an exception or runs for ever in a state that can arise",
    "a division by zero at the end of the game; a missing function",
)
NAMES = _law(
    "names are what they are asked for",
    "a function, field or constant with a name that Plyforge asks for (`count`, `key`, `sample` ...) is of that kind,"
    " and takes what it is given",
    "a helper `count(board, r, c)`: `count(s)` is asked how many actions there are",
)
CLAIMS = _law(
    "the claims make sense",
    "`players` is at least 1, `min_utility` is below `max_utility`, both are finite, `utility_sum` is a number or None",
    "`min_utility` and `max_utility` exchanged",
)
START = _law(
    "start gives one state",
    "`start()` gives a state, and an equal one each time",
    "shuffled cards in `start`: let CHANCE deal them",
)
FIELDS = _law(
    "fields are as annotated",
    "each field of a state holds a value of its annotated type",
    "`/` where `//` was meant: an int field holds 3.0",
)
RESULT_STATE = _law(
    "result gives a state", "`result` gives a state of the same kind as `start`", "a forgotten `return`"
)
PURE = _law(
    "result is pure",
    "`result` leaves its state as it was, and gives the same for the same arguments",
    "a list inside the state that is changed in place (searches notice that, too, and stop); a counter kept on the"
    " game",
)
TERMINAL = _law(
    "terminal is stable",
    "`terminal` is True or False by the state alone: the same whenever, and on whatever copy, it is asked",
    "a move counter on the game instead of in the state, so that a finished game comes back to life",
)
HAS_ACTIONS = _law(
    "a live state has actions",
    "a state that is not terminal has an action, or where CHANCE moves an outcome",
    "nobody can move, and the rules don't say `pass`, or that it is the end",
)
FINITE = _law(
    "actions come to an end",
    "the actions of a state are finitely many (at most 100,000)",
    "`while True` around a `yield`",
)
HASHABLE = _law(
    "actions are hashable",
    "an action can be the key of a dict: a number or a tuple, not a list",
    "`yield [row, column]`",
)
DISTINCT = _law(
    "actions are distinct",
    "no action, and no outcome of chance, comes twice in one state",
    "the same jump found from two directions",
)
ORDER = _law(
    "actions have a fixed order",
    "the actions (or outcomes) are the same, in the same order, whenever equal states are asked",
    "a loop over a set; a shuffle",
)
PLAYER_RANGE = _law(
    "player is in range",
    "`player` is a whole number from 0 to `players` - 1, or CHANCE, or SIMULTANEOUS",
    "players counted from 1; a missing `return`",
)
PLAYER = _law(
    "player is stable",
    "`player` depends on the state alone",
    "whose turn it is kept on the game, or left out when states are compared",
)
PLAYER_FIELD = _law(
    "player fits the state",
    "where states have a field called `player` and it is not CHANCE's turn, `player` gives that field",
    "the turn taken from the parity of a move counter, though the same player may move twice",
)
TURNS = _law(
    "turns are as declared",
    "where the rules have `moves_again(s, action)`, the same player moves next exactly if it says so",
    "the turn passes on after a move that earns another one",
)
CHANCE_DECLARED = _law(
    "chance is declared",
    "`player` is CHANCE only in games with a `chance` function (or `has_chance`)",
    "dice without `chance(s)`: searches would take the dice for a player",
)
TOGETHER_DECLARED = _law(
    "choosing at once is declared",
    "`player` is SIMULTANEOUS only in games with a `legal_actions` function",
    "SIMULTANEOUS without `legal_actions(s, player)`: searches would take the players for one",
)
CHOICES = _law(
    "everybody has a choice",
    "where `player` is SIMULTANEOUS, `legal_actions(s, player)` gives each player at least one choice, none twice",
    "nothing for a player who has nothing to decide: one choice, `wait`, is meant",
)
JOINT = _law(
    "joint actions are all combinations",
    "where `player` is SIMULTANEOUS, `actions` gives tuples, one choice for each player, all combinations, the last"
    " player's changing fastest",
    "the players' loops nested in the wrong order; combinations left out that would collide",
)
POSITIVE = _law(
    "probabilities are positive",
    "`chance` gives pairs of an outcome and a probability above 0",
    "outcomes that can't happen, listed with probability 0",
)
SUM_TO_ONE = _law(
    "probabilities sum to one",
    "the probabilities of a state's outcomes sum to 1",
    "21 rolls of two dice, each counted as 1/36",
)
CHANCE_STABLE = _law(
    "chance is stable",
    "the probabilities depend on the state alone",
    "a deck kept on the game that shrinks as cards are drawn",
)
COUNT = _law("count is right", "`count(s)` is the number of actions", "a faster `count` that forgets a kind of move")
SAMPLE = _law(
    "sample draws every action",
    "where the rules have `sample(s, stream)`, it draws actions of the state, sooner or later each of them",
    "the last one is never drawn",
)
UTILITY_FORM = _law(
    "utility has the right form",
    "MAX's number for at most two players of constant sum, otherwise a tuple with one number for each player",
    "a tuple one short; a string",
)
UTILITY_BOUNDS = _law(
    "utility is within bounds",
    "every utility is a number from `min_utility` to `max_utility`",
    "points as utility, with `max_utility` left at 1",
)
CONSTANT_SUM = _law(
    "utility is constant-sum",
    "the players' utilities sum to `utility_sum` wherever the game ends, unless `utility_sum` is None",
    "the sign wrong for one player in a tuple; `utility_sum` left at 0",
)
REWARDS = _law(
    "rewards have the right form",
    "`rewards` gives a tuple, one finite number for each player, by state and action alone; where `utility_sum` is a"
    " number they sum to 0",
    "one number alone; what one player wins not taken from the other",
)
REWARD_SUMS = _law(
    "rewards add up within bounds",
    "a game's rewards and its utility add up to something from `min_utility` to `max_utility`, for each player",
    "bounds of one round, where there are ten",
)
UTILITY = _law("utility is stable", "`utility` depends on the state alone", "a score kept on the game")
WINNER = _law(
    "utility fits the winner",
    "where the rules have `winner(s)`, the winner has the most, and where it is None nobody has",
    "the sign wrong when MIN wins",
)
DRAWS = _law(
    "draws are declared",
    "where `draws` is False, no game of two players ends with the same for both",
    "a full board without a line forgotten",
)
BOTH_SIDES = _law(
    "both players can win",
    "with two players of constant sum, if games end by a move of either, not all of them end in favour of the same one",
    "the utility of whoever moves next instead of MAX's; the sign wrong when MIN wins",
)
EVALUATE_FORM = _law(
    "evaluate has the right form",
    "`evaluate` gives what `utility` gives, or one number: MAX's, the others share the rest",
    "a forgotten `return`",
)
EVALUATE_BOUNDS = _law(
    "evaluate is within bounds",
    "every estimate is a number from `min_utility` to `max_utility`",
    "a sum of pieces that is not scaled: an estimate would outweigh a win",
)
EVALUATE = _law("evaluate is stable", "`evaluate` depends on the state alone", "random numbers that break ties")
MOST_ACTIONS = _law(
    "max_actions is not exceeded",
    "no state has more actions than `max_actions`, where the rules set it",
    "a count of the board's cells that forgets `pass`, or `swap`",
)
ORDERING = _law(
    "ordering is not negative", "`ordering` is a number of at least 0", "a difference of scores, which falls below 0"
)
PRIOR = _law(
    "prior is not negative", "`prior` is a number of at least 0", "a logarithm of a probability, which is below 0"
)
TACTICAL_CLASS = _law(
    "tactical or not", "`is_tactical` is True or False", "the piece that is taken, which is 0 for an empty square"
)
GAIN = _law(
    "captured value is not negative",
    "`captured_value` is a number of at least 0: what the mover wins, whoever it is",
    "what MAX wins, so that it is below 0 for MIN",
)
RISK = _law(
    "SEE loss is not negative",
    "`see_loss` is a number of at least 0: what the mover may lose, whoever it is",
    "the balance of an exchange, which is below 0 where it loses",
)
MANNER = _law(
    "move classes are numbered",
    "`move_class` is a whole number from 0 to 511, by state and action alone",
    "one number for each pair of squares, of which there are more",
)
STRUCTURE = _law(
    "pawn keys are 64-bit numbers",
    "`pawn_key` is a whole number of at most 64 bits, by the state alone",
    "the structure itself, as a tuple",
)
NOISY = _law(
    "tactical actions are actions",
    "`tactical_actions` gives actions of the state, none twice",
    "all captures, also those of pieces that can't move now",
)
CANDIDATES = _law(
    "sufficient actions are actions",
    "`sufficient_actions` gives at least one action of the state, none twice",
    "nothing at all where every action loses",
)
BEST_CANDIDATE = _law(
    "a best action is among the sufficient ones",
    "among the `sufficient_actions` is an action that no other is better than",
    "only the actions that stop a threat, though one that wins at once is better",
)
PLIES_LEFT = _law(
    "plies_left falls",
    "`plies_left` is at least 1 where the game goes on, and falls by at least one with every action",
    "the free cells counted one short; moves that don't fill a cell forgotten",
)
BOUNDS = _law(
    "bounds are in order",
    "`bounds` gives two numbers, at least and at most, in this order",
    "the mover's bounds given for MAX's: where MIN moves, they come in the wrong order",
)
BOUNDS_HOLD = _law(
    "bounds hold the value",
    "what a state is worth to MAX lies between its `bounds`, and between `bounds_near` any window",
    "a bound that counts one stone too few",
)
FINISH = _law(
    "the endgame solver finds the value",
    "`solve_endgame` gives the value if it lies between alpha and beta, else a bound on the side where it lies",
    "a sign that is not turned where the players change; alpha and beta exchanged where MIN moves",
)
BY_DISTANCE = _law(
    "by_distance is the same game",
    "`by_distance` gives a game with the same states, players, actions and ends, in which ends come in the same order"
    " and sooner wins are worth more",
    "the plies counted the wrong way round for MIN, so that late losses of MAX look worst",
)
COST = _law(
    "costs are not negative",
    "`cost` is a finite number of at least 0",
    "a reward given as a negative cost: a circle would then be worth more with every round",
)
TO_GO = _law(
    "h is not negative",
    "`h` is a finite number of at least 0",
    "a difference that falls below 0; infinity for what can't be solved",
)
CONSISTENT = _law(
    "h is consistent",
    "where the rules say `consistent`, no action lowers `h` by more than it costs",
    "the larger of two heuristics in some states only",
)
ADMISSIBLE = _law(
    "h is admissible",
    "`h` is never more than the best path takes, unless `admissible` is False",
    "the blank counted as a tile",
)
CLOSED = _law(
    "symmetries are closed",
    "a state and its images have the same images, each other: `symmetries` gives all of them or none",
    "a quarter turn without the half turn and the three-quarter turn",
)
ALIKE = _law(
    "symmetric states are alike",
    "an image has the same player, as many actions, the same ends and the same value",
    "a mirror that is one column off; colours exchanged but not the turn",
)
HANDED_OVER = _law(
    "a turn can be handed to anybody",
    "`with_turn` gives a state in which it is that player's turn, or the end; whose turn it is already, that is the"
    " same state",
    "`with_turn` names the player and leaves the board as the one before sees it",
)
PASSED = _law(
    "a pass hands over the turn",
    "`null_move` gives a state in which it is another player's turn, or the end",
    "`null_move` returns the state as it is",
)
PASS_NOT_BEST = _law(
    "a pass is never best",
    "where the rules have `null_move`, the mover has an action at least as good as passing",
    "a game in which whoever must move loses something (zugzwang)",
)
URGENT = _law(
    "a threat leaves every action open",
    "where `in_check` is true, `tactical_actions` gives every action",
    "only captures while in check: a search would overlook the step aside",
)
REVERSIBLE = _law(
    "reversible plies reach far enough",
    "play was in a state at most `reversible_plies` plies before, and every action adds at most one to that",
    "a counter that is set back by a move that can be taken back",
)
STANDSTILL = _law(
    "a draw here is a draw in play",
    "where `rule_draw` is true, `draw_reason` ends the game",
    "one counts moves, the other half moves",
)
FORBIDDEN = _law(
    "what is forbidden fits the boards",
    "`forbidden` leaves an action; where `superko`, it forbids just those that bring back an earlier `superko_key`",
    "a pass forbidden because it leaves the board as it is",
)
HOOKS_STABLE = _law(
    "the hooks are stable",
    "`bounds`, `sufficient_actions`, `plies_left` and `h` depend on the state alone",
    "bounds that the game has learnt from what it was asked before",
)
KEY_FORM = _law("keys are 64-bit numbers", "`key` gives a whole number of at most 64 bits", "a tuple or a text as key")
KEY_EQUAL = _law(
    "equal states have equal keys",
    "`key` gives the same number for equal states, however they were reached",
    "a key made of `id(s)`, or of something that equality leaves out",
)
KEY_DISTINCT = _law(
    "different states have different keys",
    "no two of the states visited have the same key",
    "a key that leaves out who moves",
)
STATE_TEXT = _law(
    "state text reads back",
    "`parse_state` makes the same state of the line that `format_state` wrote",
    "the text leaves out who moves",
)
ACTION_TEXT = _law(
    "action text reads back",
    "`parse_action` makes the same action of what `format_action` wrote",
    "columns written from 1 and read from 0",
)
TEXTS_DISTINCT = _law(
    "action texts are distinct",
    "two actions of one state have different texts",
    "a move written as its target alone, when two pieces can go there",
)
BAD_TEXT = _law(
    "bad text is refused",
    "what can't be read is refused with BadText or IllegalAction, and nothing else is raised",
    "`int(text)` that raises ValueError",
)
BOARD = _law(
    "a board can be drawn",
    "where `board` gives a picture, every place has a name of its own, pieces stand on places, and all of it is plain"
    " numbers and text",
    "a piece on `e9`; two places called `bar`",
)
WAYS = _law(
    "ways go over places",
    "`ways` and `choice_ways` give tuples of places of the board",
    "`yield name`, which is text, not `yield (name,)`",
)
OBSERVATION = _law(
    "observe gives a state",
    "`observe(s, player)` gives a state of the same type, for each player and PUBLIC, by state and player alone",
    "a dict of what is visible, where the same state with the hidden parts marked is meant",
)
OBSERVED_TWICE = _law(
    "observing twice changes nothing",
    "`observe` of an observation is that observation, and what is PUBLIC can be seen in everybody's",
    "a hand that is counted where the cards were: of the observation, the count is counted again",
)
MOVER_SEES = _law(
    "who moves sees what can be done",
    "where a player moves, `player` and `actions` of the own observation are those of the state, with the same texts;"
    " `terminal` is the same for everybody",
    "actions that are legal or not by what is hidden: offer the attempt, and let `result` refuse it",
)
LOOKS_SO = _law(
    "a determinized state looks the same",
    "`observe(determinize(o, player, stream), player)` is `o`, and the same stream draws the same",
    "the own cards drawn anew, too; random numbers that are not from the stream",
)
HIDES = _law(
    "observe hides something",
    "where the rules have `observe`, something is hidden from somebody",
    "`observe` returns the state: the game is of perfect information, and every search refuses it for nothing",
)
ONE_FUTURE = _law(
    "an observation has one future",
    "behind an observation of who moves are the same states, whatever the player remembers",
    "a card that was shown and turned over again, and is not kept in the state for who saw it",
)
SECRET = _law(
    "what is hidden can't be told",
    "what `observe` blanks for a player can't always be told from the rest of the observation",
    "the other's card blanked, but not the sum of all cards",
)
CAN_ARISE = _law(
    "a determinized state can arise",
    "in small games, each state that `determinize` draws is one that can be reached and looks so",
    "a card drawn that the player holds",
)
AS_CHANCE = _law(
    "determinize draws as chance does",
    "in small games, every state behind an observation is drawn, as often as chance makes it where players hide"
    " nothing",
    "the first cards of the deck preferred; a card that never comes",
)
PLAUSIBLE = _law(
    "plausibility is a probability",
    "`plausible` of a determinized state is a number from 0 to 1",
    "a weight that may be any number: divide by the largest there can be",
)
COMPILED = _law(
    "compiled equals interpreted",
    "machine code made from the rules gives the same answers",
    "integers beyond 64 bits; negative shifts; `uint64` mixed with `int`",
)
