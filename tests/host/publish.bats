#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid publish to real servers on loopback: nginx, apache2, InfluxDB, an SMTP sink,
# and one with the habits that real ones can't be told to have. All are children of the
# test, below its folder, and end with it.

bats_require_minimum_version 1.5.0

load host

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export TMPDIR=$PWD/scratch PATH=$PATH:/usr/sbin:/sbin LC_ALL=C
	mkdir scratch
	null_grid 1.5 2
	"$schedgrid" run null.yaml -o run 2> /dev/null
	printf 'schema: schedgrid-targets-1\ntargets:\n' > targets.yaml
	chmod 600 targets.yaml
}

free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# Waits until somebody listens on port $1; 10 s at most.
wait_port() {
	local _
	for _ in $(seq 200); do
		(: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null && return 0
		sleep 0.05
	done
	return 1
}

target() {
	echo "  - {$1}" >> targets.yaml
}

publish() {
	"$schedgrid" publish --targets targets.yaml --spool spool "$@"
}

waiting() {
	find spool -mindepth 1 -maxdepth 1 ! -name '.*' 2> /dev/null | wc -l
}

# Own authority, and a certificate by it for localhost and 127.0.0.1.
make_certificates() {
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=ours -keyout ca.key -out ca.pem \
		-days 2 2> /dev/null
	openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out csr.pem 2> /dev/null
	printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > ext
	openssl x509 -req -in csr.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
		-extfile ext -out cert.pem 2> /dev/null
}

# nginx on $port, and with TLS on $tls.
start_nginx() {
	port=$(free_port)
	tls=$(free_port)
	mkdir -p dav
	make_certificates
	printf 'me:%s\n' "$(openssl passwd -apr1 s3cret)" > users
	cat > nginx.conf <<-CONF
	daemon off;
	master_process off;
	pid $PWD/nginx.pid;
	error_log $PWD/error.log;
	events {}
	http {
		access_log $PWD/access.log;
		client_body_temp_path $PWD/t1;
		proxy_temp_path $PWD/t2;
		fastcgi_temp_path $PWD/t3;
		uwsgi_temp_path $PWD/t4;
		scgi_temp_path $PWD/t5;
		limit_req_zone \$binary_remote_addr zone=slow:1m rate=1r/m;
		server {
			listen 127.0.0.1:$port;
			listen 127.0.0.1:$tls ssl;
			ssl_certificate $PWD/cert.pem;
			ssl_certificate_key $PWD/key.pem;
			root $PWD/dav;
			client_max_body_size 50m;
			create_full_put_path on;
			location / { dav_methods PUT; }
			location /private/ {
				auth_basic ours;
				auth_basic_user_file $PWD/users;
				dav_methods PUT;
			}
			location /small/ { client_max_body_size 100; dav_methods PUT; }
			location /slow/ { limit_req zone=slow; limit_req_status 429; dav_methods PUT; }
			location /busy/ { add_header Retry-After 1800 always; return 503; }
			location /ill/ { return 500; }
			location /lost/ { return 404; }
			location ~ ^/away/(.*) { return 307 $odd/417/\$1; }
			location ~ ^/307/(.*) { return 307 /new/\$1; }
		}
	}
	CONF
	nginx -e error.log -c "$PWD/nginx.conf" 3>&- > nginx.out 2>&1 &
	wait_port "$port"
}

start_odd() {
	mkdir odd
	"$BATS_TEST_DIRNAME/odd-server.py" odd 3>&- 2> odd.err &
	local _
	for _ in $(seq 200); do
		[ -e odd/port ] && break
		sleep 0.05
	done
	odd=http://127.0.0.1:$(cat odd/port)
}

@test "nginx gets bundle, report and manifest, once, and the bundle is the run" {
	start_nginx
	target "name: a, type: put, url: 'http://127.0.0.1:$port/runs/'"
	run -0 publish run --to a
	says "published to 'a'"
	[ "$(find dav/runs -type f | wc -l)" -eq 3 ]
	run -0 publish run --to a
	[ "$(find dav/runs -type f | wc -l)" -eq 3 ]
	[ "$(waiting)" -eq 0 ]
	[ "$(stat -c %a spool)" = 700 ]
	# The last to arrive has the digests of the others.
	tail -n 1 access.log | grep -q manifest
	mkdir got
	tar -xzf dav/runs/*.tar.gz -C got
	diff -r run got/run
	local file
	for file in dav/runs/*.tar.gz dav/runs/*.html; do
		grep -q "$(sha256sum < "$file" | cut -c -64)" dav/runs/*.manifest.json
	done
	run -0 ls scratch
	[ -z "$output" ]
}

@test "nginx refuses: 401, 404, 413, 429, 500, 503 with Retry-After, 307" {
	start_nginx
	local base=http://127.0.0.1:$port
	target "name: anon, type: put, url: $base/private"
	target "name: wrong, type: put, url: $base/private, user: me, password: wr0ng"
	target "name: known, type: put, url: $base/private, user: me, password: s3cret"
	target "name: small, type: put, url: $base/small"
	target "name: slow, type: put, url: $base/slow"
	target "name: busy, type: put, url: $base/busy"
	target "name: ill, type: put, url: $base/ill"
	target "name: lost, type: put, url: $base/lost"
	target "name: moved, type: put, url: $base/307"
	target "name: follows, type: put, url: $base/307, redirects: true"
	run -75 publish run --to anon
	says "'anon' answers 401"
	run -75 publish run --to wrong
	says "'wrong' answers 401"
	[[ "$output" != *wr0ng* ]]
	run ! grep -r wr0ng spool
	run -0 publish run --to known
	run -4 publish run --to small
	says "413"
	says "larger than the server takes"
	run -75 publish run --to slow
	says "429"
	run -75 publish run --to busy
	says "503"
	says "30min00s"
	run -75 publish run --to ill
	says "500"
	run -4 publish run --to lost
	says "404"
	run -4 publish run --to moved
	says "redirect"
	[ ! -e dav/new ]
	run -0 publish run --to follows
	[ "$(find dav/new -type f | wc -l)" -eq 3 ]
	# None holds up another; nothing is due, so nothing is sent.
	local before
	before=$(wc -l < access.log)
	run -0 publish --retry
	[ "$(wc -l < access.log)" -eq "$before" ]
	run -0 --separate-stderr publish --list
	[ "${#lines[@]}" -eq 8 ]
	[ "$(grep -c ': failed: ' <<< "$output")" -eq 0 ]
	[ "$(grep -c 'failed: ' <<< "$output")" -eq 3 ]
}

@test "TLS: only by a known authority and for the right name" {
	start_nginx
	target "name: unknown, type: put, url: 'https://localhost:$tls/runs'"
	target "name: own, type: put, url: 'https://localhost:$tls/runs', ca: $PWD/ca.pem"
	target "name: other, type: put, url: 'https://127.0.0.2:$tls/runs', ca: $PWD/ca.pem"
	run -75 publish run --to unknown
	says "can't prove who it is"
	[ ! -e dav/runs ]
	run -0 publish run --to own
	sed -i "s/listen 127.0.0.1:$tls/listen $tls/" nginx.conf
	end_started
	nginx -e error.log -c "$PWD/nginx.conf" 3>&- > nginx.out 2>&1 &
	wait_port "$tls"
	run -75 publish run --to other
	says "can't prove who it is"
}

@test "apache2 keeps what is there: If-None-Match, and what is there counts as arrived" {
	port=$(free_port)
	mkdir dav
	cat > apache.conf <<-CONF
	LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
	LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
	LoadModule dav_module /usr/lib/apache2/modules/mod_dav.so
	LoadModule dav_fs_module /usr/lib/apache2/modules/mod_dav_fs.so
	ServerName localhost
	ServerRoot $PWD
	Listen 127.0.0.1:$port
	PidFile $PWD/apache.pid
	ErrorLog $PWD/error.log
	DocumentRoot $PWD/dav
	DAVLockDB $PWD/locks
	<Directory $PWD/dav>
		Dav On
		Require all granted
	</Directory>
	CONF
	[ "$(id -u)" -ne 0 ] || printf 'User #65534\nGroup #65534\n' >> apache.conf
	chmod 777 dav .
	# The children of root run as nobody.
	local part=$PWD
	while [ "$(id -u)" -eq 0 ] && [ "$part" != / ]; do
		chmod o+x "$part"
		part=$(dirname "$part")
	done
	apache2 -f "$PWD/apache.conf" -DFOREGROUND 3>&- > apache.out 2>&1 &
	wait_port "$port"
	target "name: dav, type: put, url: 'http://127.0.0.1:$port'"
	target "name: deep, type: put, url: 'http://127.0.0.1:$port/no/where'"
	run -0 publish run --to dav
	local bundle
	bundle=$(find dav -name '*.tar.gz')
	echo theirs > "$bundle"
	run -0 publish run --to dav
	[ "$(cat "$bundle")" = theirs ]
	run -4 publish run --to deep
	says "409"
}

@test "InfluxDB has each sample, to the last bit, also when sent twice" {
	port=$(free_port)
	cat > influx.conf <<-CONF
	reporting-disabled = true
	bind-address = "127.0.0.1:$(free_port)"
	[meta]
	dir = "$PWD/meta"
	[data]
	dir = "$PWD/data"
	wal-dir = "$PWD/wal"
	[http]
	bind-address = "127.0.0.1:$port"
	CONF
	influxd -config influx.conf 3>&- > influx.out 2>&1 &
	wait_port "$port"
	sed -i 's/"samples":\[[0-9.]*\]/"samples":[0.1234567890123456789]/' run/records.jsonl
	target "name: in, type: influx, url: 'http://127.0.0.1:$port', database: bench"
	run -4 publish run --to in
	says "database not found"
	python3 -c "import urllib.request as u
u.urlopen('http://127.0.0.1:$port/query', data=b'q=CREATE DATABASE bench').read()"
	run -0 publish --retry "$(ls spool)"
	run -0 publish run --to in
	run -0 python3 -c "import json, urllib.request as u
a = json.load(u.urlopen('http://127.0.0.1:$port/query?db=bench&q=SELECT+value,iteration+FROM+schedgrid'))
for time, value, iteration in a['results'][0]['series'][0]['values']:
    print(iteration, value == 0.1234567890123456789)"
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[0]} ${lines[1]}" = "1 True 2 True" ]
}

@test "mail goes to a file and by SMTP, encrypted unless told otherwise" {
	port=$(free_port)
	mkdir letters
	/usr/bin/python3 -m aiosmtpd -n -l "127.0.0.1:$port" -c aiosmtpd.handlers.Mailbox "$PWD/box" \
		3>&- 2> smtp.err &
	wait_port "$port"
	target "name: file, type: mail-file, dir: letters, from: me@a.example, to: you@b.example"
	target "name: open, type: smtp, url: 'smtp://127.0.0.1:$port', plain: true, from: me@a.example, to: you@b.example"
	target "name: shut, type: smtp, url: 'smtp://127.0.0.1:$port', from: me@a.example, to: you@b.example"
	run -0 publish run --to file
	run -0 publish run --to open
	run -75 publish run --to shut
	grep -q '^Subject: schedgrid: nulls' letters/*.eml
	grep -q '^Subject: schedgrid: nulls' box/new/*
	[ "$(sed '1,/^$/d' letters/*.eml | sha256sum)" = "$(sed '1,/^$/d' box/new/* | tr -d '\r' | sha256sum)" ]
}

@test "nobody there: it waits in the spool, and measuring doesn't care (BL-081)" {
	port=$(free_port)
	target "name: gone, type: put, url: 'http://127.0.0.1:$port'"
	target "name: nowhere, type: put, url: 'http://no.such.host.invalid/'"
	run -75 publish run --to gone
	says "cannot reach"
	[ "$(waiting)" -eq 1 ]
	run -75 publish run --to gone
	[ "$(waiting)" -eq 1 ]
	run -75 publish run --to nowhere
	run -75 env http_proxy="http://127.0.0.1:$port" "$schedgrid" publish --targets targets.yaml \
		--spool spool run --to nowhere
	run -0 "$schedgrid" run null.yaml -o run
}

@test "silence is cut off; BL-069: an answer that got lost leaves no second copy" {
	start_odd
	target "name: silent, type: put, url: $odd/silent, timeout: 1s"
	target "name: lost, type: put, url: $odd/lost"
	run -75 publish run --to silent
	says "took too long"
	run -75 publish run --to lost
	says "no answer"
	local id
	id=$(cd spool && ls -d lost-*)
	# What arrived without an answer is there already.
	run -75 publish --retry "$id"
	run -75 publish --retry "$id"
	run -0 publish --retry "$id"
	[ "$(find odd -name 'run-*' | wc -l)" -eq 3 ]
}

@test "BL-129: bodies don't wait for leave to be sent" {
	start_odd
	target "name: e, type: put, url: $odd/417"
	head -c 200000 /dev/zero > run/raw/large
	run -0 publish run --to e
}

@test "killed between two parts: what arrived isn't sent again" {
	start_odd
	target "name: held, type: put, url: $odd/held"
	"$schedgrid" publish --targets targets.yaml --spool spool run --to held 3>&- &
	local pid=$! _
	for _ in $(seq 200); do
		[ -e odd/held ] && break
		sleep 0.05
	done
	run -75 publish --retry "$(ls spool)"
	says "another publisher has"
	kill -KILL "$pid"
	wait "$pid" || true
	run -0 publish --retry
	[ "$(grep -c 'tar.gz' odd/log)" -eq 1 ]
	[ "$(waiting)" -eq 0 ]
}

@test "two publishers send each entry once" {
	start_nginx
	target "name: a, type: put, url: 'http://127.0.0.1:$port/runs'"
	sed -i "s/:$port/:1/" targets.yaml
	run -75 publish run --to a
	sed -i "s/:1\//:$port\//" targets.yaml
	sed -i 's/"next":[0-9]*/"next":0/' spool/*/entry.json
	publish --retry 2> one 3>&- &
	local one=$!
	publish --retry 2> two || [ $? -eq 75 ]
	wait "$one" || [ $? -eq 75 ]
	[ "$(grep -c PUT access.log)" -eq 3 ]
	[ "$(waiting)" -eq 0 ]
}

@test "KCIDB: taken, asked for until it is processed, and the token stays ours" {
	start_odd
	target "name: ci, type: kcidb, url: $odd, origin: our_lab, token: s3cret"
	target "name: bad, type: kcidb, url: $odd, origin: our_lab, token: s3"
	echo '{"status": "inprogress"}' > odd/status
	run -75 publish run --to ci
	says "says that it is inprogress"
	grep -q 'GET /status?id=no%207' odd/log
	run -0 python3 -c "import json
a = json.load(open('odd/submitted'))
t = a['tests'][0]
print(a['version'], t['path'], t['status'], t['number'], t['misc']['n'])"
	[ "$output" = "{'major': 5, 'minor': 3} schedgrid.null.null.1.value DONE {'value': 1.5, 'unit': 's'} 2" ]
	local id
	id=$(ls spool)
	echo '{"status": "processed"}' > odd/status
	run -0 publish --retry "$id"
	[ "$(grep -c POST odd/log)" -eq 1 ]
	run -75 publish run --to bad
	says "401"
	[[ "$output" != *s3cret* ]]
	echo '{"status": "failed", "message": "no such thing"}' > odd/status
	sed -i 's/token: s3}/token: s3cret}/' targets.yaml
	run -4 publish --retry "$(ls spool)"
	says "no such thing"
	run ! grep -r s3cret spool
}

@test "BL-099: anonymized, nothing that is sent says who and where" {
	start_nginx
	target "name: a, type: put, url: 'http://127.0.0.1:$port/runs'"
	target "name: m, type: mail-file, dir: ., from: me@a.example, to: you@b.example"
	mv run carol-run
	sed -i 's/"machine":"[^"]*"/"machine":"lab7.corp.example"/
		s/"flags":\[\]/"remarks":["carol saw lab7.corp.example in \/home\/carol\/x"],"flags":[]/' carol-run/records.jsonl
	sed -i 's/"machine": "[^"]*"/"machine": "lab7.corp.example"/' carol-run/hosts/*.json
	export USER=carol
	run -0 publish carol-run --to a --anonymize
	[[ "$output" != *carol-run* ]]
	run -0 publish carol-run --to m --anonymize
	mkdir got
	tar -xzf dav/runs/*.tar.gz -C got
	run ! grep -rniE 'carol|lab7|corp\.example|/home' got dav/runs/*.html dav/runs/*.json ./*.eml
	run -0 find got dav '(' -iname '*carol*' -o -iname '*lab7*' ')'
	[ -z "$output" ]
	grep -q '"user saw machine-1 in PATH"' got/user-run/records.jsonl
	run -0 "$schedgrid" compare got/user-run
	[ ! -e got/user-run/raw ]
}

@test "BL-127: what was deleted of a run doesn't stop the rest, nor a report that can't be made" {
	start_nginx
	target "name: a, type: put, url: 'http://127.0.0.1:$port/runs'"
	rm -r run/raw/*/*1-a1
	run -0 publish run --to a
	sed -i 's/"point":{[^}]*}/"point":7/' run/records.jsonl
	run -0 publish run --to a
	says "the rest is published"
	grep -q 'has no report' dav/runs/*.manifest.json
}

@test "credentials don't follow a redirect to somebody else" {
	start_odd
	start_nginx
	target "name: away, type: put, url: 'http://127.0.0.1:$port/away', redirects: true, user: me, password: s3cret"
	target "name: token, type: put, url: 'http://127.0.0.1:$port/away', redirects: true, token: s3cret"
	target "name: here, type: put, url: $odd/417, token: s3cret"
	run -0 publish run --to away
	run -0 publish run --to token
	[ "$(grep -c PUT odd/log)" -eq 6 ]
	run ! grep auth odd/log
	run -0 publish run --to here
	[ "$(grep -c auth odd/log)" -eq 3 ]
}
