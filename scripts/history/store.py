"""Where histories lie: in a folder or on a branch. What is written is there as a whole or not at all."""

import contextlib
import math
import re
import sqlite3
import subprocess
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import text
from failure import Failure
from summary import ROOT, check_file

BRANCH = "rungbench-history"
PATIENCE_S = 60  # of waiting for others that write to a folder
ATTEMPTS = 200  # to add to a branch that others move meanwhile


def run(*arguments, given=None):
    try:
        return subprocess.run(["git", "-C", ROOT, *arguments], input=given, capture_output=True, check=False,
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
    """One SQLite file. Its locks and transactions are all that is needed; a write-ahead log would not do on network folders."""

    def __init__(self, path):
        self.path, self.name = Path(path), path
        self.file = self.path / "history.sqlite"

    @contextlib.contextmanager
    def open(self, mode):
        if self.file.exists():
            check_file(self.file, "a history of rungbench", math.inf)
        try:
            url = f"{self.file.absolute().as_uri()}?mode={mode}"
            with contextlib.closing(sqlite3.connect(url, uri=True, timeout=PATIENCE_S, isolation_level=None)) as database:
                yield database
        except sqlite3.Error as error:
            expected = "" if isinstance(error, sqlite3.OperationalError) else "; expected a history of rungbench"
            raise Failure(f"{self.file}: {error}{expected}") from None

    def read(self):
        """[(name, content)] of all runs"""
        if not self.path.is_dir():
            raise Failure(f"{self.name}: no such folder; expected one that `history.sh add` has filled")
        if self.file.exists():
            with self.open("rw") as database:
                if database.execute("SELECT 1 FROM sqlite_master").fetchone():
                    yield from database.execute("SELECT name, run FROM runs ORDER BY name")

    def update(self, change):
        """`change(names, read)`, of the names of all runs and a function that reads one, gives the runs that are added,
        {name: content}, and the names of those that go."""
        self.path.mkdir(parents=True, exist_ok=True)
        with self.open("rwc") as database:
            database.execute("PRAGMA auto_vacuum = FULL")
            database.execute("BEGIN IMMEDIATE")
            if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                database.execute("CREATE TABLE runs (name TEXT PRIMARY KEY, run TEXT NOT NULL)")
            names = [name for name, in database.execute("SELECT name FROM runs")]
            new, gone = change(names, lambda name: database.execute("SELECT run FROM runs WHERE name = ?", (name,)).fetchone()[0])
            database.executemany("INSERT OR IGNORE INTO runs VALUES (?, ?)", new.items())
            database.executemany("DELETE FROM runs WHERE name = ?", ((name,) for name in gone))
            database.execute("COMMIT")


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
            with subprocess.Popen(["git", "-C", ROOT, "cat-file", "--batch", "--buffer"], stdin=wanted, stdout=subprocess.PIPE,
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
