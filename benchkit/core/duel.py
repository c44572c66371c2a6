"""One row of the pairs table, seen from either side: what its numbers say in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchkit.core import amounts
from benchkit.core.amounts import Amount
from benchkit.core.names import quoted
from benchkit.tables import metrics

OPPOSITE = {"better": "worse", "worse": "better"}
SCALES = {"rank": "rank in {}", "standardise": "standardised {}", "ratio-to-best": "{} relative to the best"}
# effects that turn round by 1 - x or by 1/x when the sides change; the others change their sign
SHARES, RATIOS = ("prob_better", "a12"), ("ratio", "odds_ratio")
EFFECT_NAMES = {
    "d_z": "d_z",
    "cliffs_delta": "Cliff's delta",
    "a12": "A12",
    "rank_biserial": "the rank-biserial correlation",
    "mean_difference": "the mean difference",
}


@dataclass(frozen=True)
class Duel:
    """One pair of algorithms; all numbers are those of the pairs table for `first` against `second`, None where it has none.

    verdict, posterior (better, equivalent, worse): about the first. estimate: first minus second in the metric's unit, or,
    where `ratio`, first by second. better: lower or higher.
    """

    first: str
    second: str
    measure: str
    unit: str
    better: str
    ratio: bool
    verdict: str | None
    estimate: Amount
    low: Amount
    high: Amount
    level: float
    p: Amount
    adjusted: bool
    p_equivalence: Amount
    margin: float
    effect_name: str
    effect: tuple[Amount, Amount, Amount]
    posterior: tuple[float, float, float] | None

    @classmethod
    def of(cls, row: Mapping[str, object], first: str | None = None) -> "Duel":
        """Return the row of a pairs table seen from the side of `first`, of a by default."""
        number = {name: None if value is None else float(str(value)) for name, value in row.items() if name in _NUMBERS}
        measure = str(row["metric"] or "performance")
        ratio = row.get("transform") == "log"
        turned = first is not None and first != row["a"]
        sides = (row["b"], row["a"]) if turned else (row["a"], row["b"])
        estimate, low, high = (number[name] for name in ("estimate", "ci_low", "ci_high"))
        effect = (number["effect"], number["effect_low"], number["effect_high"])
        posterior = tuple(number.get(f"posterior_{word}") for word in ("better", "equivalent", "worse"))
        verdict = None if row["verdict"] is None else str(row["verdict"])
        if turned:
            turn = RATIOS if ratio else ()
            estimate, low, high = _turned(turn[0] if turn else "difference", (estimate, low, high))
            effect = _turned(str(row["effect_name"]), effect)
            posterior = posterior[::-1]
            verdict = OPPOSITE.get(verdict or "", verdict)
        scale = SCALES.get(str(row.get("scale")), "{}")
        return cls(
            str(sides[0]), str(sides[1]), scale.format(measure), "" if row.get("scale") else metrics.unit(measure),
            str(row["better"]), ratio, verdict, estimate, low, high, number["ci_level"] or 0.0, number["p_adjusted"],
            row["adjust"] != "none", number["p_equivalence"], number["margin"] or 0.0, str(row["effect_name"]), effect,
            None if None in posterior else (posterior[0] or 0.0, posterior[1] or 0.0, posterior[2] or 0.0),
        )  # fmt: skip

    @property
    def size(self) -> float:
        """How far the estimate is from no difference; infinite where there is none."""
        if self.estimate is None:
            return float("inf")
        return abs(self.estimate - (1.0 if self.ratio else 0.0))

    def amount(self) -> str:
        """Say by how much the first differs: "its mse is lower by 41.4 (95% interval 29.5 to 53.3, adjusted p = 0.0001)".

        The word lower or higher comes from the estimate alone; where that contradicts the verdict, this is said.
        """
        if self.estimate is None:
            return f"there is no estimate of the difference in {self.measure}{self._beside('', '')}"
        if self.ratio:
            ratio, low, high = amounts.interval(self.estimate, self.low, self.high)
            return f"its {self.measure} is {ratio} times as large{self._beside(low, high)}{self._contradiction()}"
        less = self.estimate < 0
        ends = (self.low, self.high)
        if less and None not in ends:
            ends = (-(self.high or 0.0), -(self.low or 0.0))
        size, low, high = amounts.interval(abs(self.estimate), *ends)
        unit = f" {self.unit}" if self.unit else ""
        how = "differs by 0" if self.estimate == 0 else f"is {'lower' if less else 'higher'} by {size}{unit}"
        return f"its {self.measure} {how}{self._beside(low, high)}{self._contradiction()}"

    def _beside(self, low: str, high: str) -> str:
        """Return in parentheses the interval and the p-value or, of a Bayesian method, the posterior probabilities."""
        level = f"{100 * self.level:.10g}%"
        inside = [f"{level} interval {low} to {high}"] if low else []
        if low and self.low == -float("inf") and self.high == float("inf"):
            inside = [f"no finite {level} interval"]
        if self.verdict == "equivalent" and self.p_equivalence is not None:
            inside.append(f"p of equivalence {amounts.probability(self.p_equivalence)}")
        elif self.p is not None:
            inside.append(f"{'adjusted ' if self.adjusted else ''}p {amounts.probability(self.p)}")
        if self.posterior is not None:
            better, equivalent, worse = map(amounts.posterior, self.posterior)
            middle = f"equivalent {equivalent}, " if self.margin else ""
            inside.append(f"posterior probabilities: better {better}, {middle}worse {worse}")
        return f" ({', '.join(inside)})" if inside else ""

    def _contradiction(self) -> str:
        """Say that the estimate points another way than the verdict, where it does."""
        middle = 1.0 if self.ratio else 0.0
        if self.estimate is None or self.estimate == middle or self.verdict not in OPPOSITE:
            return ""
        ahead = (self.estimate < middle) == (self.better == "lower")
        return "" if ahead == (self.verdict == "better") else ", which points the other way than the verdict"

    def effect_words(self, blocks: str) -> str:
        """Say the effect size of the first against the second with its interval; empty where there is none."""
        value, low, high = self.effect
        if value is None:
            return ""
        if self.effect_name == "prob_better":
            ends = f" ({amounts.share(low)} to {amounts.share(high)})" if low is not None and high is not None else ""
            return f"it is the better one in {amounts.share(value)} of the {blocks}{ends}"
        text, lower, upper = amounts.interval(value, low, high)
        name = EFFECT_NAMES.get(self.effect_name, f"the {self.effect_name.replace('_', ' ')}")
        return f"{name} is {text}" + (f" ({lower} to {upper})" if lower else "")

    @property
    def names(self) -> str:
        """Both names: "gam and lm"."""
        return f"{quoted(self.first)} and {quoted(self.second)}"


_NUMBERS = (
    "estimate", "ci_low", "ci_high", "ci_level", "p_adjusted", "p_equivalence", "margin", "effect", "effect_low",
    "effect_high", "posterior_better", "posterior_equivalent", "posterior_worse",
)  # fmt: skip


def _turned(kind: str, numbers: tuple[Amount, Amount, Amount]) -> tuple[Amount, Amount, Amount]:
    """Return a value and the ends of its interval as the other side sees them."""

    def turn(value: Amount) -> Amount:
        if value is None:
            return None
        if kind in SHARES:
            return 1.0 - value
        if kind in RATIOS:
            return float("inf") if value == 0 else 1.0 / value
        return 0.0 - value

    value, low, high = (turn(number) for number in numbers)
    return value, high, low
