"""A headless Chromium, driven by its own protocol over a pair of pipes: no package is needed, the page's
own content policy is in force, and nothing listens on a port."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"]
SECONDS = 60  # that an answer may take


def find():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def find_axe():
    """The text of axe-core (npm), or None."""
    roots = [os.environ.get("NODE_PATH", ""), "/usr/local/lib/node_modules", "/usr/lib/node_modules"]
    paths = [pathlib.Path(root) / "axe-core" / "axe.min.js" for roots_ in roots for root in roots_.split(":") if root]
    return next((path.read_text() for path in paths if path.exists()), None)


class Chromium:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="regret-chromium-")
        ours, theirs = os.pipe(), os.pipe()  # each (read, write)
        pipes = (ours[0], theirs[1])

        def connect():  # it reads commands from 3 and writes answers to 4
            reading, writing = (os.dup(fd) for fd in pipes)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, *OPTIONS, "--user-data-dir=" + self.profile], preexec_fn=connect,
            close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.output, self.input = os.fdopen(ours[1], "wb"), os.fdopen(theirs[0], "rb")
        self.number, self.session, self.events = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")

    def read(self):
        text = bytearray()
        while not text.endswith(b"\0"):
            byte = self.input.read(1)
            if not byte:
                raise RuntimeError("Chromium has ended")
            text += byte
            if text[-1] != 0:  # the rest of what is there
                more = self.input.peek()
                end = more.find(b"\0")
                text += self.input.read(len(more) if end < 0 else end + 1)
        return json.loads(text[:-1])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        self.output.flush()
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
        raise RuntimeError(f"{method}: no answer")

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def open(self, path, width, height=900, dark=False, phone=False):
        self.events.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        end = time.monotonic() + SECONDS
        while self.run("document.readyState") != "complete" and time.monotonic() < end:
            time.sleep(0.02)

    def complaints(self):
        """What the console said and what was asked of a network since the page was opened."""
        said = []
        for event in self.events:
            what = event.get("params", {})
            if event.get("method") == "Log.entryAdded":
                said.append(what["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled":
                said.append("console: " + json.dumps(what["args"])[:300])
            elif event.get("method") == "Runtime.exceptionThrown":
                said.append(json.dumps(what["exceptionDetails"])[:300])
            elif event.get("method") == "Network.requestWillBeSent":
                url = what["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    said.append("asks for " + url[:200])
        return said

    def picture(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        made = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        pathlib.Path(path).write_bytes(base64.b64decode(made["data"]))

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
