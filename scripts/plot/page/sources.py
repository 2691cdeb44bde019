"""Where a rung's source can be read on the web as it was when the row was measured. An address is given only if it is
known to exist: the checkout came from a host whose addresses are known, a branch there has the revision, and the revision
has the file."""
import re
import subprocess

HOSTS = {"github.com": "https://github.com/{}/blob/{}/{}",
         "gitlab.com": "https://gitlab.com/{}/-/blob/{}/{}",
         "codeberg.org": "https://codeberg.org/{}/src/commit/{}/{}"}
REMOTE = re.compile(r"(?:(?:https|ssh|git)://)?(?:[^@/]*@)?([a-z.]+)[:/]([\w.-]+(?:/[\w.-]+?)+?)(?:\.git)?/?")


def links(checkout, rows):
    """{(revision, path): address} of the sources that have one."""
    remote = REMOTE.fullmatch(git(checkout, "config", "--get", "remote.origin.url").strip())
    if not remote or remote[1] not in HOSTS:
        return {}
    revisions = {row["git_rev"] for row in rows if re.fullmatch("[0-9a-f]{7,40}", row.get("git_rev", ""))}
    there = {revision for revision in revisions
             if git(checkout, "for-each-ref", "--count=1", "--contains", revision, "refs/remotes/origin")}
    files = list({(row["git_rev"], row["source"]) for row in rows if row.get("source") and row.get("git_rev") in there})
    found = git(checkout, "cat-file", "--batch-check", ask="".join(f"{revision}:{path}\n" for revision, path in files))
    return {file: HOSTS[remote[1]].format(remote[2], *file)
            for file, line in zip(files, found.splitlines()) if " blob " in line}


def git(checkout, *command, ask=""):
    try:
        return subprocess.run(["git", "-C", checkout, *command], input=ask, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
