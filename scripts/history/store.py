"""Where histories lie: in a folder or on a branch. Each run is there as a whole or not at all."""

import os
import re
import subprocess
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import text
from failure import Failure
from summary import WORK

BRANCH = "rungbench-history"
ATTEMPTS = 200  # to add to a branch that others move meanwhile


def run(*arguments, given=None):
    try:
        return subprocess.run(["git", "-C", WORK, *arguments], input=given, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL if given is None else None)
    except FileNotFoundError:
        raise Failure("git: not found; install it (Debian: apt-get install git)") from None


def complaint(said):
    return (said.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {said.returncode}"])[0]


def git(*arguments, fails=None):
    """What git prints. `fails`: what is returned if it refuses; None: then so does this."""
    said = run(*arguments)
    if said.returncode and fails is None:
        raise Failure(f"git {arguments[0]}: {complaint(said)}")
    return fails if said.returncode else said.stdout.decode(errors="replace")


class Folder:
    """The same files as on a branch."""

    def __init__(self, path):
        self.path, self.name = Path(path), path

    def names(self):
        return sorted("/".join(path.parts[-3:]) for path in self.path.glob("*/*/*.json"))

    def content(self, name):
        return (self.path / name).read_text(encoding="utf-8", errors="replace")

    def read(self):
        """[(name, content)] of all runs"""
        if not self.path.is_dir():
            raise Failure(f"{self.name}: no such folder; expected one that `history.sh add` has filled")
        return [(name, self.content(name)) for name in self.names()]

    def update(self, change):
        """`change(names, read)`, of the names of all runs and a function that reads one, gives the runs that are added,
        {name: content}, and the names of those that go."""
        new, gone = change(self.names(), self.content)
        places = {path: path.with_suffix(f".{os.getpid()}") for path in (self.path / name for name in new)}
        try:
            for (path, partial), content in zip(places.items(), new.values()):
                path.parent.mkdir(parents=True, exist_ok=True)
                partial.write_text(content, encoding="utf-8")
            for path, partial in places.items():
                partial.replace(path)
        except OSError as error:
            raise Failure(f"{self.name}: {error.strerror}; expected a folder to write to") from None
        finally:
            for partial in places.values():
                partial.unlink(missing_ok=True)
        for name in gone:
            (self.path / name).unlink(missing_ok=True)


class Branch:
    """A file per run. Commits are made without the working tree and the index."""

    def __init__(self, branch):
        git("check-ref-format", "--branch", branch)
        self.name, self.ref = f"branch {branch}", f"refs/heads/{branch}"

    def tip(self):
        return git("rev-parse", "--verify", "--quiet", self.ref, fails="").strip()

    def blobs(self, tip):
        """{name: blob} of the runs"""
        lines = git("ls-tree", "-r", "-z", tip).split("\0")[:-1] if tip else []
        return {name: about.split()[2] for about, name in (line.split("\t", 1) for line in lines)
                if re.fullmatch(r"([\w.-]+/){2}[\w.-]+\.json", name, re.ASCII)}

    def contents(self, blobs):
        """[(name, content)]"""
        with tempfile.TemporaryFile() as wanted:
            wanted.write("".join(f"{blob}\n" for blob in blobs.values()).encode())
            wanted.seek(0)
            with subprocess.Popen(["git", "-C", WORK, "cat-file", "--batch", "--buffer"], stdin=wanted, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as reader:
                for name in blobs:
                    about = reader.stdout.readline().split()
                    if about[1:2] != [b"blob"]:
                        raise Failure(f"{self.name}: {name}: cannot be read; `git fsck` says more")
                    yield name, reader.stdout.read(int(about[2])).decode(errors="replace")
                    reader.stdout.read(1)

    def read(self):
        tip = self.tip()
        if not tip:
            raise Failure(f"{self.name}: there is none; expected one that `history.sh add` has made")
        yield from self.contents(self.blobs(tip))

    def update(self, change):
        if f"branch {self.ref}\n" in git("worktree", "list", "--porcelain"):
            raise Failure(f"{self.name}: is checked out; expected a branch for histories only")
        people = [git("var", f"GIT_{who}_IDENT", fails="").strip() for who in ("AUTHOR", "COMMITTER")]
        if not all(people):
            raise Failure("git: has no name and address for commits; expected `git config user.name` and `user.email`, or --into=FOLDER")
        for _ in range(ATTEMPTS):
            refused = self.move(people, change)
            if not refused:
                git("gc", "--auto", "--quiet", fails="")
                return
        raise Failure(f"{self.name}: nothing was stored in {ATTEMPTS} attempts; {refused}")

    def move(self, people, change):
        """Why the branch could not be moved, which is at another commit by now; None: it was moved."""
        tip = self.tip()
        runs = self.blobs(tip)
        new, gone = change(list(runs), lambda name: dict(self.contents({name: runs[name]}))[name])
        new = {name: content.encode() for name, content in new.items() if name not in runs}
        gone = [name for name in gone if name in runs]
        if not new and not gone:
            return None
        message = f"Add {text.count(len(new), 'run')}" if new else f"Remove {text.count(len(gone), 'run')}"
        lines = [f"commit {self.ref}\nauthor {people[0]}\ncommitter {people[1]}\ndata {len(message)}\n{message}\n".encode()]
        lines += [f"from {tip}\n".encode()] if tip else []
        lines += [f"D {name}\n".encode() for name in gone]
        lines += [b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(content), content) for name, content in new.items()]
        said = run("fast-import", "--quiet", given=b"".join(lines))
        if said.returncode not in (0, 1):
            raise Failure(f"git fast-import: {complaint(said)}")
        return complaint(said) if said.returncode else None


def log():
    """[(hash, subject)] along first parents, the oldest first; empty where there is no repository."""
    lines = git("log", "--first-parent", "--reverse", "--format=%H %s", "HEAD", "--", fails="").split("\n")[:-1]
    return [tuple((line + " ").split(" ", 1)) for line in lines]


def resolve(revision):
    """(whole hash, time) of a revision; None: the repository does not have it."""
    said = git("log", "-1", "--format=%H %ct", revision, "--", fails="").split()
    return (said[0], f"{datetime.fromtimestamp(int(said[1]), timezone.utc):%Y-%m-%dT%H:%M:%SZ}") if said else None
