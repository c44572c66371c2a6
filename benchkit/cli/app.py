"""The list of commands, and the one place that turns exceptions into messages and exit statuses."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from typer.exceptions import TyperException

from benchkit import __version__
from benchkit.errors import BUG, DONE, INTERRUPTED, NOT_DONE, BenchkitError
from benchkit.registry import Entry


@dataclass(frozen=True)
class Command:
    """A command: its name, its line in the list of commands, its function, and whether `emit` writes what that returns."""

    name: str
    summary: str
    target: str
    emits: bool = True

    def load(self) -> Callable[..., None]:
        """Import the function and return it with its options as parameters."""
        from benchkit.cli.emit import emitted
        from benchkit.cli.groups import flattened

        function = Entry(self.name, self.summary, target=f"benchkit.cli.{self.target}").load()
        return emitted(function) if self.emits else flattened(function)


COMMANDS = (
    Command("run", "Make results from an experiment file.", "run:run", emits=False),
    Command("summarize", "Describe each algorithm.", "summarize:summarize"),
    Command("benchplot", "Draw the experiment.", "benchplot:benchplot", emits=False),
    Command("test", "Compare algorithms, with intervals and verdicts.", "test:compare_algorithms"),
    Command("rank", "Order the algorithms.", "rank:rank"),
    Command("roc", "Curves of voting ensembles, and how sure they are.", "roc:roc"),
    Command("list", "List what there is to choose from.", "list:list_entries"),
)


def application(wanted: str | None = None) -> typer.Typer:
    """Return the application with the command `wanted` in full, all of them if None; of the others only name and summary.

    The options of every command would cost more time than the rest of `--help`.
    """
    app = typer.Typer(
        name="benchkit",
        help="Turn benchmark experiments of learning algorithms into honest conclusions.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    for command in COMMANDS:
        function = command.load() if wanted in (None, command.name) else _nothing
        app.command(command.name, short_help=command.summary)(function)
    app.callback()(benchkit)
    return app


def _nothing() -> None:
    """Stand for a command that was not asked for."""


def _version(asked: bool) -> None:
    if asked:
        print(f"benchkit {__version__}")
        raise typer.Exit


def benchkit(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Turn benchmark experiments of learning algorithms into honest conclusions."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (without the program's name) and return the exit status; never raises."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        words = list(sys.argv[1:] if argv is None else argv)
        # the first word is the command, since no option before it takes a value
        wanted = next((word for word in words if not word.startswith("-")), "")
        status = application(wanted)(words, prog_name="benchkit", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BenchkitError as error:
        return _refuse(error.message, error.hint)
    except TyperException as error:
        return _refuse(*_usage(error))
    except (BrokenPipeError, SystemExit) as end:  # typer ends the process when the reader of a pipe has gone
        if not isinstance(end if isinstance(end, OSError) else end.__context__, BrokenPipeError):
            raise
        return _drop_output()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except OSError as error:
        what = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
        return _refuse(what[:1].lower() + what[1:], "check that the place exists, has room and may be read and written")
    except Exception as error:
        return _bug(error)
    except BaseException as error:  # a panic inside polars is no Exception
        if type(error).__name__ != "PanicException":
            raise
        return _refuse("the input cannot be read", "a file may be damaged")
    return status if isinstance(status, int) else DONE


def _usage(error: TyperException) -> tuple[str, str]:
    """Return message and hint of a wrong use of the command line."""
    text = " ".join(error.format_message().split())
    command = getattr(getattr(error, "ctx", None), "command_path", "benchkit")
    near = getattr(error, "possibilities", None)
    message = getattr(error, "message", text) if near else text
    hint = f"did you mean {' or '.join(sorted(near))}?" if near else f"{command} --help shows how it is used"
    if "Usage:" in text:  # no command was given: the message is the whole help
        print(error.format_message())
        return "no command was given", f"{command} --help lists the commands"
    message, _, guess = message.partition(" Did you mean ")
    if guess:
        hint = f"did you mean {guess}"
    return message[:1].lower() + message[1:].rstrip("."), hint


def _refuse(message: str, hint: str) -> int:
    from benchkit.cli.messages import say

    say("error: ", message)
    say("hint: ", hint)
    return NOT_DONE


def _drop_output() -> int:
    """Send further output nowhere, since the reader of the pipe has gone: nothing complains at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _bug(error: BaseException) -> int:
    """Keep the traceback in a file and name it."""
    import tempfile
    import traceback

    from benchkit.cli.messages import say

    with tempfile.NamedTemporaryFile("w", prefix="benchkit-", suffix=".traceback.txt", delete=False, encoding="utf-8") as file:
        traceback.print_exception(error, file=file)
    say("error: ", "internal error")
    say("hint: ", f"this is a bug: please report it with the file {file.name}")
    return BUG
