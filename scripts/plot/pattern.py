"""A regular expression of the command line. One that does not end is refused, as is one that is none."""
import re
import signal

from failure import Failure

PATIENCE_S = 2


class Pattern:
    def __init__(self, flag, text):
        self.pattern = f"{flag}={text}"
        try:
            self.compiled = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise Failure(f"{self.pattern}: {error}; expected a regular expression") from None

    def search(self, name):
        signal.signal(signal.SIGALRM, self.give_up)
        signal.alarm(PATIENCE_S)
        try:
            return self.compiled.search(name)
        finally:
            signal.alarm(0)

    def give_up(self, *_):
        raise Failure(f"{self.pattern}: takes too long; expected a simpler regular expression")
