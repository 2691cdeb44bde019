"""A regular expression of the command line, which rungbench reads: names match here as they do there."""
import os

import summary


class Pattern:
    def __init__(self, flag, text):
        self.flag = flag
        self.text = text
        self.pattern = f"{flag}={text}"

    def matching(self, names):
        """Those of the names in which it is found."""
        if not self.text:
            return set(names)
        said = summary.ask("--match", self.text, os.fsencode("\n".join(names)), shown=self.flag)
        return set(os.fsdecode(said).split("\n"))
