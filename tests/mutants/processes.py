"""Commands in process groups of their own, so that one that hangs can be ended with all that it started."""
import os
import signal
import subprocess
import threading


class Processes:
    def __init__(self):
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def run(self, command, output, limit=None):
        """The status, negative for a signal, or None where the command did not end within `limit` seconds."""
        with open(output, "wb") as opened:
            with self.lock:
                if self.stopped:
                    raise InterruptedError("stopped")
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=opened, stderr=opened,
                                           start_new_session=True)
                self.running.add(process)
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:
                with self.lock:
                    self.running.discard(process)
                    end(process)

    def stop(self):
        """Ends what runs and lets nothing start again."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                end(process)


def end(process):
    """Kills what is left of a group, the descendants of a finished command included."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
