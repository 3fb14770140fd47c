"""A page in Debian's chromium, driven over its debugging pipe: evaluate, press keys, choose the colour scheme."""
import json
import os
import subprocess
import tempfile


class Page:
    def __init__(self, url, profile):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def wire():
            os.dup2(to_read, 13), os.dup2(from_write, 14)
            os.dup2(13, 3), os.dup2(14, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--remote-debugging-pipe", f"--user-data-dir={profile}"],
            close_fds=False, preexec_fn=wire, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(from_write)
        self.to, self.source, self.rest, self.number, self.session = to_write, from_read, b"", 0, None
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.errors = []
        self.call("Page.navigate", url=url)
        self.until("document.documentElement?.dataset.ready === '1'")

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.source, 1 << 16)
            assert data, "the browser is gone"
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"])
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"])

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression):
        for _ in range(600):
            if self.value(expression):
                return
            self.value("new Promise(done => setTimeout(done, 100))")
        raise AssertionError(expression)

    def press(self, key, code=None, text=None):
        code = code or key
        numbers = {"Tab": 9, "Enter": 13, " ": 32}
        down = {"key": key, "code": code, "windowsVirtualKeyCode": numbers.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **down, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **down)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (AssertionError, OSError):
            pass
        self.process.wait()


def open_page(path):
    profile = tempfile.TemporaryDirectory(prefix="tamar-browser-")
    page = Page("file://" + os.path.abspath(path), profile.name)
    page.profile = profile
    return page
