"""`plyforge tree`: the search as a picture."""

from __future__ import annotations

import click

from plyforge.cli import options
from plyforge.contract import parse_state


@click.command("tree")
@options.GAME
@options.STATE
@click.option(
    "--depth",
    type=int,
    metavar="PLIES",
    help="Look this many plies ahead. Default: 2, and all of an explicit tree.",
)
@options.DRAWN
@click.option("-o", "--output", metavar="FILE", help="A .svg, .dot, .json, .tex or .txt file. Default: print as text.")
@click.option("--max-nodes", type=int, default=None, help="Draw at most so many nodes; the rest is folded.")
@click.option("--solution", is_flag=True, help="Only the solution tree: the chosen actions against every reply.")
@options.JSON
def command(
    game: str,
    state: str | None,
    depth: int | None,
    using: str | None,
    output: str | None,
    max_nodes: int | None,
    solution: bool,
    as_json: bool,
) -> None:
    """Draw the tree that a search of GAME walks: values, windows, cuts with their reasons, the line.

    It is the search itself that is drawn, recorded node by node, not a second program written for show. Of a game of
    hidden information it is the game's own tree, solved: how often each action is taken, dashed lines between what a
    player can't tell apart, and beside each node that player's belief.

    \b
    plyforge tree tic_tac_toe --state "xo.xo...." --depth 3 --using alpha_beta -o tree.svg
    plyforge tree "tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])" --using alpha_beta
    plyforge tree kuhn_poker -o kuhn.svg
    """
    import plyforge as pf
    from plyforge.draw import draw, format_of, save
    from plyforge.search.trace.recorder import record
    from plyforge.search.trace.solution_tree import solution_tree
    from plyforge.solve.hidden import hidden_equilibrium
    from plyforge.solve.hidden.drawn import drawn_tree
    from plyforge.solve.hidden.solution import is_zero_sum
    from plyforge.writing import require_writable

    rules = pf.load(game)
    position = None if state is None else parse_state(rules, state)
    given_depth = depth
    if depth is None and rules.worth_compiling:
        depth = 2
    name = None if using is None else options.search_name(using)
    if output:
        format_of(output)
        require_writable(output)
    if rules.hidden_information:
        if using is not None or solution or given_depth is not None:
            raise pf.Unsuitable(
                f"{game} hides something, so its whole tree is drawn, solved: --using, --depth and --solution mean"
                " nothing for it; --max-nodes folds what is too much"
            )
        recorded = drawn_tree(hidden_equilibrium(rules, position, "lp" if is_zero_sum(rules) else "cfr_plus"))
    else:
        recorded = record(rules, position, using=name, depth=depth)
    if solution:
        recorded = solution_tree(recorded)
    drawing = {} if max_nodes is None else {"max_nodes": max_nodes}
    if output:
        save(recorded, output, **drawing)
    if as_json:
        options.print_json_text(draw(recorded, format="json", **drawing))
    elif output:
        click.echo(f"{output}: {recorded.result.nodes:,} nodes searched, value {recorded.result.value}", err=True)
    else:
        click.echo(draw(recorded, format="txt", **drawing))
