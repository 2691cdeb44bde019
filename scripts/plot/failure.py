"""The command line of a script, and what ends it: one line for stderr, and an exit status."""
import contextlib
import os
import sys

import text


class Failure(Exception):
    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def complain(script, what):
    """Where stderr cannot be written, nobody hears it: what has been done is done all the same."""
    try:
        print(f"{script}: " + text.UNSEEN.sub("?", what), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # or Python would try again at the end


def parse(arguments, flags, fewest, most, wanted):
    """({flag: value}, other arguments), which are all after --; a flag without a value is one whose name does not end in =."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    values, others = {}, []
    for argument in arguments[:end]:
        flag, equals, value = argument.partition("=")
        if not argument.startswith("--"):
            others.append(argument)
        elif flag + equals in flags and bool(equals) == bool(value):
            values[flag] = value or True
        else:
            raise Failure(f"{argument}: expected {', '.join(flags)}; --help says more")
    others += arguments[end + 1:]
    if not fewest <= len(others) <= most:
        raise Failure(f"{len(others)} arguments; expected {wanted}")
    return values, others


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
