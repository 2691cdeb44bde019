"""What ends a script: one line for stderr, and an exit status."""
import contextlib
import os
import re
import sys


class Failure(Exception):
    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def complain(script, what):
    """Where stderr cannot be written, nobody hears it: what has been done is done all the same."""
    try:
        print(f"{script}: " + re.sub("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2060-\u2069]", "?", what), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # or Python would try again at the end


def end_with(script, main):
    """Ends the program as `main(arguments)` does, which returns an exit status."""
    try:
        sys.stdout.reconfigure(errors="surrogateescape")
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except Failure as failure:
        complain(script, str(failure))
        status = failure.status
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        with contextlib.suppress(OSError):
            sys.stdout = None  # which would complain again at the end
        complain(script, f"{error.filename or 'stdout'}: {error.strerror}")
        status = 2
    sys.exit(status)
