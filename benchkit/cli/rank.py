"""`benchkit rank`: in which order do the algorithms stand?"""

from benchkit.cli.emit import Outcome
from benchkit.cli.groups import typed
from benchkit.cli.options import Chance, Input, Level, Output, Testing, WithinBlocks
from benchkit.errors import BenchkitError


def rank(source: Input, testing: Testing, within: WithinBlocks, level: Level, chance: Chance, output: Output) -> Outcome:
    """Order the algorithms: ranks with intervals, tiers, letters, and one chain where one is true.

    Reads results (and tests them as `test` does), or the pairs or relations that were made of them.
    """
    from benchkit.cli.progress import progress
    from benchkit.core.blocks import experiments
    from benchkit.core.compare import compare
    from benchkit.core.direction import parse_directions
    from benchkit.core.rank import rank as answer

    question = testing.question(level.level, within)
    read = source.read(("results", "pairs", "relations"), "rank", testing.cluster)
    if read.kind in ("pairs", "relations"):
        refuse_test_options(read.kind, source, testing, level)
        return Outcome(answer(read.frame.collect(), read.notes, output.tie), read.digests)
    if testing.baseline is not None:
        raise BenchkitError("an order needs all pairs, and --baseline tests only some", "leave out --baseline")
    directions = parse_directions(source.better)
    reading = experiments(read.frame, read.kind, directions, source.duplicates, testing.cluster, testing.unpaired)
    tested = compare(reading, question, chance.new_generator, progress(output.quiet))
    ordered = answer(tested.tables["pairs"], [*read.notes, *tested.notes], output.tie)
    return Outcome(ordered, read.digests)


def refuse_test_options(kind: str, source: Input, testing: Testing, level: Level) -> None:
    """Raise BenchkitError for an option that would change verdicts which stand in the table already."""
    given = {**typed(testing), **typed(level), **({"better": source.better} if source.better else {})}
    if given:
        name = next(iter(given))
        raise BenchkitError(f"--{name} has no effect on a {kind} table: its verdicts stand", f"give --{name} to benchkit test")
