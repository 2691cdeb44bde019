"""Calls scripts in a process that need not start Python: it has their modules already."""
import multiprocessing
import os
import subprocess
import sys
import tempfile

import failure


def call(script, main, folder, arguments, environment, prepare=lambda: None):
    """What it ends with, and says, in this folder."""
    def become(*streams):
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        os.chdir(folder)
        os.environ.update(environment)
        prepare()
        sys.argv[1:] = map(os.fspath, arguments)
        failure.end_with(script, main)
    with open(os.devnull) as nothing, tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+", errors="replace") as error:
        child = multiprocessing.get_context("fork").Process(target=become, args=(nothing, out, error))
        child.start()
        child.join()
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(arguments, child.exitcode, out.read(), error.read())
