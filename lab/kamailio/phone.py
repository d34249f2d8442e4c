"""phone.py USER...: starts Kamailio, registers each user with a password, sends a message that is kept, and stops it."""
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import time

ROOT = f"{os.environ['PROGRAM']}/root"
sip = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sip.bind(("127.0.0.1", 0))
sip.settimeout(1)
mine = sip.getsockname()[1]
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
number = 0


def ask(method, user, *headers, body=""):
    """The first line of the answer, and all of it."""
    global number
    number += 1
    target = "sip:lab.test" if method == "REGISTER" else f"sip:{user}@lab.test"
    lines = [
        f"{method} {target} SIP/2.0",
        f"Via: SIP/2.0/UDP 127.0.0.1:{mine};branch=z9hG4bK{number}x{time.time_ns()}",
        f"From: <sip:{user}@lab.test>;tag=lab{number}",
        f"To: <sip:{user}@lab.test>" + (";tag=lab" if method == "MESSAGE" else ""),
        f"Call-ID: lab{number}.{time.time_ns()}@127.0.0.1",
        f"CSeq: {number} {method}",
        "Max-Forwards: 10",
        f"Contact: <sip:{user}@127.0.0.1:{mine}>",
        *headers,
        f"Content-Length: {len(body.encode())}",
        "",
        body,
    ]
    for _ in range(30):
        sip.sendto("\r\n".join(lines).encode(), ("127.0.0.1", port))
        try:
            answer = sip.recv(65536).decode()
            return answer.split("\r\n")[0], answer
        except (TimeoutError, ConnectionError):
            if kamailio.poll() is not None:
                raise SystemExit("Kamailio ends")
    raise SystemExit("Kamailio does not answer")


def md5(*words):
    return hashlib.md5(":".join(words).encode()).hexdigest()


kamailio = subprocess.Popen(
    [f"{ROOT}/usr/sbin/kamailio", "-DD", "-E", "-f", f"{os.environ['HERE']}/kamailio.cfg", "-l", f"udp:127.0.0.1:{port}"]
    + ["-L", f"{ROOT}/usr/lib/x86_64-linux-gnu/kamailio/modules", "-Y", os.getcwd(), "-m", "32", "-M", "8"]
    + ["-A", f'LAB_URL="sqlite:///{os.environ["DB_PATH"]}"'],
    stdout=sys.stderr,
    stdin=subprocess.DEVNULL,
)
try:
    time.sleep(1)
    for user in sys.argv[1:]:
        line, answer = ask("REGISTER", user)
        assert line.startswith("SIP/2.0 401"), line
        nonce = re.search('nonce="([^"]*)"', answer)[1]
        response = md5(md5(user, "lab.test", f"secret-of-{user}"), nonce, md5("REGISTER", "sip:lab.test"))
        header = f'Authorization: Digest username="{user}", realm="lab.test", nonce="{nonce}", uri="sip:lab.test", response="{response}"'
        line, answer = ask("REGISTER", user, header, "Expires: 100000")
        assert line.startswith("SIP/2.0 200") and f"{user}@127.0.0.1:{mine}" in answer, answer
        line, _ = ask("MESSAGE", f"alias-of-{user}", "Content-Type: text/plain", body=f"Gr\u00fcn for {user}")
        assert line == "SIP/2.0 202 Stored many words", line
        line, _ = ask("OPTIONS", user)
        assert line == "SIP/2.0 200 Sent to sip:192.0.2.1", line
finally:
    kamailio.send_signal(signal.SIGTERM)
    kamailio.wait(60)
