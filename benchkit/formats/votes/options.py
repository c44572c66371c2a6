"""What a person may say about files of votes."""

from dataclasses import dataclass, field

from benchkit.formats.source import Border


@dataclass(frozen=True)
class VoteOptions:
    """The options of `roc` that concern reading.

    border: --rename and --where. voters: --voters, a pattern such as tree_* for the names of the voters' columns. labels:
    --labels, a file of labels. positive: --positive, the label of the positive class. regression: labels are numbers to be
    predicted. weights: --weights, a file with the columns voter and weight. packed_voters: --packed-voters, how many voters
    a .npy of packed bits has.
    """

    border: Border = field(default_factory=Border)
    voters: str | None = None
    labels: str | None = None
    positive: str | None = None
    regression: bool = False
    weights: str | None = None
    packed_voters: int | None = None
