"""Where files are made before they get their places, so that they appear whole or not at all."""
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

from failure import Failure


def clear_up_on_signals():
    """SIGTERM, and SIGHUP without nohup, end the program as SIGINT does: what was staged goes."""
    def end(number, _):
        sys.exit(128 + number)
    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, end)


def give_places(stage, folder, prefix):
    """It takes no time, and no signal comes between. Scripts of gnuplot stay."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for path in stage.iterdir():
        if path.suffix != ".gp":
            os.chmod(path, 0o644)
            os.replace(path, folder / (prefix + path.name))


@contextlib.contextmanager
def beside(folder, prefix=""):
    """A folder in `folder`, the one where files go when all are whole, as PREFIX and their names; it goes again, and so does that
    one, if it was made for nothing."""
    made = not folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".staged.", dir=folder) as stage:
            yield Path(stage)
            give_places(Path(stage), folder, prefix)
    except OSError as error:
        raise Failure(f"{folder}: cannot be written to ({error.strerror}); expected a folder to write to") from None
    finally:
        if made:
            with contextlib.suppress(OSError):
                folder.rmdir()
