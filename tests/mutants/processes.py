"""Commands in process groups of their own, so that all that one has started ends with it."""
import os
import signal
import subprocess
import threading

LIMITED = ["sh", "-c", 'ulimit -t "$0"; exec "$@"']


class Processes:
    def __init__(self):
        self.lock, self.running, self.stopped = threading.RLock(), set(), False

    def run(self, command, output, cpu_limit=None):
        """(status, negative for a signal; seconds of processor time). After `cpu_limit` such seconds it is killed."""
        if cpu_limit is not None:
            command = [*LIMITED, str(cpu_limit), *command]
        with open(output, "wb") as opened:
            with self.lock:
                self.go_on()
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=opened, stderr=opened,
                                           start_new_session=True)
                self.running.add(process.pid)
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # its number stays taken
            with self.lock:
                self.running.discard(process.pid)
                os.killpg(process.pid, signal.SIGKILL)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.go_on()
        return process.returncode, used.ru_utime + used.ru_stime

    def go_on(self):
        if self.stopped:
            raise InterruptedError("stopped")

    def stop(self):
        """Ends what runs and lets nothing start again."""
        with self.lock:
            self.stopped = True
            for pid in self.running:
                os.killpg(pid, signal.SIGKILL)
