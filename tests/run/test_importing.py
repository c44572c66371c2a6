"""How code that an experiment names is imported: from its folder first, and never another module in silence."""

import sys
from itertools import count

import pytest

from benchkit.errors import BenchkitError
from benchkit.run.importing import attribute

NUMBERS = count()


@pytest.fixture(autouse=True)
def stem(monkeypatch):
    """The beginning of module names that no other test uses."""
    name = f"imported_{next(NUMBERS)}"
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield name
    for module in [module for module in sys.modules if module.startswith(name)]:
        del sys.modules[module]


def test_the_folder_comes_first_while_importing_and_last_afterwards(tmp_path, stem: str) -> None:
    (tmp_path / f"{stem}.py").write_text("import sys\nFIRST = sys.path[0]\nclass A:\n    class B:\n        C = 3")
    before = list(sys.path)
    assert attribute(f"{stem}:FIRST", tmp_path) == str(tmp_path)
    assert sys.path == [*before, str(tmp_path)]
    assert attribute(f"{stem}:A.B.C", tmp_path) == 3
    assert sys.path == [*before, str(tmp_path)]


def test_modules_in_packages_of_the_folder(tmp_path, stem: str) -> None:
    (tmp_path / stem).mkdir()
    (tmp_path / stem / "__init__.py").write_text("")
    (tmp_path / stem / "inner.py").write_text("from . import other\nVALUE = other.VALUE")
    (tmp_path / stem / "other.py").write_text("VALUE = 5")
    assert attribute(f"{stem}.inner:VALUE", tmp_path) == 5


@pytest.mark.parametrize("spec", ["", ":", "module", "module:", ":name", "a..b:name", ".a:name", "a:b..c"])
def test_a_spec_needs_a_module_and_a_name(spec: str, tmp_path) -> None:
    with pytest.raises(BenchkitError, match="names nothing that can be imported"):
        attribute(spec, tmp_path)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_such_module_here:f", "there is no module 'no_such_module_here'"),
        ("collections.no_such:f", "there is no module 'collections.no_such'"),
        ("math:sqrtt", "math has no 'sqrtt'"),
        ("collections:OrderedDict.popitems", "collections.OrderedDict has no 'popitems'"),
    ],
)
def test_what_is_missing_is_named(spec: str, message: str, tmp_path) -> None:
    with pytest.raises(BenchkitError) as raised:
        attribute(spec, tmp_path)
    assert raised.value.message == message
    assert "\n" not in raised.value.hint


def test_near_names_are_offered(tmp_path) -> None:
    with pytest.raises(BenchkitError, match="has no 'OrderedDct'") as raised:
        attribute("collections:OrderedDct", tmp_path)
    assert raised.value.hint.startswith("did you mean OrderedDict")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise ValueError", "ValueError"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("import no_such_module_here", "ModuleNotFoundError: No module named 'no_such_module_here'"),
        ("def f(:", "SyntaxError: invalid syntax"),
    ],
)
def test_what_importing_raises_is_one_line(text: str, said: str, tmp_path, stem: str) -> None:
    (tmp_path / f"{stem}_bad.py").write_text(text)
    with pytest.raises(BenchkitError) as raised:
        attribute(f"{stem}_bad:f", tmp_path)
    assert raised.value.message.startswith(f"importing {stem}_bad failed: {said}")
    assert "\n" not in raised.value.message
    assert sys.path[0] != str(tmp_path)


@pytest.mark.parametrize("name", ["json.py", "time.py", "this.py", "xml/__init__.py"])
def test_a_file_named_like_a_module_of_python_is_refused(name: str, tmp_path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("def f(): return 1")
    top = name.split("/")[0].removesuffix(".py")
    with pytest.raises(BenchkitError, match=rf"^{name} beside the experiment file is hidden by Python's own module"):
        attribute(f"{top}:f", tmp_path)


def test_a_file_named_like_a_loaded_package_is_refused(tmp_path) -> None:
    (tmp_path / "numpy.py").write_text("def f(): return 1")
    with pytest.raises(
        BenchkitError, match=r"^numpy.py beside the experiment file is hidden by another module of the name 'numpy'$"
    ):
        attribute("numpy:f", tmp_path)


def test_a_folder_of_data_named_like_a_package_hides_nothing(tmp_path) -> None:
    (tmp_path / "sklearn").mkdir()
    assert attribute("sklearn.tree:DecisionTreeRegressor", tmp_path).__name__ == "DecisionTreeRegressor"


def test_the_same_name_in_two_folders_is_no_silent_swap(tmp_path, stem: str) -> None:
    place, other = tmp_path / "a", tmp_path / "b"
    for number, home in enumerate((place, other), 17):
        home.mkdir()
        (home / f"{stem}_later.py").write_text(f"NUMBER = {number}")
    assert attribute(f"{stem}_later:NUMBER", place) == 17
    with pytest.raises(BenchkitError, match="is hidden by another module"):
        attribute(f"{stem}_later:NUMBER", other)
