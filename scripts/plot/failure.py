"""What ends plot.sh: one line for stderr, and an exit status."""


class Failure(Exception):
    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status
