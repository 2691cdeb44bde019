"""Where histories lie: one CSV per device, in a folder or on a branch. What is written is there as a whole or not at all."""

import fcntl
import os
import re
import subprocess
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from failure import Failure
from summary import ROOT, check_file

BRANCH = "rungbench-history"


def git(*arguments, given=None, fails=None):
    """What git prints. `fails`: what is returned if it refuses; None: then so does this."""
    try:
        said = subprocess.run(["git", "-C", ROOT, *arguments], input=given, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL if given is None else None)
    except FileNotFoundError:
        raise Failure("git: not found; install it (Debian: apt-get install git)") from None
    if said.returncode == 0:
        return said.stdout.decode(errors="replace")
    if fails is None:
        why = said.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {said.returncode}"]
        raise Failure(f"git {arguments[0]}: {why[0]}")
    return fails


class Folder:
    def __init__(self, path):
        self.path, self.name = Path(path), path

    def read(self):
        """{name of a file: its text}"""
        if not self.path.is_dir():
            raise Failure(f"{self.name}: no such folder; expected one that `history.sh add` has filled")
        files = {}
        for path in sorted(self.path.glob("*.csv")):
            check_file(path, "a history of rungbench")
            files[path.name] = path.read_bytes().decode(errors="replace")
        return files

    def update(self, change):
        """Writes the files that `change` makes of those that are there; nobody else writes meanwhile."""
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for name, text in change(self.read()).items():
                with tempfile.NamedTemporaryFile("w", dir=self.path, encoding="utf-8", newline="", delete=False) as file:
                    try:
                        file.write(text)
                        file.flush()
                        os.fsync(file.fileno())
                        os.fchmod(file.fileno(), 0o644)
                        os.replace(file.name, self.path / name)
                    except BaseException:
                        os.unlink(file.name)
                        raise
        finally:
            os.close(lock)


class Branch:
    """Commits are made from objects alone: neither the working tree nor the index takes part."""

    def __init__(self, branch):
        git("check-ref-format", "--branch", branch)
        self.name, self.ref = f"branch {branch}", f"refs/heads/{branch}"

    def entries(self, tip):
        """{name: line of ls-tree}"""
        lines = git("ls-tree", "-z", tip).split("\0")[:-1] if tip else []
        return {line.split("\t", 1)[1]: line for line in lines}

    def read(self, tip=None):
        tip = tip or git("rev-parse", "--verify", "--quiet", self.ref, fails="").strip()
        if not tip:
            raise Failure(f"{self.name}: there is none; expected one that `history.sh add` has made")
        return {name: git("cat-file", "blob", line.split()[2]) for name, line in self.entries(tip).items()
                if name.endswith(".csv")}

    def update(self, change):
        if f"branch {self.ref}\n" in git("worktree", "list", "--porcelain"):
            raise Failure(f"{self.name}: is checked out; expected a branch for histories alone")
        for ident in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
            if not git("var", ident, fails=""):
                raise Failure("git: has no name and address for commits; expected `git config user.name` and `user.email`, or --into=FOLDER")
        tip = git("rev-parse", "--verify", "--quiet", self.ref, fails="").strip()
        files = change(self.read(tip) if tip else {})
        if not files:
            return
        entries = self.entries(tip)
        for name, text in files.items():
            blob = git("hash-object", "-w", "--stdin", given=text.encode(errors="surrogateescape")).strip()
            entries[name] = f"100644 blob {blob}\t{name}"
        tree = git("mktree", "-z", given="".join(f"{line}\0" for line in entries.values()).encode()).strip()
        commit = git("commit-tree", tree, *(["-p", tip] if tip else []), "-m", "Add a run to the history").strip()
        git("update-ref", self.ref, commit, tip or "0" * len(commit))  # refuses if somebody else was faster


def log():
    """[(hash, subject)] along first parents, the oldest first; empty where there is no repository."""
    lines = git("log", "--first-parent", "--reverse", "--format=%H %s", "HEAD", "--", fails="").split("\n")[:-1]
    return [tuple((line + " ").split(" ", 1)) for line in lines]


def resolve(revision):
    """(whole hash, time) of a revision; None: the repository does not have it."""
    if not re.fullmatch("[0-9a-f]{7,64}", revision):
        return None
    said = git("log", "-1", "--format=%H %ct", revision, "--", fails="").split()
    return (said[0], f"{datetime.fromtimestamp(int(said[1]), timezone.utc):%Y-%m-%dT%H:%M:%SZ}") if said else None
