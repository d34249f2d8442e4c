"""server.py NUMBER [wait|settle]: starts Synapse, registers a user, sends so many messages over its API, finds old ones, and stops it.

With settle, it lets Synapse do the updates of its file that it does in the background before it stops."""
import hashlib
import hmac
import json
import os
import pathlib
import secrets
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PYTHON = f"{os.environ['PROGRAM']}/venv/bin/python"
SECRET = "secret-of-the-laboratory"
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
MORE = {
    "database": {"name": "sqlite3", "args": {"database": os.path.abspath("homeserver.db")}},
    "listeners": [{"port": port, "type": "http", "bind_addresses": ["127.0.0.1"], "resources": [{"names": ["client"]}]}],
    "registration_shared_secret": SECRET,
    "trusted_key_servers": [],
    "report_stats": False,
    "background_updates": {"sleep_enabled": False},
    "rc_message": {"per_second": 1000, "burst_count": 1000},
    "rc_login": {"address": {"per_second": 1000, "burst_count": 1000}, "account": {"per_second": 1000, "burst_count": 1000}},
}
if not pathlib.Path("homeserver.yaml").exists():
    subprocess.run(
        [PYTHON, "-m", "synapse.app.homeserver", "--server-name", "lab.test", "--config-path", "homeserver.yaml"]
        + ["--generate-config", "--report-stats=no"],
        check=True,
        stdout=sys.stderr,
    )
pathlib.Path("more.yaml").write_text(json.dumps(MORE))
server = subprocess.Popen(
    [PYTHON, "-m", "synapse.app.homeserver", "-c", "homeserver.yaml", "-c", "more.yaml"], stdout=sys.stderr, stdin=subprocess.DEVNULL
)


def call(method, path, body=None, token=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}"} if token else {},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def register(name):
    nonce = call("GET", "_synapse/admin/v1/register")["nonce"]
    words = b"\0".join(word.encode() for word in (nonce, name, "password", "notadmin"))
    mac = hmac.new(SECRET.encode(), words, hashlib.sha1).hexdigest()
    body = {"nonce": nonce, "username": name, "password": "password", "admin": False, "mac": mac}
    return call("POST", "_synapse/admin/v1/register", body)["access_token"]


def login(name):
    body = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": name}, "password": "password"}
    return call("POST", "_matrix/client/v3/login", body)["access_token"]


def messages(room, token):
    found = call("GET", f"_matrix/client/v3/rooms/{urllib.parse.quote(room)}/messages?dir=b&limit=1000", token=token)["chunk"]
    return [event["content"]["body"] for event in found if event["type"] == "m.room.message"]


try:
    for _ in range(240):
        try:
            call("GET", "_matrix/client/versions")
            break
        except (urllib.error.URLError, ConnectionError):
            if server.poll() is not None:
                raise SystemExit("Synapse ends")
            time.sleep(0.5)
    kept = pathlib.Path("room")
    if kept.exists():
        token, room = login("ada"), kept.read_text()
    else:
        token = register("ada")
        room = call("POST", "_matrix/client/v3/createRoom", {"name": "Gr\u00fcn", "preset": "public_chat"}, token)["room_id"]
        kept.write_text(room)
    before = messages(room, token)
    if sys.argv[2:] == ["wait"]:
        print("ready", flush=True)
        sys.stdin.readline()
    guest = register(f"guest{secrets.token_hex(4)}")
    call("POST", f"_matrix/client/v3/join/{urllib.parse.quote(room)}", {}, guest)
    for number in range(int(sys.argv[1])):
        path = f"_matrix/client/v3/rooms/{urllib.parse.quote(room)}/send/m.room.message/{secrets.token_hex(8)}"
        call("PUT", path, {"msgtype": "m.text", "body": f"word{len(before) + number} in gr\u00fcn"}, guest)
    after = messages(room, token)
    assert len(after) == len(before) + int(sys.argv[1]) and after[-1] == "word0 in gr\u00fcn", after
    body = {"search_categories": {"room_events": {"search_term": "word1"}}}
    found = call("POST", "_matrix/client/v3/search", body, token)["search_categories"]["room_events"]
    assert found["count"] == 1, found
    while sys.argv[2:] == ["settle"]:
        with sqlite3.connect("homeserver.db") as file:
            if file.execute("SELECT count(*) FROM background_updates").fetchone() == (0,):
                break
        time.sleep(1)
finally:
    server.terminate()
    server.wait(60)
