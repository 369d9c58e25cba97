"""Tests `--live`: what browsers get, who gets nothing, and that nobody disturbs the run.

The clients are sockets of our own, polite and hostile ones.

Usage: live_test.py AXODE [unittest options]
"""

import base64
import csv
import hashlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

import cli_test
from cli_test import CliTest, ENVIRONMENT, ROOT

ARM = "models/swinging_arm.json"
FLEXIBLE = "examples/flexible/pendulum.json"
MECHANISM = "examples/mechanisms/example_2_1_four_bar.json"
FOREVER = ("--for", "100000h", "--max-step", "1ms")
NO_DISPLAY = {key: value for key, value in ENVIRONMENT.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Client:
    """A connection to the server."""

    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self.bytes = b""

    def close(self):
        self.socket.close()

    def more(self):
        """Whether there was any more."""
        try:
            part = self.socket.recv(1 << 20)
        except ConnectionError:
            part = b""
        self.bytes += part
        return bool(part)

    def take(self, n):
        while len(self.bytes) < n:
            if not self.more():
                raise EOFError
        part, self.bytes = self.bytes[:n], self.bytes[n:]
        return part

    def head(self):
        """Status and headers of an answer."""
        while b"\r\n\r\n" not in self.bytes:
            if not self.more():
                return None, {}
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        first, *lines = head.decode().split("\r\n")
        return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines)

    def frame(self):
        """Kind and content of the next frame: 1 text, 2 binary, 8 close, 9 ping."""
        first, length = self.take(2)
        assert first & 0x80 and not first & 0x70 and not length & 0x80
        if length == 126:
            length, = struct.unpack(">H", self.take(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.take(8))
        return first & 15, self.take(length)

    def say(self, kind, content=b""):
        mask = b"\x01\x02\x03\x04"
        assert len(content) < 126
        masked = bytes(c ^ mask[k % 4] for k, c in enumerate(content))
        self.socket.sendall(bytes([0x80 | kind, 0x80 | len(content)]) + mask + masked)


class Stream(CliTest):
    def live(self, *arguments, command=("simulate", ARM), environment=NO_DISPLAY):
        """Starts a run; its address is known when this returns."""
        child = subprocess.Popen([cli_test.AXODE, *map(str, command), "--live", *map(str, arguments)], cwd=ROOT,
                                 env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.addCleanup(self.end, child)
        line = child.stderr.readline().decode()
        found = re.fullmatch(r"axode: live at http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", line)
        self.assertTrue(found, line + child.stderr.read().decode() if not found else "")
        child.port, child.token = int(found[1]), found[2]
        return child

    @staticmethod
    def end(child):
        child.kill()
        child.communicate()

    def client(self, child, **more):
        client = Client(child.port, **more)
        self.addCleanup(client.close)
        return client

    def request(self, child, target=None, method="GET", host=None, headers="", raw=None):
        client = self.client(child)
        target = f"/{child.token}/" if target is None else target
        host = f"Host: 127.0.0.1:{child.port}\r\n" if host is None else host
        client.socket.sendall((raw or f"{method} {target} HTTP/1.1\r\n{host}{headers}\r\n").encode("latin-1"))
        return client

    def status(self, *arguments, **more):
        return self.request(*arguments, **more).head()[0]

    def upgrade(self, child, target=None, origin=None, host=None, key="AAECAwQFBgcICQoLDA0ODw==", **more):
        client = self.client(child, **more)
        target = f"/{child.token}/stream" if target is None else target
        origin = f"Origin: http://127.0.0.1:{child.port}\r\n" if origin is None else origin
        host = f"127.0.0.1:{child.port}" if host is None else host
        client.socket.sendall(
            f"GET {target} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{origin}\r\n".encode())
        return client

    def stream(self, child, **more):
        client = self.upgrade(child, **more)
        status, headers = client.head()
        self.assertEqual(status, 101)
        accept = hashlib.sha1(b"AAECAwQFBgcICQoLDA0ODw==258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        self.assertEqual(headers["sec-websocket-accept"], base64.b64encode(accept).decode().lower())
        kind, head = client.frame()
        self.assertEqual(kind, 1)
        client.series = json.loads(head)["series"]
        client.columns = 1 + sum(len(series["names"]) for series in client.series)
        return client

    def rows(self, client):
        """All rows until the end; the texts beside them are in client.told."""
        client.told, rows = [], []
        while True:
            kind, content = client.frame()
            if kind == 8:
                client.say(8, content[:2])
                client.close()
                return rows
            if kind == 1:
                client.told.append(json.loads(content))
            elif kind == 2:
                self.assertEqual(len(content) % (4 * client.columns), 0)
                rows += struct.iter_unpack(f"<{client.columns}f", content)

    def ends(self, child, code=0, timeout=60):
        out, err = child.communicate(timeout=timeout)
        self.assertEqual(child.returncode, code, err)
        return out.decode(), err.decode()


class Samples(Stream):
    def exported(self, run_file):
        table = self.folder / "run.csv"
        self.ok("export", run_file, "-o", table, "--force")
        names, *lines = csv.reader(table.read_text(encoding="utf-8").splitlines())
        return names, [tuple(float32(float(x)) for x in line) for line in lines]

    def check(self, child, out):
        client = self.stream(child)
        rows = self.rows(client)
        names, expected = self.exported(out)
        self.ends(child)
        self.assertEqual(rows, expected)
        told = [f"{s['name']}:{name}" for s in client.series for name in s["names"]]
        self.assertEqual(len(told), len(names) - 1)
        for name, heading in zip(told, names[1:]):
            self.assertIn(name.split(":")[1], heading)
        self.assertEqual([t["ended"] for t in client.told], ["finished"])

    def test_are_those_of_the_run_file(self):
        out = self.folder / "run.mcap"
        child = self.live("--for", "3s", "--out", out, "--quiet")
        self.check(child, out)

    def test_of_flexible_models(self):
        out = self.folder / "run.mcap"
        self.check(self.live("--for", "0.5s", "--out", out, command=("simulate", FLEXIBLE)), out)

    def test_of_mechanisms_have_the_poses(self):
        out, command = self.folder / "run.mcap", ("simulate", MECHANISM, "--no-drivers")
        child = self.live("--for", "0.5s", "--out", out, command=command)
        client = self.stream(child)
        rows = self.rows(client)
        self.ends(child)
        names, expected = self.exported(out)
        told = [name for s in client.series for name in s["names"]]
        self.assertEqual([s["name"] for s in client.series][-1], "poses")
        self.assertIn("crank.qw", told)
        poses = [k for k, name in enumerate(names) if re.search(r"\.(q[wxyz]|[xyz])\b", name)]
        width = len(client.series[-1]["names"])
        self.assertEqual(len(poses), width)
        self.assertEqual([row[-width:] for row in rows], [tuple(row[k] for k in poses) for row in expected])
        self.assertEqual(len(rows), 51)

    def test_come_while_it_runs(self):
        child = self.live(*FOREVER)
        clients = [self.stream(child) for _ in range(2)]
        for client in clients:
            kind, first = client.frame()
            self.assertEqual(kind, 2)
            client.first = list(struct.iter_unpack(f"<{client.columns}f", first))
            self.assertEqual(client.first[0][0], 0)  # from the start, whenever one comes
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGINT)
        for client in clients:
            times = [row[0] for row in client.first + self.rows(client)]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual(client.told[-1]["ended"], "stopped")
            self.assertAlmostEqual(client.told[-1]["t"], times[-1], delta=0.02)
        self.ends(child, 130)

    def test_late_page_gets_all(self):
        child = self.live("--for", "1s", "--quiet")
        time.sleep(0.5)
        self.assertEqual(len(self.rows(self.stream(child))), 101)
        self.ends(child)

    def check_thinned(self, client, end, samples):
        """How many samples were left out is told; the first and the last are there."""
        rows = self.rows(client)
        times = [row[0] for row in rows]
        self.assertTrue(all(a < b for a, b in zip(times, times[1:])))
        self.assertEqual((times[0], times[-1]), (0, end))
        thinned = [0] + [t["thinned"] for t in client.told if "thinned" in t]
        self.assertEqual(thinned, sorted(thinned))
        self.assertEqual(len(rows) + thinned[-1], samples)
        self.assertEqual(client.told[-1]["ended"], "finished")
        return thinned[-1]

    def test_slow_page_has_the_newest(self):
        child = self.live("--for", "3s", "--sample", "0.1ms", "--quiet")
        client = self.stream(child, receive_buffer=4096)
        child.stdout.readline()  # the report: it is over
        self.check_thinned(client, 3, 30_001)
        self.ends(child)

    def test_long_runs_are_thinned(self):
        child = self.live("--for", "21s", "--sample", "0.1ms", "--quiet")
        child.stdout.readline()
        self.assertEqual(self.check_thinned(self.stream(child), 21, 210_001), 105_000)
        self.ends(child)

    def test_failures_are_told(self):
        model = self.file("falling.json", {"axode": 1, "name": "falling", "bodies": [
            {"name": "b", "inertia": {"mass": 1, "about_com": [1, 1, 1]},
             "joint": {"name": "j", "type": "prismatic", "axis": [0, 0, 1]}}]})
        command = ("simulate", model, "--method", "semi-implicit", "--step", "1s", "--for", "1000s",
                   "--controller", "pd:kp=1e9,kd=1e9")
        child = self.live(command=command)
        client = self.stream(child)
        rows = self.rows(client)
        self.assertGreater(len(rows), 0)
        self.assertNotEqual(client.told[-1]["ended"], "finished")
        self.assertTrue(client.told[-1]["message"])
        self.ends(child, 4)


class Run(Stream):
    COMMAND = ("--for", "20s", "--max-step", "1ms", "--sample", "1ms", "--checkpoint", "5s", "--quiet")

    def written(self, *live):
        """The bytes of the run file."""
        out = self.folder / "run.mcap"
        self.ok("simulate", ARM, *self.COMMAND, "--out", out, "--force", *live)
        return out.read_bytes()

    def test_file_is_the_same(self):
        plain = self.written()
        for live in (("--live", "--live-wait", "0"), ("--live", "--live-wait=0s", "--no-browser")):
            self.assertEqual(self.written(*live), plain)

    def test_hostile_clients_change_nothing(self):
        plain = self.written()
        out = self.folder / "run.mcap"
        child = self.live(*self.COMMAND, "--out", out, "--force")
        silent = [self.stream(child, receive_buffer=2048) for _ in range(3)]  # never read on
        noisy = self.stream(child)
        loris = [self.client(child) for _ in range(6)]
        turns = 0
        while not select.select([child.stdout], [], [], 0)[0]:  # until the report comes
            turns += 1
            for client, bytes_ in [(noisy, b"\x89\x80abcd"), (self.client(child), os.urandom(3000)),
                                   *((client, b"GET /") for client in loris)]:
                try:
                    client.socket.sendall(bytes_)
                except OSError:
                    pass  # it was thrown out
            time.sleep(0.002)
        for client in [*silent, noisy]:
            client.close()
        self.ends(child)
        self.assertGreater(turns, 3)
        self.assertEqual(out.read_bytes(), plain)

    def test_without_a_browser_one_line_more(self):
        plain = cli_test.run("simulate", ARM, "--for", "1s", "--quiet")
        child = self.live("--for", "1s", "--quiet", "--live-wait", "0.2s")
        out, err = self.ends(child)
        self.assertEqual((plain.stderr, err), ("", ""))
        without = lambda text: re.sub(r"CPU time.*", "", text)
        self.assertEqual(without(out), without(plain.stdout))

    def test_waits_for_a_browser_after_the_end(self):
        child = self.live("--for", "0.1s", "--live-wait", "100s")
        self.assertIn(b"finished", child.stdout.readline())
        time.sleep(0.3)
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGINT)  # the run is complete: all is well
        self.ends(child, 0, 10)

    def test_file_is_finished_before_the_wait(self):
        out = self.folder / "run.mcap"
        child = self.live("--for", "0.1s", "--live-wait", "100s", "--out", out)
        child.stdout.readline()
        self.assertIs(self.json("info", out)["complete"], True)

    def test_ends_when_pages_have_all(self):
        child = self.live("--for", "0.1s", "--live-wait", "100s")
        self.rows(self.stream(child))
        self.ends(child, 0, 10)

    def test_page_that_leaves_is_not_waited_for(self):
        child = self.live("--for", "0.1s", "--live-wait", "100s")
        self.stream(child).close()
        self.ends(child, 0, 10)

    def test_interrupted_it_is_as_always(self):
        out = self.folder / "run.mcap"
        child = self.live(*FOREVER, "--checkpoint", "100ms", "--out", out, "--quiet")
        while not out.exists() or out.stat().st_size < 30_000:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        _, err = self.ends(child, 130, 10)
        self.assertRegex(err, "^axode: warning: interrupted at .* --resume goes on\n$")
        self.assertIs(self.json("info", out)["complete"], True)
        self.assertNotIn("--live", self.json("info", out)["command_line"])

    def test_options_that_make_no_sense(self):
        self.fails(2, "are about --live", "simulate", ARM, "--no-browser")
        self.fails(2, "are about --live", "simulate", ARM, "--live-wait", "3s")
        self.fails(2, "--live-wait", "simulate", ARM, "--live", "--live-wait", "soon")
        self.fails(2, "one run", "simulate", FLEXIBLE, "--equations", "both", "--live")
        self.fails(2, "--live", "flexible", "modes", FLEXIBLE, "--live")

    def test_browser_is_opened_and_the_secret_kept(self):
        browser = self.file("browser", f'#!/bin/sh\necho "$@" >{self.folder}/arguments\n'
                            f'cp "$1" {self.folder}/.way\nmv {self.folder}/.way {self.folder}/way\n')
        browser.chmod(0o755)
        environment = {**ENVIRONMENT, "TMPDIR": str(self.folder), "DISPLAY": ":9", "BROWSER": str(browser)}
        child = self.live(*FOREVER, environment=environment)
        way = self.folder / "way"
        for _ in range(200):
            if way.exists():
                break
            time.sleep(0.05)
        self.assertIn(f'url=http://127.0.0.1:{child.port}/{child.token}/"', way.read_text())
        page = (self.folder / "arguments").read_text().strip()
        self.assertNotIn(child.token, page)  # which others can see
        self.assertEqual(Path(page).parent.stat().st_mode & 0o777, 0o700)
        child.send_signal(signal.SIGINT)
        self.ends(child, 130)
        self.assertFalse(Path(page).parent.exists())
        way.unlink()
        child = self.live("--for", "0.1s", "--no-browser", "--live-wait", "0", environment=environment)
        self.ends(child)
        self.assertFalse(way.exists())
        for missing in ({"BROWSER": str(self.folder / "none")}, {"TMPDIR": "/proc"}):
            child = self.live("--for", "0.1s", "--live-wait", "0", environment={**environment, **missing})
            self.assertRegex(self.ends(child)[1], "axode: warning: no browser could be started")


class Access(Stream):
    def setUp(self):
        super().setUp()
        self.child = self.live(*FOREVER, "--quiet")
        self.page = f"/{self.child.token}/"

    def test_page(self):
        client = self.request(self.child)
        status, headers = client.head()
        self.assertEqual(status, 200)
        body = client.take(int(headers["content-length"])).decode()
        self.assertFalse(client.more())
        scene = json.loads(re.search(r'id="axode-data">([^<]*)</script>', body)[1])["scenes"][0]
        self.assertEqual((scene["live"], scene["kind"]), ("stream", "tree"))
        self.assertNotIn("clip", scene)
        self.assertEqual(headers["content-type"], "text/html; charset=utf-8")
        self.assertEqual(headers["x-content-type-options"], "nosniff")
        self.assertEqual(headers["referrer-policy"], "no-referrer")
        self.assertEqual(headers["cache-control"], "no-store")
        self.assertEqual(headers["cross-origin-resource-policy"], "same-origin")
        self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
        self.assertNotIn("access-control-allow-origin", headers)
        self.assertNotIn("server", headers)
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        self.assertEqual(policy["default-src"], "'none'")
        self.assertEqual(policy["frame-ancestors"], "'none'")
        self.assertRegex(policy["script-src"], r"^'sha256-\S+'$")
        port = self.child.port
        self.assertEqual(policy["connect-src"], f"ws://127.0.0.1:{port}{self.page}stream "
                         f"ws://localhost:{port}{self.page}stream")
        within = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', body)[1]
        self.assertEqual(headers["content-security-policy"], within.lower() + "; frame-ancestors 'none'")

    def test_tokens_differ(self):
        other = self.live(*FOREVER, "--quiet")
        self.assertNotEqual(other.token, self.child.token)
        self.assertEqual(self.status(other, self.page), 404)

    def test_other_paths_are_unknown(self):
        token = self.child.token
        wrong = ("0" if token[0] != "0" else "1") + token[1:]
        for path in ("/", "/favicon.ico", f"/{token}", f"/{token[:-1]}/", f"/{token}0/", f"/{wrong}/",
                     f"/{wrong}/stream", f"/{token}/../", f"/{token}/../../etc/passwd", f"/{token}/%2e%2e/",
                     f"/{token}//", f"/{token}/stream", f"/{token}/stream/", f"/{token}/index.html",
                     f"/{token}/?x", f"/{token.upper()}/" if token.upper() != token else "/x", "*", "/" + 3000 * "a",
                     f"http://127.0.0.1:{self.child.port}/{token}/", f"//127.0.0.1/{token}/"):
            client = self.request(self.child, path)
            status, headers = client.head()
            self.assertEqual(status, 404, path)
            self.assertEqual(headers["content-length"], "0")
            self.assertEqual(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'")

    def test_only_get(self):
        for method in ("POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "FOO"):
            self.assertEqual(self.status(self.child, method=method), 405, method)

    def test_only_this_host(self):
        port = self.child.port
        for host in ("", "Host: \r\n", "Host: evil.example\r\n", f"Host: evil.example:{port}\r\n",
                     "Host: 127.0.0.1\r\n", f"Host: 127.0.0.1:{port + 1}\r\n", "Host: localhost\r\n",
                     f"Host: 127.0.0.1:{port}.evil.example\r\n", f"Host: x@127.0.0.1:{port}\r\n",
                     f"Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n", f"Host: [::1]:{port}\r\n",
                     f"Host: 0.0.0.0:{port}\r\n"):
            self.assertEqual(self.status(self.child, host=host), 403, host)
        self.assertEqual(self.status(self.child, host=f"Host: localhost:{port}\r\n"), 200)

    def test_streams_only_for_own_pages(self):
        port = self.child.port
        for origin in ("", "Origin: null\r\n", "Origin: http://evil.example\r\n", f"Origin: https://127.0.0.1:{port}\r\n",
                       f"Origin: http://127.0.0.1:{port + 1}\r\n", f"Origin: http://localhost:{port}\r\n",
                       f"Origin: http://127.0.0.1:{port}.evil.example\r\n", "Origin: file://\r\n",
                       f"Origin: http://127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"):
            self.assertEqual(self.upgrade(self.child, origin=origin).head()[0], 403, origin)
        self.assertEqual(self.upgrade(self.child, host="evil.example").head()[0], 403)
        self.assertEqual(self.upgrade(self.child, target="/stream").head()[0], 404)
        self.assertEqual(self.upgrade(self.child, target=self.page).head()[0], 404)
        client = self.upgrade(self.child, host=f"localhost:{port}", origin=f"Origin: http://localhost:{port}\r\n")
        self.assertEqual(client.head()[0], 101)

    def test_nonsense_gets_no_answer(self):
        page = f"GET {self.page} HTTP/1.1\r\nHost: 127.0.0.1:{self.child.port}\r\n"
        for raw in ("\x00\x01\x02\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
                    page + "X: " + 9000 * "x" + "\r\n\r\n", page + 400 * f"A: {30 * 'x'}\r\n" + "\r\n",
                    page.replace("HTTP/1.1", "HTTP/9.9") + "\r\n", page + "Content-Length: -1\r\n\r\n",
                    page + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"):
            self.assertIn(self.status(self.child, raw=raw), (None, 400), raw[:60])
        self.assertEqual(self.status(self.child), 200)

    def test_whoever_is_slow_is_cut_off(self):
        begun = time.monotonic()
        clients = [self.client(self.child) for _ in range(3)]
        clients[0].socket.sendall(b"GET")
        clients[1].socket.sendall(f"GET {self.page} HTTP/1.1\r\n".encode())
        while time.monotonic() < begun + 4:
            clients[1].socket.sendall(b"X: y\r\n")  # a little at a time
            time.sleep(0.5)
        for client in clients:
            while client.more():
                pass
        self.assertLess(time.monotonic(), begun + 15)
        self.assertEqual(self.status(self.child), 200)

    def test_streams_are_few(self):
        streams = [self.stream(self.child) for _ in range(4)]
        self.assertEqual(self.upgrade(self.child).head()[0], 503)
        streams[0].close()
        for _ in range(100):
            client = self.upgrade(self.child)
            status = client.head()[0]
            if status == 101:
                return
            time.sleep(0.05)
        self.fail("no stream after one was closed")

    def test_connections_are_few(self):
        idle = [self.client(self.child) for _ in range(16)]
        time.sleep(0.2)
        self.assertIsNone(self.status(self.child))
        for client in idle:
            client.close()
        for _ in range(100):
            if self.status(self.child) == 200:
                return
            time.sleep(0.05)
        self.fail("no answer after the others had gone")

    def test_clients_have_nothing_to_say(self):
        for kind, content in ((1, b"hello"), (2, b"\x00"), (1, b""), (2, 125 * b"x"), (3, b""), (0, b"x")):
            client = self.stream(self.child)
            client.say(kind, content)
            while client.more():
                pass
            client.close()
        client = self.stream(self.child)
        client.socket.sendall(b"\x82\xff" + struct.pack(">Q", 1 << 40) + b"abcd")  # a frame of a terabyte
        while client.more():
            pass
        client = self.stream(self.child)
        client.say(9, b"still there?")
        while client.frame() != (10, b"still there?"):
            pass
        client.say(8, struct.pack(">H", 1000))
        while client.more():
            pass
        self.assertIsNone(self.child.poll())

    def test_only_this_machine(self):
        """By the tables of the system: nothing but the loopback address is listened on."""
        found = []
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            if not os.path.exists(table):
                continue
            for line in Path(table).read_text().splitlines()[1:]:
                _, local, _, state = line.split()[:4]
                address, port = local.split(":")
                if state == "0A" and int(port, 16) == self.child.port:
                    found.append(address)
        self.assertEqual(found, ["0100007F"])


if __name__ == "__main__":
    cli_test.AXODE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
