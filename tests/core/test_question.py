"""The choice of the method: defaults, options that fit and options that do not."""

import pytest

from benchkit.core import question
from benchkit.core.question import Question, choose
from benchkit.errors import BenchkitError
from benchkit.registry import Entry


@pytest.mark.parametrize(
    ("asked", "covariance", "automatic"),
    [
        (Question(), "unstructured", True),
        (Question("mixed"), "pooled", False),
        (Question(options={"covariance": "pooled"}), "pooled", False),
        (Question("mixed", options={"covariance": "unstructured"}), "unstructured", False),
        (Question(options={"covariance": "pooled", "reference": "normal"}), "pooled", False),
    ],
)
def test_the_covariance(asked: Question, covariance: str, automatic: bool) -> None:
    choice = choose(asked)
    assert (choice.entry.name, choice.options["covariance"], choice.automatic) == ("mixed", covariance, automatic)


def test_the_choice_can_be_typed() -> None:
    assert choose(Question()).typed == "--method mixed --covariance unstructured"


@pytest.mark.parametrize("option", ["reference", "df"])
def test_pooled_options_need_the_pooled_model(option: str) -> None:
    with pytest.raises(BenchkitError, match=f"--{option} belongs to the pooled model") as caught:
        choose(Question(options={option: "normal"}))
    assert caught.value.hint == "add --method mixed"
    with pytest.raises(BenchkitError) as caught:
        choose(Question("mixed", options={option: "normal", "covariance": "unstructured"}))
    assert caught.value.hint == "add --covariance pooled"


@pytest.mark.parametrize(
    ("post_hoc", "adjust"), [("wilcoxon", "holm"), ("conover", "holm"), ("bonferroni-dunn", "bonferroni"), ("nemenyi", None)]
)
def test_a_post_hoc_test_brings_its_adjustment(post_hoc: str, adjust: str | None) -> None:
    asked = {"post_hoc": post_hoc}
    assert choose(Question("friedman", options=asked)).options.get("adjust") == adjust
    if adjust is not None:
        assert choose(Question(options={**asked, "adjust": "hommel"})).options["adjust"] == "hommel"
        return
    with pytest.raises(BenchkitError, match="--post-hoc nemenyi adjusts by itself") as caught:
        choose(Question("friedman", options={**asked, "adjust": "holm"}))
    assert caught.value.hint == "leave out --adjust; --post-hoc wilcoxon, conover or bonferroni-dunn takes --adjust"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"unpaired": ""}, "--unpaired asks for independent samples"),
        ({"unpaired": "", "adjust": "holm"}, "--unpaired asks for independent samples"),
        ({"cluster": "passage"}, "--cluster says what belongs together"),
        ({"test_share": "0.1"}, "--test-share says that replicates share training rows"),
        ({"zeros": "pratt"}, "the first method that knows --zeros"),
        ({"post_hoc": "conover", "ties": "ignore"}, "the first method that knows --post-hoc and --ties"),
        ({}, ""),
    ],
)
def test_an_option_that_chooses_the_method_is_the_reason(options: dict[str, str], reason: str) -> None:
    assert choose(Question(options=options)).reason == reason


def test_an_option_restricts_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, other = Entry("plain", ""), Entry("other", "", options=("zeros",))
    monkeypatch.setattr(question, "COMPARISONS", (plain, other))
    assert choose(Question()).entry is plain
    assert choose(Question(options={"zeros": "pratt"})).entry is other
    with pytest.raises(BenchkitError, match="--zeros is no option of plain") as caught:
        choose(Question("plain", options={"zeros": "pratt"}))
    assert caught.value.hint == "methods that know it: other"
