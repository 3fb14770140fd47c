"""A bar on a terminal, plain lines elsewhere."""
import sys
import threading
import time


class Progress:
    WIDTH = 30

    def __init__(self, total, done, quiet):
        self.total, self.finished, self.already = total, done, done
        self.running, self.started, self.quiet = [], time.monotonic(), quiet
        self.lock = threading.Lock()
        self.terminal = sys.stderr.isatty() and not quiet
        if done and not quiet:
            print(f"{done} of {total} measurements are there already", file=sys.stderr)

    def begin(self, key):
        with self.lock:
            self.running.append(key)
            self._draw()

    def end(self, key, found):
        with self.lock:
            self.running.remove(key)
            self.finished += 1
            short = ", ".join(f"{name} {value:g}" for name, value in list(found["values"].items())[:4])
            line = f"[{self.finished}/{self.total}] {key}: {short}" + "".join(f"\n    ! {text}" for text in found.get("problems", []))
            if self.terminal:
                print("\r\033[K" + line, file=sys.stderr)
            elif not self.quiet:
                print(line, file=sys.stderr, flush=True)
            self._draw()

    def _draw(self):
        if not self.terminal or not self.total:
            return
        fresh = self.finished - self.already
        left = (time.monotonic() - self.started) / fresh * (self.total - self.finished) if fresh else None
        full = self.WIDTH * self.finished // self.total
        when = f", about {left / 60:.0f} min left" if left is not None else ""
        text = f"[{'#' * full}{'.' * (self.WIDTH - full)}] {self.finished}/{self.total}{when}  {'; '.join(self.running)}"
        print("\r\033[K" + text[:150], end="", file=sys.stderr, flush=True)

    def close(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr)
