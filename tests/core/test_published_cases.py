"""Published answers, from a file on disk to the document that a person gets; the numbers of each method alone are in methods/."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchkit.cli.app import main

Ask = Callable[..., dict[str, Any]]

# Demsar 2006, Table 6; .9751 (C4.5+cf on voting) stands for the .975 that it printed: the paper ranked unrounded values
DEMSAR = """dataset,C4.5,C4.5+m,C4.5+cf,C4.5+m+cf
adult,.763,.768,.771,.798
breast cancer,.599,.591,.590,.569
breast cancer wisconsin,.954,.971,.968,.967
cmc,.628,.661,.654,.657
ionosphere,.882,.888,.886,.898
iris,.936,.931,.916,.931
liver disorders,.661,.668,.609,.685
lung cancer,.583,.583,.563,.625
lymphography,.775,.838,.866,.875
mushroom,1,1,1,1
primary tumor,.940,.962,.965,.962
rheum,.619,.666,.614,.669
voting,.972,.981,.9751,.975
wine,.957,.978,.946,.970
"""
WIDE = ("--wide", "--better", "higher")
DEMSAR_WAY = ("--method", "friedman", "--post-hoc", "nemenyi", "--ties", "ignore")


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Return a function that runs a command on a text and returns its json document."""

    def go(command: str, text: str, *options: str) -> dict[str, Any]:
        source, target = tmp_path / "case.csv", tmp_path / "answer.json"
        source.write_text(text)
        assert main([command, str(source), *options, "-q", "-o", str(target)]) == 0
        found = json.loads(target.read_text())
        return {**found["tables"], "codes": [note["code"] for note in found["notes"]], "notes": found["notes"]}

    return go


def by_pair(found: Mapping[str, Any], column: str) -> dict[tuple[str, str], Any]:
    return {(row["a"], row["b"]): row[column] for row in found["pairs"]}


def by_algorithm(found: Mapping[str, Any], table: str, column: str) -> dict[str, Any]:
    return {row["algorithm"]: row[column] for row in found[table]}


def long(values: Mapping[str, Sequence[float | None]], *, write_missing: bool = True) -> str:
    """Return the algorithms' values as results, replicate by replicate."""
    columns = zip(*values.values(), strict=True)
    lines = [(i, name, value) for i, row in enumerate(columns, 1) for name, value in zip(values, row, strict=True)]
    kept = [line for line in lines if write_missing or line[2] is not None]
    return "replicate,algorithm,performance\n" + "".join(f"{i},{a},{'' if v is None else repr(v)}\n" for i, a, v in kept)


def wide_items(names: str, patterns: Mapping[str, int]) -> str:
    """Return items as rows, an algorithm in each column; a pattern has one digit for each."""
    rows = [",".join(pattern) for pattern, count in patterns.items() for _ in range(count)]
    return f"item,{names}\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows, 1))


def test_demsar_as_he_did_it(ask: Ask) -> None:
    # JMLR 7 (2006), pp. 11-13: chi2 9.28, F 3.69 on (3, 39), CD 1.25; nothing differs at .05
    found = ask("test", DEMSAR, *WIDE, *DEMSAR_WAY)
    overall = found["overall"][0]
    assert (round(overall["chi_square"], 2), round(overall["statistic"], 2)) == (9.28, 3.69)
    assert (overall["df1"], overall["df2"], round(overall["critical_difference"], 2)) == (3, 39, 1.25)
    assert set(by_pair(found, "verdict").values()) == {"undecided"}
    ranks = by_algorithm(ask("summarize", DEMSAR, *WIDE), "algorithms", "mean_rank")
    assert {name: round(rank, 3) for name, rank in ranks.items()} == {
        "C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964
    }  # fmt: skip


def test_demsar_at_ten_percent(ask: Ask) -> None:
    # p. 12: CD 1.12; both with m differ from C4.5, and the groups {m+cf, m, cf} and {cf, C4.5} overlap
    found = ask("test", DEMSAR, *WIDE, *DEMSAR_WAY, "--level", "0.9")
    assert round(found["overall"][0]["critical_difference"], 2) == 1.12
    decided = {pair: verdict for pair, verdict in by_pair(found, "verdict").items() if verdict != "undecided"}
    assert decided == {("C4.5", "C4.5+m"): "worse", ("C4.5", "C4.5+m+cf"): "worse"}
    ranked = ask("rank", DEMSAR, *WIDE, *DEMSAR_WAY, "--level", "0.9")
    assert by_algorithm(ranked, "ranks", "letters") == {"C4.5+m+cf": "a", "C4.5+m": "a", "C4.5+cf": "ab", "C4.5": "b"}
    assert ranked["orders"][0]["order"] is None
    assert "not-transitive" in ranked["codes"]


def test_demsar_with_ties_corrected_is_what_scipy_gives(ask: Ask) -> None:
    # scipy/stats, comment of test_friedmanchisquare: 10.2283 (p .01672); the printed table, with its tie, gives 10.952
    overall = ask("test", DEMSAR, *WIDE)["overall"][0]
    assert (overall["method"], round(overall["chi_square"], 3)) == ("friedman-wilcoxon", 10.228)
    assert overall["p_chi_square"] == pytest.approx(0.01672158032844133, rel=1e-9)
    printed = DEMSAR.replace(".9751", ".975")
    assert ask("test", printed, *WIDE)["overall"][0]["chi_square"] == pytest.approx(10.952380952380953, rel=1e-9)
    ignored = ask("test", printed, *WIDE, *DEMSAR_WAY)["overall"][0]
    assert (ignored["chi_square"], ignored["statistic"]) == pytest.approx((9.857142857142858, 3.9866666666666667), rel=1e-9)


def test_demsar_against_a_control(ask: Ask, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    # p. 13: z = 2.342, .512, 2.416, p = .019, .607, .016; Holm: 2 x .019 is below 3 x .016, so both are .047
    options = (*WIDE, "--post-hoc", "bonferroni-dunn", "--baseline", "C4.5", "--ties", "ignore")
    # the table printed here, with the tie of voting's three decimals, gives his numbers up to 1e-3
    plain = ask("test", DEMSAR, *options)
    order = [("C4.5+cf", "C4.5"), ("C4.5+m", "C4.5"), ("C4.5+m+cf", "C4.5")]
    p = by_pair(plain, "p_value")
    assert [round(p[pair], 3) for pair in order] == [0.608, 0.019, 0.016]
    assert [by_pair(plain, "p_adjusted")[pair] for pair in order] == pytest.approx([1, *(3 * p[one] for one in order[1:])])
    assert {row["adjust"] for row in plain["pairs"]} == {"bonferroni"}
    assert {row["ci_kind"] for row in plain["pairs"]} == {None}  # mean ranks have no interval in the unit of the values
    holm = ask("test", DEMSAR, *options, "--adjust", "holm")
    assert [round(by_pair(holm, "p_adjusted")[pair], 4) for pair in order] == [0.6084, 0.0472, 0.0472]
    assert set(by_pair(holm, "verdict").values()) == {"undecided", "better"}
    path = tmp_path / "demsar.csv"
    path.write_text(DEMSAR)
    assert main(["test", str(path), *WIDE, *DEMSAR_WAY, "--adjust", "holm"]) == 2
    assert "takes --adjust" in capfd.readouterr().err


def test_pairs_without_an_adjustment_hold_one_by_one(ask: Ask) -> None:
    # Benavoli et al. 2017: posteriors are not adjusted; ranks have no intervals and yet no joint error without an adjustment
    for options, kind in (
        (("--method", "bayes-sign"), None),
        (("--method", "wilcoxon", "--adjust", "none"), "pointwise"),
        (("--method", "wilcoxon"), "bonferroni"),
        (("--post-hoc", "conover", "--adjust", "none"), None),
    ):
        found = ask("test", DEMSAR, *WIDE, *options)
        assert {row["ci_kind"] for row in found["pairs"]} == {kind}, options
        ranked = ask("rank", DEMSAR, *WIDE, *options)
        assert ("no-rank-intervals" in ranked["codes"]) == (kind != "bonferroni"), options
    text = long({"a": [1.0, 2, 3], "b": [2.0, 2, 5], "c": [3.0, 1, 3]})
    posterior = ask("test", text, "--better", "higher", "--method", "bayes-correlated-t", "--test-share", "0.1")
    assert {row["ci_kind"] for row in posterior["pairs"]} == {"pointwise"}


def test_an_option_that_restricts_the_choice_is_the_reason(ask: Ask) -> None:
    # bug_20's shape: replicates that pair, and yet --unpaired
    text = long({"new": [8, 8, 8, 8, 8], "old": [12, 13, 11, 14, 12]})
    for options, reason in (
        (("--unpaired",), "--unpaired asks for independent samples"),
        (("--zeros", "wilcox"), "the first method"),
    ):
        notes = ask("test", text, "--better", "lower", *options)["notes"]
        chosen = next(note["message"] for note in notes if note["code"] == "chosen-method")
        assert f": {reason}" in chosen


def test_demsar_wilcoxon(ask: Ask) -> None:
    # p. 8: C4.5 against C4.5+m, R+ = 93 and R- = 12, zeros split; W+ is that of a - b, C4.5 less C4.5+m
    found = ask("test", DEMSAR, *WIDE, "--method", "wilcoxon", "--zeros", "zsplit")
    assert by_pair(found, "statistic")[("C4.5", "C4.5+m")] == 12
    assert by_pair(found, "verdict")[("C4.5", "C4.5+m")] == "worse"
    assert by_pair(found, "estimate")[("C4.5", "C4.5+m")] < 0


def test_errors_are_accuracies_turned(ask: Ask) -> None:
    # mlr3benchmark 29, autorank 14 and 46, scmamp 7: best first, whichever way is better
    rows = [line.split(",") for line in DEMSAR.splitlines()]
    errors = "\n".join([DEMSAR.splitlines()[0], *(",".join([r[0], *(f"{1 - float(v):.4f}" for v in r[1:])]) for r in rows[1:])])
    found, turned = ask("test", DEMSAR, *WIDE), ask("test", errors, "--wide", "--better", "lower")
    assert by_pair(turned, "verdict") == by_pair(found, "verdict")
    assert by_pair(turned, "mean_rank_a") == by_pair(found, "mean_rank_a")
    assert turned["overall"][0]["chi_square"] == pytest.approx(found["overall"][0]["chi_square"], rel=1e-12)
    assert ask("rank", errors, "--wide", "--better", "lower")["orders"] == ask("rank", DEMSAR, *WIDE)["orders"]


# mlxtend, cochrans_q.ipynb and ftest.ipynb: who of three models is wrong, on 100 items
MLXTEND = {"000": 80, "100": 9, "111": 3, "110": 3, "011": 2, "001": 2, "101": 1}


@pytest.mark.parametrize("way", ["truth", "right", "wrong"])
def test_cochran_of_mlxtend_from_votes_and_from_outcomes(ask: Ask, way: str) -> None:
    # Q 7.529, p .023; models 1 and 2: 5.333, p .021; accuracies .84, .92, .92. The truth is 0 everywhere: a vote of 1 is wrong
    text, options = wide_items("model_1,model_2,model_3", MLXTEND), ("--wide", "--better", "lower")
    if way == "truth":
        head, *rows = text.splitlines()
        text, options = "\n".join([head + ",label", *(row + ",0" for row in rows)]), ("--wide",)
    if way == "right":
        right = {pattern.translate(str.maketrans("01", "10")): count for pattern, count in MLXTEND.items()}
        text, options = wide_items("model_1,model_2,model_3", right), WIDE
    found = ask("test", text, *options)
    overall = found["overall"][0]
    assert (round(overall["statistic"], 3), round(overall["p_value"], 3), overall["df1"]) == (7.529, 0.023, 2)
    shares = [0.16, 0.08, 0.08] if way == "wrong" else [0.84, 0.92, 0.92]
    assert [by_algorithm(found, "means", "estimate")[f"model_{i}"] for i in (1, 2, 3)] == pytest.approx(shares, rel=1e-12)
    two = ask("test", text, *options, "--where", "algorithm=model_1,model_2", "--method", "cochran-q")
    assert (round(two["overall"][0]["statistic"], 3), round(two["overall"][0]["p_value"], 3)) == (5.333, 0.021)
    assert by_pair(two, "estimate")[("model_1", "model_2")] == pytest.approx(0.08 if way == "wrong" else -0.08, rel=1e-9)


# reference votes of forest, knn, logit, tree on 200 items, as patterns; R's mcnemar.test, binom.test and p.adjust (classifiers.R)
VOTES = {
    "1111": 119, "1110": 23, "1011": 14, "1010": 7, "1100": 7, "0000": 6, "1001": 5, "0010": 4, "1101": 4, "0011": 4,
    "1000": 3, "0111": 2, "0001": 1, "0101": 1,
}  # fmt: skip
STEPWISE = [
    1.5336088836193105e-05, .27209189534187306, 1.652633354609639e-05, .03452336920599923, .49661743531793445
]  # fmt: skip
R_ADJUSTED = {
    "holm": [*STEPWISE, .003296329438398981],
    "hochberg": [*STEPWISE, .003296329438398981],
    "hommel": [1.2780074030160921e-05, *STEPWISE[1:], .003296329438398981],
    "bh": [9.915800127657834e-06, .16325513720512383, 9.915800127657834e-06, .017261684602999615, .49661743531793445,
           .0016481647191994905],
    "by": [2.4293710312761696e-05, .39997508615255345, 2.4293710312761696e-05, .04229112727734906, 1, .0040380035620387516],
    "bonferroni": [STEPWISE[0], .8162756860256192, 1.9831600255315668e-05, .06904673841199846, 1, .004944494157598471],
}  # fmt: skip


@pytest.mark.parametrize("adjust", R_ADJUSTED)
def test_adjusted_p_values_of_r(ask: Ask, adjust: str) -> None:
    text = wide_items("forest,knn,logit,tree", VOTES)
    found = ask("test", text, *WIDE, "--method", "mcnemar", "--variant", "exact", "--adjust", adjust)
    assert list(by_pair(found, "p_adjusted").values()) == pytest.approx(R_ADJUSTED[adjust], rel=1e-12)
    assert {row["adjust"] for row in found["pairs"]} == {adjust}


def test_mcnemar_names_the_better_one(ask: Ask) -> None:
    # mlxtend 664: A alone right 9 times, B alone 2 times; R: mcnemar.test 4.4545 (p .0348) and 3.2727 (p .0704), binom.test .0654
    text = wide_items("A,B", {"11": 30, "10": 9, "01": 2, "00": 9})
    for variant, p in {"uncorrected": 0.03480847881186725, "corrected": 0.070440429272088, "exact": 0.0654296875}.items():
        found = ask("test", text, *WIDE, "--method", "mcnemar", "--variant", variant)["pairs"][0]
        assert found["p_value"] == pytest.approx(p, rel=1e-12)
        assert (found["n10"], found["n01"], found["mean_a"], found["mean_b"]) == (9, 2, 0.78, 0.64)
        assert found["verdict"] == ("better" if variant == "uncorrected" else "undecided")
    assert ask("rank", text, *WIDE)["orders"][0]["order"] == "A < B"


def test_nothing_tells_two_identical_algorithms_apart(ask: Ask) -> None:
    # evaluate 795, VISCfunctions 26: p 1, and Q of the two others as usual: 4 on 2, p .1353
    found = ask("test", wide_items("a,b,c", {"111": 40, "110": 2, "000": 8}), *WIDE)
    assert (by_pair(found, "p_value")[("a", "b")], by_pair(found, "statistic")[("a", "b")]) == (1, 0)
    assert found["overall"][0]["p_value"] == pytest.approx(0.1353352832366127, rel=1e-12)
    assert "no-discordant" in found["codes"]


def test_five_times_two_folds_of_two_data_sets(ask: Ask) -> None:
    # mlxtend, docs of paired_ttest_5x2cv and combined_ftest_5x2cv: right of 75 items of iris, logistic regression and trees
    logistic, tree = [68, 71, 72, 68, 69, 72, 70, 68, 73, 65], [71, 73, 71, 71, 71, 72, 71, 70, 71, 67]
    stump = [47, 47, 48, 49, 47, 41, 48, 47, 48, 46]
    lines = [
        f"{dataset},{i // 2 + 1},{i % 2 + 1},{name},{column[i] / 75!r}"
        for dataset, other in (("full", tree), ("stump", stump))
        for name, column in (("logistic", logistic), ("tree", other))
        for i in range(10)
    ]
    text = "dataset,repeat,fold,algorithm,accuracy\n" + "\n".join(lines)
    for method, expected in {
        "5x2cv-t": [(-1.539, 0.184), (5.386, 0.003)],
        "5x2cv-f": [(1.053, 0.509), (34.934, 0.001)],
        "auto": [(1.053, 0.509), (34.934, 0.001)],  # repeat and fold tell what it is
    }.items():
        pairs = ask("test", text, "--value", "accuracy", "--method", method)["pairs"]
        assert [(round(row["statistic"], 3), round(row["p_value"], 3)) for row in pairs] == expected
        assert [row["verdict"] for row in pairs] == ["undecided", "better"]


def test_replicates_pair_by_key(ask: Ask) -> None:
    # OlinkRPackage 485: rows in any order. Differences 1 ... 5: t = 3 / sqrt(2.5 / 5) on 4 degrees of freedom
    text = long({"new": [11, 22, 33, 44, 55], "old": [10, 20, 30, 40, 50]})
    head, *rows = text.splitlines()
    shuffled = "\n".join([head, *rows[7:], *rows[3:7][::-1], *rows[:3]])
    for order in (text, shuffled):
        pair = ask("test", order, "--better", "higher", "--method", "paired-t")["pairs"][0]
        assert (pair["statistic"], pair["df"]) == (pytest.approx(3 / 0.5**0.5, rel=1e-12), 4)
        assert pair["p_value"] == pytest.approx(0.013235, abs=1e-6)


def test_a_missing_cell_written_or_absent(ask: Ask) -> None:
    # pingouin 206: the same answer; ranks of complete replicates only, the mixed model uses every row
    values = {"A": [1.0, 2, 1, None, 2, 1], "B": [3.0, 4, 4, 3, None, 2], "C": [2.0, 3, 2, 2, 3, 3]}
    both = [long(values), long(values, write_missing=False)]
    assert both[0] != both[1]
    for method in ("friedman", "mixed", "wilcoxon"):
        found = [ask("test", text, "--better", "lower", "--method", method) for text in both]
        assert found[0]["pairs"] == found[1]["pairs"]
        assert found[0]["overall"] == found[1]["overall"]
        assert list(by_pair(found[0], "n").values()) == [4, 5, 5]
    friedman = ask("test", both[0], "--better", "lower", "--method", "friedman")
    (left_out,) = [note["message"] for note in friedman["notes"] if note["code"] == "incomplete-replicates"]
    assert left_out.startswith("2 ")
    assert friedman["overall"][0]["chi_square"] == pytest.approx(6.5, rel=1e-12)  # rank sums 4, 11, 9 of four replicates


def test_missing_is_neither_zero_nor_best(ask: Ask) -> None:
    # fuzzbench 1765: b2 and b3 are incomplete; in b4 all tie and share rank 2
    rows = {"b1": "3,0,1", "b2": "2,,0", "b3": ",0,", "b4": "0,0,0"}
    text = "dataset,f1,f2,f3\n" + "".join(f"{name},{row}\n" for name, row in rows.items())
    found = ask("summarize", text, "--wide", "--better", "lower")
    assert by_algorithm(found, "algorithms", "mean_rank") == {"f1": 2.5, "f2": 1.5, "f3": 2.0}
    assert by_algorithm(found, "algorithms", "n") == {"f1": 3, "f2": 3, "f3": 3}
    assert by_algorithm(found, "algorithms", "n_missing") == {"f1": 1, "f2": 1, "f3": 1}
    assert by_algorithm(found, "algorithms", "mean")["f1"] == pytest.approx(5 / 3, rel=1e-12)


def test_a_constant_group_differs(ask: Ask) -> None:
    # golang 19634, benchstat 7: 2 of 2^5 ways when replicates pair, 2 of 10 over 5 = 252 when they do not
    text = long({"new": [8, 8, 8, 8, 8], "old": [12, 13, 11, 14, 12]})
    assert ask("test", text, "--better", "lower", "--method", "permutation")["pairs"][0]["p_value"] == 2 / 32
    unpaired = ask("test", text, "--better", "lower", "--unpaired", "--method", "unpaired-permutation")["pairs"][0]
    assert unpaired["p_value"] == pytest.approx(2 / 252, rel=1e-12)
    assert (unpaired["verdict"], unpaired["estimate"]) == ("better", pytest.approx(-4.4, rel=1e-12))


def test_float_noise_makes_no_ranks(ask: Ask) -> None:
    # scipy 26082: |differences| are all .1, so every rank is 5.5: W- = 2 x 5.5, p = (1 + 10 + 45) x 2 / 2^10
    text = "dataset,A,B\n1,.3,.2\n2,.8,.7\n3,.7,.6\n4,1,.9\n5,.9,.8\n6,.6,.7\n7,.4,.5\n8,.55,.45\n9,.35,.25\n10,.15,.05\n"
    pair = ask("test", text, *WIDE, "--method", "wilcoxon")["pairs"][0]
    assert (pair["statistic"], pair["p_value"]) == (55 - 11, 112 / 1024)


def test_perfect_agreement_is_printed_without_nan(ask: Ask) -> None:
    # scikit-posthocs 19, 63, 76: ten replicates that order five algorithms alike: chi2 at its maximum 40, F infinite, CD 1.929
    text = long({name: [place + i / 100 for i in range(10)] for place, name in enumerate("vwxyz")})
    found = ask("test", text, "--better", "lower", "--method", "friedman", "--post-hoc", "nemenyi")
    overall = found["overall"][0]
    assert (overall["chi_square"], overall["statistic"], overall["p_value"]) == (40, None, 0)
    assert round(overall["critical_difference"], 3) == 1.929
    assert (by_pair(found, "verdict")[("v", "w")], by_pair(found, "verdict")[("v", "x")]) == ("undecided", "better")
    assert "perfect-agreement" in found["codes"]


def test_tiny_p_values_are_shown_as_they_are(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    # scikit-posthocs 60: neither 0.001 nor 0.900
    path = tmp_path / "far.csv"
    path.write_text(long({"a": [i % 3 / 1000 for i in range(30)], "c": [1 + i % 7 / 1000 for i in range(30)]}))
    assert main(["test", str(path), "--better", "lower", "--method", "mixed", "-f", "json", "-q"]) == 0
    p = json.loads(capfd.readouterr().out)["tables"]["pairs"][0]["p_adjusted"]
    assert 0 < p < 1e-40
    assert main(["test", str(path), "--better", "lower", "--method", "mixed", "-f", "table", "-q"]) == 0
    assert f"{p:.1e}" in capfd.readouterr().out


def test_conflicting_cells_are_refused_by_name(tmp_path: Path, ask: Ask, capfd: pytest.CaptureFixture[str]) -> None:
    # statsmodels 3838
    text = long({"knn": [1, 3, 2], "rf": [2, 5, 3]}) + "1,knn,5\n2,rf,5\n"
    path = tmp_path / "twice.csv"
    path.write_text(text)
    assert main(["test", str(path), "--better", "lower"]) == 2
    assert "2 cells have several rows: knn in 1; rf in 2" in capfd.readouterr().err
    averaged = ask("test", text, "--better", "lower", "--method", "mixed", "--duplicates", "mean")
    assert by_algorithm(averaged, "means", "estimate") == pytest.approx({"knn": 8 / 3, "rf": 10 / 3}, rel=1e-12)


def test_folds_that_only_their_columns_tell(ask: Ask) -> None:
    # differences +1 and -0.5, five times each, of ten folds: mean .25, s2 .625; t = .25 / sqrt(.625 (1/10 + 1/9)) on 9 df
    lines = [f"{fold},{10 + fold + (1 if fold % 2 else -0.5)},{10 + fold}\n" for fold in range(10)]
    text = "fold,new,old\n" + "".join(lines)
    found = ask("test", text, *WIDE)
    pair = found["pairs"][0]
    assert (pair["method"], pair["df"]) == ("repeated-kfold-t", 9)
    assert pair["statistic"] == pytest.approx(0.25 / (0.625 * (1 / 10 + 1 / 9)) ** 0.5, rel=1e-12)
    assert "dependent-replicates" not in found["codes"]
    chosen = next(note["message"] for note in found["notes"] if note["code"] == "chosen-method")
    assert "how many follows from the number of folds" in chosen
    named = ask("test", text, *WIDE, "--method", "paired-t")
    assert named["pairs"][0]["statistic"] == pytest.approx(0.25 / (0.625 / 10) ** 0.5, rel=1e-12)
    warned = next(note["message"] for note in named["notes"] if note["code"] == "dependent-replicates")
    assert warned.endswith("--method repeated-kfold-t allows for it")
    corrected = ask("test", text, *WIDE, "--method", "corrected-t")
    assert corrected["pairs"][0]["p_value"] == pytest.approx(pair["p_value"], rel=1e-12)
    assert "sizes-from-folds" in corrected["codes"]
