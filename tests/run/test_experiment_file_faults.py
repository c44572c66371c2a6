"""Every fault of an experiment file has a message of its own that names the place, and a hint that says what is allowed."""

from pathlib import Path

import pytest

from benchkit.errors import BenchkitError
from benchkit.run.experiment_file import read

GOOD = {
    "experiment": '[experiment]\nmetrics = ["mse"]',
    "dataset": '[[dataset]]\npath = "motor.csv"\ntarget = "y"',
    "resampling": '[resampling]\nmethod = "bootstrap"',
    "algorithm": '[[algorithm]]\nname = "knn"\nfunction = "m:f"',
}
METHODS = (
    "bootstrap, subsampling, holdout, kfold, repeated-kfold, loo, group-kfold, leave-one-group-out, 5x2cv, disjoint, "
    "rolling-origin, predefined"
)
OWN = 'write {name = "...", function = "module:function", better = "lower"} or better = "higher"'
TIME = 'write seconds, or a text such as "10 min"'
MEMORY = 'write bytes, or a text such as "500 MB" or "2 GiB"'
SHARE = "write a share of the rows such as 0.25, or a whole number of rows"
RANDOM = "write a list of values, or {low = 0.001, high = 10, log = true}"
COMMAND = 'write command = ["Rscript", "fit.R", "{train}", "{test}", "{predictions}"]'
NAME = "write a name without blanks around it or control characters in it"
LARGEST = 9223372036854775807

# the keys of [experiment], the place and problem, the hint
EXPERIMENT = [
    ('name = "a"', ", key metrics: it is missing", 'write metrics = ["mse"], or the names of several'),
    ("metrics = []", ", key metrics: the list is empty", "write at least one entry, or leave the key out"),
    ('metrics = "mse"', ", key metrics: 'mse' is no list", 'write a list: metrics = ["mse"]'),
    (
        'metrics = ["mse", 3]',
        ", key metrics, entry 2: 3 is neither a name nor a table",
        'write metrics = ["mse"], or the names of several',
    ),
    (
        'metrics = ["mse", "mse"]',
        ", key metrics, entry 2: the metric 'mse' stands there twice",
        "give every metric a name of its own",
    ),
    ('metrics = [" mse"]', ", key metrics, entry 1: ' mse' begins or ends with a blank", NAME),
    ('metrics = ["m:f"]', ", key metrics, entry 1: 'm:f' is a function, whose direction is not known", OWN),
    ('metrics = [{name = "a"}]', ", key metrics, entry 1, key function: it is missing", OWN),
    ('metrics = [{function = "m:f"}]', ", key metrics, entry 1, key better: it is missing", OWN),
    (
        'metrics = [{function = "m:f", better = "high"}]',
        ", key metrics, entry 1, key better: there is no 'high'",
        "did you mean higher?",
    ),
    (
        'metrics = [{function = "m:f", better = true}]',
        ", key metrics, entry 1, key better: true is no text",
        'write a text: "..."',
    ),
    ('metrics = [{function = "m:f", betr = "lower"}]', ", key metrics, entry 1: unknown key 'betr'", "did you mean better?"),
    (
        'metrics = [{function = "m.f", better = "lower"}]',
        ", key metrics, entry 1, key function: 'm.f' is not of the form module:function",
        'write "m:f"',
    ),
    ('metrics = ["mse"]\nseeds = 2', ": unknown key 'seeds'", "did you mean seed?"),
    ('metrics = ["mse"]\nthreads = 2', ": unknown key 'threads'", "known keys: name, seed, metrics, train_performance"),
    (
        'metrics = ["mse"]\nseed = true',
        ", key seed: true is no whole number",
        "write a whole number of 0 or more, without quotes",
    ),
    ('metrics = ["mse"]\nseed = "1"', ", key seed: '1' is no whole number", "write a whole number of 0 or more, without quotes"),
    ('metrics = ["mse"]\nseed = 1.0', ", key seed: 1.0 is no whole number", "write a whole number of 0 or more, without quotes"),
    ('metrics = ["mse"]\nseed = -1', ", key seed: -1 is less than 0", "write a whole number of 0 or more"),
    (
        'metrics = ["mse"]\nseed = 9223372036854775808',
        ", key seed: 9223372036854775808 is too large",
        "write a whole number of 0 or more",
    ),
    (
        'metrics = ["mse"]\ntrain_performance = "no"',
        ", key train_performance: 'no' is neither true nor false",
        "write true or false, without quotes",
    ),
    ('metrics = ["mse"]\nname = ""', ", key name: the name is empty", NAME),
    ('metrics = ["mse"]\nname = "a "', ", key name: 'a ' begins or ends with a blank", NAME),
    ('metrics = ["mse"]\nname = "a\\tb"', ", key name: 'a\\tb' holds a control character", NAME),
    ('metrics = ["mse"]\nname = 2024-05-01', ", key name: 2024-05-01 is no text", 'write a text: name = "..."'),
]

DATASET = [
    ('target = "y"', ": it has neither path nor loader", 'write path = "FILE.csv", or loader = "module:function"'),
    ('path = "a.csv"\nloader = "m:f"\ntarget = "y"', ": it has both path and loader", "give one of them"),
    ('path = "a.csv"', ", key target: it is missing", 'name the column to predict: target = "COLUMN"'),
    ('path = ""\ntarget = "y"', ", key path: the text is empty", "write what it should name, or leave it out"),
    ('path = "a\\u0000b"\ntarget = "y"', ", key path: 'a\\x00b' holds a NUL character", "remove it"),
    ('path = " .csv"\ntarget = "y"', ", key name: ' ' begins or ends with a blank", NAME),
    ('path = "a.csv"\ntarget = 3', ", key target: 3 is no text", 'write "3"'),
    ('path = "a.csv"\ntarget = "y"\nparams = {n = 1}', ", key params: they go with loader, not with path", "remove params"),
    ('loader = "m:f"\nparams = [1]', ", key params: a list is no table", "write a table: params = {...}"),
    (
        'loader = "m:f"\nparams = {since = 2024-05-01}',
        ", key params.since: 2024-05-01 is a date or time",
        'write it as a text: "2024-05-01"',
    ),
    ('loader = "m:f"\nparams = {a = [{b = nan}]}', ", key params.a: nan is no number", "leave it out, or write a number"),
    ('loader = "m:f."', ", key loader: 'm:f.' is not of the form module:function", 'write "module:function"'),
    ('loader = "load.py:f"', ", key loader: 'load.py:f' names a file", 'write "load:f"'),
    ('loader = "load it"', ", key loader: 'load it' is not of the form module:function", 'write "module:function"'),
    ('path = "a.csv"\ntarget = "y"\ntask = "classify"', ", key task: there is no 'classify'", "did you mean classification?"),
    (
        'path = "a.csv"\ntarget = "y"\ntask = "rank"',
        ", key task: there is no 'rank'",
        "choose one of: regression, classification",
    ),
    (
        'path = "a.csv"\ntarget = "y"\ncolumns = []',
        ", key columns: the list is empty",
        "write at least one text, or leave the key out",
    ),
    ('path = "a.csv"\ntarget = "y"\ncolumns = "x"', ", key columns: 'x' is no list", 'write a list: columns = ["x"]'),
    ('path = "a.csv"\ntarget = "y"\ncolumns = ["x", 2]', ", key columns: entry 2: 2 is no text", 'write "2"'),
    ('path = "a.csv"\ntarget = "y"\ncolumns = ["x", "x"]', ", key columns: 'x' stands there twice", "name each once"),
    (
        'path = "a.csv"\ntarget = "y"\ncolumns = ["x", "y"]',
        ", key columns: 'y' is the target",
        "name only columns to predict from",
    ),
    ('path = "a.csv"\ntarget = "y"\nweight = "y"', ", key weight: 'y' is the target", "name another column"),
    (
        'path = "a.csv"\ntarget = "y"\ntask = "regression"\npositive = "yes"',
        ", key positive: regression has no classes",
        'remove it, or write task = "classification"',
    ),
    ('path = "a.csv"\ntarget = "y"\npositive = 1', ", key positive: 1 is no text", 'write "1"'),
    ('path = "a.csv"\ntarget = "y"\nColumns = ["x"]', ": unknown key 'Columns'", "did you mean columns?"),
]

RESAMPLING = [
    ("folds = 10", ", key method: it is missing", f"choose one of: {METHODS}"),
    ('method = "boot"', ", key method: there is no 'boot'", "did you mean bootstrap?"),
    ('method = "xyz"', ", key method: there is no 'xyz'", f"choose one of: {METHODS}"),
    (
        'method = "bootstrap"\nfolds = 10',
        ", key folds: bootstrap does not know it",
        "bootstrap takes replicates, stratify and estimator",
    ),
    ('method = "loo"\nstratify = false', ", key stratify: loo does not know it", "loo takes no options"),
    ('method = "kfold"\nestimator = ".632"', ", key estimator: kfold does not know it", "kfold takes folds and stratify"),
    (
        'method = "subsampling"\nvalidation = 0.2',
        ", key validation: subsampling does not know it",
        "subsampling takes replicates, test and stratify",
    ),
    ('method = "bootstrap"\nreplicate = 10', ": unknown key 'replicate'", "did you mean replicates?"),
    ('method = "bootstrap"\nreplicates = 0', ", key replicates: 0 is less than 1", "write a whole number of 1 or more"),
    *(
        (f'method = "{method}"\n{key} = 10_000_001', f", key {key}: 10000001 is too large", "write a whole number of 1 or more")
        for method, key in (("bootstrap", "replicates"), ("repeated-kfold", "repeats"))
    ),
    ('method = "kfold"\nfolds = 1', ", key folds: 1 is less than 2", "write a whole number of 2 or more"),
    (
        'method = "kfold"\nfolds = true',
        ", key folds: true is no whole number",
        "write a whole number of 2 or more, without quotes",
    ),
    ('method = "kfold"\nfolds = nan', ", key folds: nan is no whole number", "write a whole number of 2 or more, without quotes"),
    ('method = "holdout"\ntest = 0.0', ", key test: 0.0 is no share between 0 and 1", SHARE),
    ('method = "holdout"\ntest = 1.0', ", key test: 1.0 is no share between 0 and 1", SHARE),
    ('method = "holdout"\ntest = 0', ", key test: 0 is no number of rows", SHARE),
    ('method = "holdout"\ntest = nan', ", key test: nan is no number", SHARE),
    ('method = "holdout"\ntest = -inf', ", key test: -inf is no number", SHARE),
    ('method = "holdout"\ntest = true', ", key test: true is no number", SHARE),
    ('method = "holdout"\ntest = "20%"', ", key test: '20%' is no number", SHARE),
    (
        'method = "holdout"\ntest = 0.5\nvalidation = 0.5',
        ", key validation: with test = 0.5 it leaves no rows to train on",
        "make the sum less than 1",
    ),
    ('method = "bootstrap"\nestimator = "632"', ", key estimator: there is no '632'", "did you mean .632?"),
    (
        'method = "predefined"',
        ": predefined has neither split nor samples",
        'write split = "COLUMN" of the data set, or samples = "FILE"',
    ),
    (
        'method = "predefined"\nsplit = "a"\nsamples = "b"',
        ": predefined has both split and samples",
        'write split = "COLUMN" of the data set, or samples = "FILE"',
    ),
    (
        'method = "predefined"\nsplit = "a"\nestimator = ".632"',
        ", key estimator: of the predefined splits it goes with samples only",
        "remove it",
    ),
    ('method = "predefined"\nsplit = 1', ", key split: 1 is no list", "write a list: split = [...]"),
]

ALGORITHM = [
    ("", ": it has none of estimator, function and command", 'write estimator = "module:Class", for instance'),
    ('estimater = "a:B"', ": unknown key 'estimater'", "did you mean estimator?"),
    ('estimator = "a:B"\nfunction = "m:f"', ": it has estimator and function", "give one of them"),
    (
        'estimator = "sklearn.tree.DecisionTreeRegressor"',
        ", key estimator: 'sklearn.tree.DecisionTreeRegressor' is not of the form module:Class",
        'write "sklearn.tree:DecisionTreeRegressor"',
    ),
    (
        "estimator = 3",
        ", key estimator: 3 is neither a text nor a list",
        'write "module:Class", or a list of steps: ["module:Class", {estimator = "module:Class", params = {...}}]',
    ),
    ("estimator = []", ", key estimator: the list is empty", "write at least one entry, or leave the key out"),
    ('estimator = ["a:B", "c"]', ", key estimator, step 2: 'c' is not of the form module:Class", 'write "module:Class"'),
    ('estimator = [{name = "a"}]', ", key estimator, step 1, key estimator: it is missing", 'write estimator = "module:Class"'),
    (
        'estimator = ["a:B", {name = "a__b", estimator = "c:D"}]',
        ", key estimator, step 2, key name: 'a__b' contains __",
        "__ parts a step from its parameter; use a single _",
    ),
    (
        'estimator = [{name = "s", estimator = "c:D"}, {name = "s", estimator = "c:D"}]',
        ", key estimator: step 2: 's' is the name of step 1, too",
        "give every step a name of its own",
    ),
    (
        'estimator = ["a:B", {estimator = "c:D", param = {k = 1}}]',
        ", key estimator, step 2: unknown key 'param'",
        "did you mean params?",
    ),
    (
        'estimator = ["a:B", {name = "preprocess", estimator = "c:D"}]',
        ", key estimator: a step is called 'preprocess', as benchkit's own",
        'rename it, or add preprocess = "none"',
    ),
    (
        'estimator = ["a:Scale", "c:Tree"]\nparams = {depth = 3}',
        ", key params.depth: 'depth' names no step",
        "write tree__depth; the steps are scale and tree",
    ),
    (
        'estimator = ["a:Scale", "c:Tree"]\nparams = {tre__depth = 3}',
        ", key params.tre__depth: there is no step 'tre'",
        "did you mean tree?",
    ),
    (
        'estimator = ["a:Scale", {estimator = "c:Tree", params = {depth = 2}}]\ntune = {grid = {tree__depth = [3]}}',
        ", key tune: 'depth' stands in the params of the step, too",
        "give it once",
    ),
    ('function = "f"', ", key function: 'f' is not of the form module:function", 'write "module:function"'),
    ('function = "m:f(1)"', ", key function: 'm:f(1)' is not of the form module:function", 'write "module:function"'),
    ('command = "Rscript fit.R"', ", key command: 'Rscript fit.R' is no list", 'write a list: command = ["Rscript fit.R"]'),
    ('command = [""]', ", key command: the program is empty", COMMAND),
    ('command = ["p", 1]', ", key command: entry 2: 1 is no text", 'write "1"'),
    ('command = ["p", "{test}"]', ", key command: it lacks {predictions}", COMMAND),
    ('command = ["p", "{{test}}", "{predictions}"]', ", key command: it lacks {test}", COMMAND),
    (
        'command = ["p", "{tests}", "{predictions}", "{k}"]\nparams = {k = 1}',
        ", key command: entry 2: there is no placeholder {tests}",
        "known: {train}, {test}, {validation}, {predictions}, {seed}, {dataset}, {replicate} and {k}; {{ and }} are braces",
    ),
    (
        'command = ["p", "{test!r}", "{predictions}"]',
        ", key command: entry 2: there is no placeholder {test!r}",
        "known: {train}, {test}, {validation}, {predictions}, {seed}, {dataset} and {replicate}; {{ and }} are braces",
    ),
    (
        'command = ["p", "{test} }", "{predictions}"]',
        ", key command: entry 2: '{test} }' has a single }",
        "write }} for a brace, {NAME} for a placeholder",
    ),
    (
        'command = ["p", "{test}", "{predictions}", "{validation}"]',
        ", key command: {validation} is never there: the resampling makes no validation rows",
        'remove it, or add validation to method = "holdout"',
    ),
    (
        'command = ["p", "{test}", "{predictions}"]\nparams = {k = 1}',
        ", key params: {k} does not stand in the command",
        "add it to the command, or remove the parameter",
    ),
    (
        'command = ["p", "{test}", "{predictions}"]\ntune = {grid = {k = [1]}}',
        ", key tune: {k} does not stand in the command",
        "add it to the command, or remove the parameter",
    ),
    (
        'command = ["p", "{test}", "{predictions}"]\nparams = {seed = 1}',
        ", key params: {seed} is filled by benchkit",
        "choose another name",
    ),
    (
        'command = ["p", "{test}", "{predictions}", "{k}"]\nparams = {k = [1]}',
        ", key params.k: a list cannot stand in a command",
        "write a text or a number",
    ),
    (
        'command = ["p", "{test}", "{predictions}"]\npreprocess = "auto"',
        ", key preprocess: a command gets the data as they are",
        'remove it, or write preprocess = "none"',
    ),
    ('function = "m:f"\npreprocess = false', ", key preprocess: false is no text", 'write a text: "..."'),
    ('function = "m:f"\npreprocess = "scale"', ", key preprocess: there is no 'scale'", "choose one of: auto, none"),
    ('function = "m:f"\ntimeout = "soon"', ", key timeout: 'soon' is no time", TIME),
    ('function = "m:f"\ntimeout = "90"', ", key timeout: '90' is no time", TIME),
    ('function = "m:f"\ntimeout = true', ", key timeout: true is no time", TIME),
    ('function = "m:f"\ntimeout = inf', ", key timeout: inf is no time", TIME),
    ('function = "m:f"\ntimeout = 0', ", key timeout: 0 is no time in which anything could end", TIME),
    ('function = "m:f"\ntimeout = -5', ", key timeout: -5 is no time in which anything could end", TIME),
    (
        'function = "m:f"\ntimeout = "9 parsec"',
        ", key timeout: '9 parsec' has the unknown unit 'parsec'",
        "the units are ms, s, sec, min, h and d",
    ),
    ('function = "m:f"\nmemory = "lots"', ", key memory: 'lots' is no amount of memory", MEMORY),
    ('function = "m:f"\nmemory = 2.5e9', ", key memory: 2500000000.0 is no whole number of bytes", MEMORY),
    ('function = "m:f"\nmemory = 4', ", key memory: 4 is less than 1 MB", MEMORY),
    ('function = "m:f"\nmemory = false', ", key memory: false is no amount of memory", MEMORY),
    ('function = "m:f"\nmemory = "99999999999 TB"', ", key memory: '99999999999 TB' is too much", MEMORY),
    (
        'function = "m:f"\nmemory = "2 G"',
        ", key memory: '2 G' has the unknown unit 'G'",
        "the units are B, kB, MB, GB, TB, KiB, MiB, GiB and TiB",
    ),
    (
        'function = "m:f"\nparams = {k = 1}\ntune = {grid = {k = [1, 2]}}',
        ", key params.k: 'k' is tuned, too",
        "remove it from params or from tune",
    ),
]

TUNE = [
    ("[1]", ", key tune: a list is no table", "write a table: tune = {...}"),
    (
        "{}",
        ", key tune: it has neither grid nor random",
        "write {grid = {PARAM = [1, 2]}} or {random = {PARAM = {low = 1, high = 9}}, draws = 20}",
    ),
    (
        "{grid = {k = [1]}, random = {k = [1]}}",
        ", key tune: it has both grid and random",
        "write {grid = {PARAM = [1, 2]}} or {random = {PARAM = {low = 1, high = 9}}, draws = 20}",
    ),
    ("{grid = {}}", ", key tune.grid: it names no parameter", "add PARAM = [1, 3, 5]"),
    ("{gird = {k = [1]}}", ": unknown key 'tune.gird'", "did you mean tune.grid?"),
    ("{grid = {k = 3}}", ", key tune.grid.k: 3 is no list", "write a list of values: [1, 3, 5]"),
    ("{grid = {k = []}}", ", key tune.grid.k: the list is empty", "write a list of values: [1, 3, 5]"),
    ("{grid = {k = {low = 1, high = 2}}}", ", key tune.grid.k: a table is no list", "write a list of values: [1, 3, 5]"),
    ("{grid = {k = [12:00:00]}}", ", key tune.grid.k: 12:00:00 is a date or time", 'write it as a text: "12:00:00"'),
    ("{grid = {k = [1]}, draws = 5}", ", key tune.draws: a grid tries everything", "remove it, or write random in place of grid"),
    ("{random = {k = 3}}", ", key tune.random.k: 3 is neither a list nor a range", RANDOM),
    ("{random = {k = {low = 1}}}", ", key tune.random.k.high: it is missing", RANDOM),
    ("{random = {k = {low = 2, high = 2}}}", ", key tune.random.k.high: 2 is not above low = 2", RANDOM),
    ("{random = {k = {low = 1, high = inf}}}", ", key tune.random.k.high: inf is no number", RANDOM),
    ("{random = {k = {low = false, high = 1}}}", ", key tune.random.k.low: false is no number", RANDOM),
    (
        "{random = {k = {low = 0, high = 1, log = true}}}",
        ", key tune.random.k.low: 0 has no logarithm",
        "write a low above 0, or log = false",
    ),
    (
        "{random = {k = {low = 0, high = 1, logg = true}}}",
        ": unknown key 'tune.random.k.logg'",
        "did you mean tune.random.k.log?",
    ),
    ("{random = {k = [1]}, draws = 0}", ", key tune.draws: 0 is less than 1", "write a whole number of 1 or more"),
    ("{grid = {k = [1]}, folds = 1}", ", key tune.folds: 1 is less than 2", "write a whole number of 2 or more"),
    (
        '{grid = {k = [1]}, metric = "mae"}',
        ", key tune.metric: 'mae' is none of the metrics of [experiment]",
        "did you mean mse?",
    ),
    (
        '{grid = {k = [1]}, inner = "validation"}',
        ", key tune.inner: the resampling makes no validation rows",
        'write inner = "folds", or a [resampling] with method = "holdout" and validation',
    ),
]


def complaint(folder: Path, monkeypatch: pytest.MonkeyPatch, parts: dict[str, str]) -> tuple[str, str]:
    """Return the message and the hint for a file of these parts."""
    (folder / "e.toml").write_text("\n".join(parts.values()), encoding="utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(BenchkitError) as caught:
        read(Path("e.toml"))
    assert "\n" not in caught.value.message + caught.value.hint
    return caught.value.message, caught.value.hint


def place(table: str) -> str:
    """Return how messages begin that are about a table of GOOD."""
    return (
        "e.toml, "
        + {
            "experiment": "[experiment]",
            "dataset": "[[dataset]] 1",
            "resampling": "[resampling]",
            "algorithm": "[[algorithm]] 1 (knn)",
        }[table]
    )


@pytest.mark.parametrize(
    ("table", "keys", "problem", "hint"),
    [
        *(("experiment", f"[experiment]\n{keys}", *rest) for keys, *rest in EXPERIMENT),
        *(("dataset", f"[[dataset]]\n{keys}", *rest) for keys, *rest in DATASET),
        *(("resampling", f"[resampling]\n{keys}", *rest) for keys, *rest in RESAMPLING),
        *(("algorithm", f'[[algorithm]]\nname = "knn"\n{keys}', *rest) for keys, *rest in ALGORITHM),
        *(("algorithm", f"{GOOD['algorithm']}\ntune = {keys}", *rest) for keys, *rest in TUNE),
    ],
)
def test_a_fault_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, keys: str, problem: str, hint: str
) -> None:
    assert complaint(tmp_path, monkeypatch, GOOD | {table: keys}) == (place(table) + problem, hint)


@pytest.mark.parametrize(
    ("table", "text", "message", "hint"),
    [
        (
            "algorithm",
            GOOD["algorithm"] + "\n" + GOOD["algorithm"],
            "e.toml, [[algorithm]] 2 (knn), key name: 'knn' is the name of [[algorithm]] 1, too",
            "give every algorithm a name of its own",
        ),
        (
            "dataset",
            GOOD["dataset"] + "\n" + GOOD["dataset"],
            "e.toml, [[dataset]] 2, key name: 'motor' is the name of [[dataset]] 1, too",
            "give every dataset a name of its own",
        ),
        (
            "algorithm",
            '[[algorithm]]\nfunction = "m:f"',
            "e.toml, [[algorithm]] 1, key name: it is missing",
            'write name = "..."',
        ),
        (
            "algorithm",
            '[algorithm]\nname = "k"\nparam = 1',
            "e.toml, [algorithm] (k): unknown key 'param'",
            "did you mean params?",
        ),
        (
            "algorithm",
            '[algorithm]\nname = "\\u001b[31m"',
            "e.toml, [algorithm], key name: '\\x1b[31m' holds a control character",
            NAME,
        ),
        (
            "algorithm",
            '[[algorithm]]\nname = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\nk = 1',
            "e.toml, [[algorithm]] 1 (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…): unknown key 'k'",
            "known keys: name, estimator, function, command, timeout, memory, params, tune, preprocess",
        ),
        ("experiment", "", "e.toml: there is no [experiment]", 'add [experiment] and below it metrics = ["mse"]'),
        (
            "dataset",
            "",
            "e.toml: there is no [[dataset]]",
            'add [[dataset]] and below it path = "FILE.csv" and target = "COLUMN"',
        ),
        ("resampling", "", "e.toml: there is no [resampling]", 'add [resampling] and below it method = "bootstrap"'),
        (
            "algorithm",
            "",
            "e.toml: there is no [[algorithm]]",
            'add [[algorithm]] and below it name = "..." and estimator = "module:Class"',
        ),
        ("algorithm", "[[algorithms]]", "e.toml: unknown table 'algorithms'", "did you mean [[algorithm]]?"),
        ("algorithm", "[Experiment]", "e.toml: unknown table 'Experiment'", "did you mean [experiment]?"),
        (
            "algorithm",
            "[output]",
            "e.toml: unknown table 'output'",
            "the tables are [experiment], [[dataset]], [resampling], [[algorithm]]",
        ),
        ("experiment", "seed = 1", "e.toml: the key 'seed' stands in no table", "put it below [experiment], or where it belongs"),
        ("experiment", "experiment = 3", "e.toml: experiment is 3, not a table", "write [experiment], in single brackets, once"),
        (
            "resampling",
            '[[resampling]]\nmethod = "loo"',
            "e.toml: resampling is a list, not a table",
            "write [resampling], in single brackets, once",
        ),
        ("experiment", GOOD["experiment"] + "\n[[dataset]]\n[dataset.a]", "e.toml, [[dataset]] 1: unknown key 'a'", None),
    ],
)
def test_a_fault_of_the_tables_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, text: str, message: str, hint: str | None
) -> None:
    found = complaint(tmp_path, monkeypatch, GOOD | {table: text})
    assert found[0] == message
    assert hint is None or found[1] == hint


def test_an_entry_that_is_no_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = complaint(tmp_path, monkeypatch, {"first": 'algorithm = ["tree"]'} | GOOD | {"algorithm": ""})
    assert found == ("e.toml: algorithm is a list, not a table", "write [[algorithm]] above its keys")


def test_folds_and_validation_rows_exclude_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = GOOD | {"resampling": '[resampling]\nmethod = "holdout"\nvalidation = 0.2'}
    parts["algorithm"] += '\ntune = {grid = {k = [1]}, inner = "validation", folds = 3}'
    found = complaint(tmp_path, monkeypatch, parts)
    assert found == (
        'e.toml, [[algorithm]] 1 (knn), key tune.folds: there are none with inner = "validation"',
        "remove it",
    )
