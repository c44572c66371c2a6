"""What was chosen for an option of a method."""

from benchkit.errors import BenchkitError
from benchkit.methods.records import Blocks


def choice(blocks: Blocks, option: str, choices: tuple[str, ...]) -> str:
    """Return the chosen value of `option`, the first of `choices` by default; BenchkitError for one that is not there."""
    chosen = blocks.options.get(option, choices[0])
    if chosen not in choices:
        raise BenchkitError(f"'{chosen}' is no choice of {option.replace('_', '-')}", f"it takes {', '.join(choices)}")
    return chosen
