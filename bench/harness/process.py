"""Processes with budgets in processor seconds, since the machine may be busy with other work.

The time of a process includes its whole tree: the living descendants, and the ended ones that were waited for."""
import os
import pathlib
import signal
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
POLL = 0.05 # seconds between two polls of a process; not more often than this share of its budget
SHARE = 0.002
GRACE = 120 # seconds of the clock to end cleanly after an interrupt: the machine may be busy, and there are checkpoints to write
STALLED = 20 # times the budget, as wall time: beyond it the process is stuck; below it the machine may be busy

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"} # of every measured process


def _stat(pid):
    """(parent, processor seconds with waited-for children, whether it runs or could) of a living process."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(fields[1]), sum(map(int, fields[11:15])) / TICKS, fields[0] in "RD"


def tree(root):
    """{process: (processor seconds, whether it runs or could)} of the living processes of the tree."""
    everything = {int(name): found for name in os.listdir("/proc") if name.isdigit() and (found := _stat(name))}
    members, grown = {root}, True
    while grown:
        more = {pid for pid, (parent, *_) in everything.items() if parent in members} - members
        members |= more
        grown = bool(more)
    return {pid: everything[pid][1:] for pid in members if pid in everything}


class Ended:
    """How a process ended: status, output, processor and wall seconds, whether it had to be stopped by force."""

    def __init__(self, status, output, errors, cpu, wall, killed):
        self.status, self.output, self.errors = status, output, errors
        self.cpu, self.wall, self.killed = cpu, wall, killed


def run(command, *, budget=None, rest=0, cwd=None, env=None, stdin=b"", folder):
    """Runs a command; after `budget` processor seconds it is interrupted (SIGINT), and killed if it does not end. The
    same happens if it has slept for as long (as when fuzzing `sleep`). With `rest` it may use that many seconds more to
    finish its work, and is then interrupted again. Output goes to files in `folder`, since a pipe that is not read
    would block the command."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    given, out, err = folder / "stdin", folder / "stdout", folder / "stderr"
    given.write_bytes(stdin)
    begin, used, slept, killed, interrupted = time.monotonic(), 0.0, 0.0, False, None
    limits = [] if budget is None else [budget, budget + rest] if rest else [budget] # processor seconds of the interrupts
    with given.open("rb") as source, out.open("wb") as output, err.open("wb") as errors:
        process = subprocess.Popen([os.fsencode(word) if isinstance(word, (str, os.PathLike)) else word for word in command],
                                   stdin=source, stdout=output, stderr=errors, cwd=cwd, env=env, start_new_session=True)
        try:
            while (waited := _ended(process)) is None:
                pause = max(POLL, SHARE * (budget or 0))
                time.sleep(pause)
                if budget is None:
                    continue
                members = tree(process.pid)
                used = max(used, sum(cpu for cpu, _ in members.values()))
                slept += 0 if any(awake for _, awake in members.values()) else pause
                wall = time.monotonic() - begin
                if limits and (max(used, slept) >= limits[0] or wall > max(STALLED * limits[0], GRACE)):
                    interrupted = wall
                    limits.pop(0)
                    os.killpg(process.pid, signal.SIGINT) # the whole group: a wrapper passes nothing on
                elif not limits and wall > interrupted + GRACE:
                    killed = True
                    _kill(process.pid)
        except BaseException: # such as Ctrl-C: leave no process running
            _kill(process.pid)
            os.waitpid(process.pid, 0)
            process.returncode = -signal.SIGKILL
            raise
    return Ended(process.returncode, out.read_bytes(), err.read_bytes().decode(errors="replace"), max(used, waited),
                 time.monotonic() - begin, killed)


def _ended(process):
    """Processor seconds of an ended process, including children that it waited for; None if it has not ended."""
    pid, status, usage = os.wait4(process.pid, os.WNOHANG)
    if not pid:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _kill(root):
    for pid in tree(root):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
