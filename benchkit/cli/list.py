"""`benchkit list`: what there is to choose from."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from benchkit.cli.emit import Outcome
from benchkit.cli.options import Output

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["methods", "adjustments", "effects", "mechanisms", "formats", "plots", "metrics", "resamplings"]


def list_entries(
    kind: Annotated[Kind, typer.Argument(help="What to list.", show_default=False)],
    output: Output,  # noqa: ARG001 - the output options are shown with this command
) -> Outcome:
    """List the methods, adjustments, effects, mechanisms, formats, plots, metrics or resamplings."""
    from benchkit.tables import shapes
    from benchkit.tables.result import Result

    return Outcome(Result("list", {"entries": shapes.build(shapes.ENTRIES, list(rows(kind)))}))


def rows(kind: str) -> "Sequence[dict[str, str]]":
    """Return the rows of one list.

    Metrics show their direction and, if run computes them, what of; resamplings how far their replicates are independent and
    the keys of the experiment file that they know.
    """
    from benchkit import formats, methods, plots
    from benchkit.run.metrics import BUILT_IN
    from benchkit.run.resampling import RESAMPLERS
    from benchkit.tables import metrics, resamplings

    if kind == "metrics":
        computed = {entry.name: f"run computes it of {entry.needs}" for entry in BUILT_IN}
        return [
            {"name": one.name, "summary": f"{one.summary} ({one.better} is better)", "needs": computed.get(one.name, "")}
            for one in metrics.METRICS
        ]
    if kind == "resamplings":
        keys = {entry.name: " ".join(entry.options) for entry in RESAMPLERS}
        return [
            {"name": one.name, "summary": one.summary, "needs": one.kind, "options": keys.get(one.name, "")}
            for one in resamplings.RESAMPLINGS
        ]
    lists = {
        "methods": methods.COMPARISONS,
        "adjustments": methods.ADJUSTMENTS,
        "effects": methods.EFFECTS,
        "mechanisms": methods.MECHANISMS,
        "formats": formats.FORMATS,
        "plots": plots.PLOTS,
    }
    return [
        {
            "name": entry.name,
            "summary": entry.summary,
            "needs": entry.needs,
            "assumes": entry.assumes,
            "source": entry.source,
            "options": " ".join(f"--{option.replace('_', '-')}" for option in entry.options),
        }
        for entry in lists[kind]
    ]
