"""browser.py make|use|wait: starts Firefox without a window, and works with its history, bookmarks, icons and cookies over Marionette."""
import json
import os
import socket
import subprocess
import sys
import time

PROGRAM = os.environ["PROGRAM"]
TASKS = r"""
const done = arguments[arguments.length - 1];
const [first, last] = arguments;
const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
const places = PlacesUtils, icon = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
(async () => {
  const root = places.bookmarks.unfiledGuid;
  const count = async () => (await places.bookmarks.search("Gr\u00fcn")).length;
  const before = await count();
  for (let n = first; n < last; n++) {
    const url = `https://host${n}.lab.test/page?n=${n}`;
    await places.history.insert({ url, title: `Page ${n}`, visits: [{ date: new Date(Date.now() - n * 1000) }] });
    const folder = await places.bookmarks.insert({ parentGuid: root, type: places.bookmarks.TYPE_FOLDER, title: `Folder ${n}` });
    await places.bookmarks.insert({ parentGuid: folder.guid, url, title: `Gr\u00fcn ${n}` });
    places.tagging.tagURI(Services.io.newURI(url), ["lab"]);
    await places.favicons.setFaviconForPage(Services.io.newURI(url), Services.io.newURI(`https://host${n}.lab.test/icon.png`), Services.io.newURI(icon));
    Services.cookies.add(`host${n}.lab.test`, "/", "name", `value ${n}`, false, false, false, Date.now() + 86400000 * 30, {}, 1, 1);
  }
  const page = await places.history.fetch(`https://host${first}.lab.test/page?n=${first}`, { includeVisits: true });
  const cookie = Services.cookies.getCookiesFromHost("host3.lab.test", {}).filter(c => c.host === "host3.lab.test").map(c => c.value);
  const removed = await places.bookmarks.fetch({ url: `https://host${last - 1}.lab.test/page?n=${last - 1}` });
  const icons = (await places.favicons.getFaviconForPage(Services.io.newURI("https://host3.lab.test/page?n=3")))?.uri.spec;
  if (first > 0) await places.bookmarks.remove(removed.guid);
  const old = await places.history.fetch("https://host3.lab.test/page?n=3", { includeVisits: true });
  return { before, after: await count(), title: page.title, visits: page.visits.length, cookie, icons, old: old.title };
})().then(done, error => done({ error: String(error) }));
"""


class Firefox:
    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        os.makedirs("profile", exist_ok=True)
        with open("profile/user.js", "w") as settings:
            # A proxy where nobody listens: no request leaves this machine.
            for name, value in {
                "marionette.port": self.port,
                "network.proxy.type": 1,
                "network.proxy.http": "127.0.0.1",
                "network.proxy.http_port": 9,
                "network.proxy.ssl": "127.0.0.1",
                "network.proxy.ssl_port": 9,
                "datareporting.policy.dataSubmissionEnabled": False,
                "app.normandy.enabled": False,
                "browser.shell.checkDefaultBrowser": False,
            }.items():
                settings.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        program = f"{PROGRAM}/root/usr/lib/firefox-esr/firefox-esr"
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", os.path.abspath("profile")],
            env=dict(os.environ, LD_LIBRARY_PATH=os.environ["LIBRARIES"], MOZ_CRASHREPORTER_DISABLE="1"),
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
        )
        self.number = 0
        for _ in range(240):
            try:
                self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=120)
                break
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("Firefox ends")
                time.sleep(0.5)
        self.read()
        self.call("WebDriver:NewSession", {})
        self.call("Marionette:SetContext", {"value": "chrome"})

    def read(self):
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        body = b""
        while len(body) < int(length[:-1]):
            body += self.socket.recv(65536)
        return json.loads(body)

    def call(self, name, values):
        self.number += 1
        body = json.dumps([0, self.number, name, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(body), body))
        _, _, error, value = self.read()
        if error:
            raise SystemExit(f"{name}: {error['message']}")
        return value

    def work(self, first, last):
        answer = self.call("WebDriver:ExecuteAsyncScript", {"script": TASKS, "args": [first, last], "scriptTimeout": 120000})["value"]
        print(answer, file=sys.stderr)
        expected = {"title": f"Page {first}", "visits": 1, "cookie": ["value 3"], "old": "Page 3", "icons": "https://host3.lab.test/icon.png"}
        wrong = {name: answer.get(name) for name, value in expected.items() if answer.get(name) != value}
        if wrong or answer["after"] != answer["before"] + (last - first) - (first > 0):
            raise SystemExit(f"otherwise: {answer}")
        return answer["before"]

    def end(self):
        self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
        self.process.wait(60)


def numbers():
    """New ones for each use; a file beside the profile knows the last."""
    last = int(open("last").read()) if os.path.exists("last") else 0
    with open("last", "w") as file:
        file.write(str(last + 4))
    return last, last + 4


firefox = Firefox()
try:
    if sys.argv[1] == "make":
        firefox.work(0, 60)
        open("last", "w").write("60")
    else:
        if sys.argv[1] == "wait":
            print("ready", flush=True)
            sys.stdin.readline()
        if firefox.work(*numbers()) < 60:
            raise SystemExit("bookmarks are gone")
    firefox.end()
finally:
    firefox.process.kill()
