#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A server with the odd habits that no real one can be configured to have.

odd-server.py DIR: listens on a free port of loopback, which it writes to DIR/port. What
it does depends on the first part of the path:

    PUT /lost/NAME    stores, and closes without an answer; 412 when NAME is there
    PUT /held/NAME    keeps the first *.html waiting for ever, then stores
    PUT /417/NAME     417 when asked by Expect, else stores
    PUT /silent/NAME  never answers
    POST /submit      takes what comes with the bearer token "s3cret", as KCIDB does
    GET /status       answers DIR/status

Each request is a line of DIR/log, which ends with "auth" when it has credentials.
"""
import http.server
import json
import os
import sys
import threading

top = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_expect_100(self):
        if self.path.startswith("/417/"):
            self.send_error(417)
            return False
        return True

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with open(f"{top}/log", "a", encoding="utf-8") as log:
            auth = " auth" if self.headers.get("Authorization") else ""
            log.write(f"{self.command} {self.path} {len(data)}{auth}\n")
        return data

    def do_PUT(self):
        data = self.body()
        _, habit, name = self.path.split("/", 2)
        stored = f"{top}/{name}"
        if habit == "silent" or (habit == "held" and name.endswith(".html")
                                 and not os.path.exists(f"{top}/held")):
            with open(f"{top}/held", "w", encoding="utf-8"):
                pass
            threading.Event().wait()
        if habit == "lost" and os.path.exists(stored):
            self.answer(412)
            return
        with open(stored, "wb") as file:
            file.write(data)
        if habit == "lost":
            self.close_connection = True
            return
        self.answer(201)

    def do_POST(self):
        data = self.body()
        if self.headers.get("Authorization") != "Bearer s3cret":
            self.answer(401, b'{"message": "bad token s3cret"}')
            return
        with open(f"{top}/submitted", "wb") as file:
            file.write(data)
        self.answer(200, json.dumps({"id": "no 7", "status": "success"}).encode())

    def do_GET(self):
        self.body()
        with open(f"{top}/status", "rb") as file:
            self.answer(200, file.read())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open(f"{top}/port.new", "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
os.rename(f"{top}/port.new", f"{top}/port")
server.serve_forever()
