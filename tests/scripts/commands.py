"""What the documents say to type. Each command in a block ends as it should, or its comment says what it needs; each flag, there and
between backquotes, is one of the program before it; and scripts take the flags in the usage of their --help, and no others.

Usage: commands.py FILES, in a checkout whose build/ has the programs. FILES are put there before each command."""
import pathlib
import re
import shutil
import subprocess
import sys

RUN = [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").rglob("*.md"))]
READ = [*RUN, pathlib.Path("CONTRIBUTING.md")]
FLAG = r"(?<![\w-])--[a-z][\w-]*"
# What would take long is cut short by one more flag, most of it before anything is measured; with it, it ends with this status, or
# as it should.
SHORTER = (
    (r"scripts/test\.sh", r"\g<0> -R one", 0),
    (r"scripts/bench\.sh(?= +#)", r"\g<0> --filter='valid5/cpu_scalar/hot'", 0),
    (r".*--gray-out=\S+", r"\g<0> --filter='(valid5|image)/cpu_scalar/hot' --sitting=docs:1", 0),
    (r"(.*--selftest)(.*rates\.sh)", r"\1 --pairs=36\2 --runs=40", None),
    (r"\S*rungbench --exercise(?= +#)", r"timeout --preserve-status -s INT 1 \g<0>", 130),  # test_exercises runs all ten
    (r".* --watch", r"timeout --preserve-status -s INT 3 \g<0>", 130),
    (r"build/rungbench --kernel=\S+\.cu\b", r"\g<0> --suite=none --shape=17x18x19 --modes=hot --min-time=1e-9 --sitting=docs:1", None),
    (r"m=8192,n=4096", "m=8,n=4", None),
    (r"\S*precision_errors", r"set -o pipefail; stdbuf -oL \g<0> | head -n 1", 141),
    (r"(scripts/bench\.sh|build/rungbench)(?= )(?!.* --(list|merge|check|kernel|exercise))[^#]*", r"\g<0> --budget=1e-9 --rounds=1 ", 77),
)
wrong = []


def commands_of(document):
    """(line, command, comment) of each: what stands in a block of a shell, or behind $ in one of no language."""
    language, command = None, ""
    for number, line in enumerate(document.read_text().split("\n"), 1):
        if fence := re.match(r" *```(\w*)$", line):
            language = None if language is not None else fence[1]
        elif language in ("sh", "bash"):
            command += line + "\n"
        elif language == "" and line.startswith("$ "):
            command = line[2:]
        command = command.lstrip()
        if command and not command.endswith("\\\n") and not subprocess.run(["bash", "-n"], input=command, text=True, capture_output=True).returncode:
            yield number, command.strip(), line.partition(" # ")[2]
            command = ""
    if command:
        wrong.append(f"{document}: a command has no end: {command}")


def run(command, comment):
    """How it ends, and how it should. What needs a GPU finds none, so all is skipped; bisect.sh then is not sure."""
    needs, status = re.match("needs ([^:;,]*)", comment), re.search(r"status (\d+)", comment)
    if needs and needs[1] != "a GPU":
        return None
    expected = [int(status[1]) if status else 0]
    for pattern, more, ends in SHORTER:
        if re.search(pattern, command):
            command, expected = re.sub(pattern, more, command, count=1), expected if ends is None else [ends]
            break
    if needs:
        expected = [77, 3]
    ended = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if ended.returncode in expected:
        return None
    return f"status {ended.returncode}, expected {expected[0]}: {(ended.stdout + ended.stderr)[-500:]}"


def run_all(files):
    for document in RUN:  # what one shows as the content of a file, a reader has
        for name, text in re.findall(r"^`(\w+\.cu?)`[^\n]*:\n\n```\w+\n(.*?)^```$", document.read_text(), re.M | re.S):
            pathlib.Path(files, name).write_text(text)
    for document in RUN:
        for number, command, comment in commands_of(document):
            shutil.copytree(files, ".", dirs_exist_ok=True)
            if said := run(command, comment):
                wrong.append(f"{document}:{number}: {command}: {said}")


def flags_of_programs():
    """The flags of each program and script; and the same with those that it hands on."""
    own, receivers = {}, {}
    for path in [*pathlib.Path("build").glob("rungbench*"), *pathlib.Path("scripts").glob("*.sh")]:
        if path.name != "common.sh":  # which the others read
            text = subprocess.run([path, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
            usage = "\n".join(re.findall(r"^(?:Usage:|  ) +\S+ .*", text, re.M)) if path.suffix else text
            own[path.name] = {*re.findall(FLAG, usage), "--help"}
            receivers[path.name] = re.findall(r"\[flags of ([\w.-]+)\]", usage)

    def taken(name):
        return own.get(name, set()).union(*map(taken, receivers.get(name, ())))
    return own, {name: taken(name) for name in own}


def check_scripts(own, flags):
    for script in [pathlib.Path("scripts", name) for name in own if name.endswith(".sh")]:
        code = re.sub("^ *#.*", "", script.read_text(), flags=re.M)
        code += "".join(pathlib.Path(name).read_text() for name in re.findall(r"scripts/\w+/\w+\.py", code))
        for flag in own[script.name] - {*re.findall(FLAG, code), "--help"}:
            wrong.append(f"{script}: its --help has {flag}, which it does not take")
        labels = re.findall(r"^ +(--[a-z][^()\n]*)\)(?! die)", code, re.M) + re.findall(r'(?:parse\(arguments, \(|flags = )("--[^()\n]*)', code)
        for flag in set(re.findall(FLAG, " ".join(labels))) - flags[script.name]:
            wrong.append(f"{script}: it takes {flag}, which the usage in its --help lacks")


def check_flags(where, text, flags):
    """Flags behind a program or script of ours are its own; those behind none are of some; others have what they like."""
    program = None
    for word in text.split():
        name = word.rpartition("/")[2]
        if name in flags or (program is None and re.fullmatch(r"(build/)?rungbench[\w-]*|(scripts/)?[\w-]+\.sh", word)):
            program = name
            if name not in flags:
                wrong.append(f"{where}: {word} is not there")
        elif word in ("&&", "||", "|", ";", "#"):
            program = None
        elif word == "--" and program in flags:
            program = "rungbench"
        elif flag := re.match(r"[\['\"]*(--[a-z][\w-]*)", word):
            if program != "another" and flag[1] not in flags.get(program, set().union(*flags.values())):
                wrong.append(f"{where}: {flag[1]} is no flag of {program or 'any program'}")
        elif program is None and "=" not in word:
            program = "another"


def check_all_flags():
    own, flags = flags_of_programs()
    check_scripts(own, flags)
    for document in READ:
        for number, command, _ in commands_of(document):
            check_flags(f"{document}:{number}", command, flags)
        for span in re.findall(r"`([^`]+)`", re.sub(r"^ *```.*?^ *```$", "", document.read_text(), flags=re.M | re.S)):
            check_flags(f"{document}: {span}", span, flags)


check_all_flags()
run_all(sys.argv[1])
sys.exit("\n".join(wrong) or 0)
