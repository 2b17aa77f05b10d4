#!/usr/bin/env bash
# Starts a private Ceph object gateway (radosgw, a real S3 server) with one monitor and one storage daemon that keeps
# its objects in memory. Everything lies in DIR, listens on 127.0.0.1 only and runs until ceph-down.sh DIR.
#
#   ceph-up.sh DIR [PORT]     PORT (7480) is the gateway's, PORT + 1 the monitor's
#
# Prints shell lines that export MERGEMATE_TEST_S3 (the URI of an empty bucket) and the credentials for it.
set -euo pipefail
dir=$(mkdir -p "$1" && cd "$1" && pwd)
port=${2:-7480}
monitor="[v2:127.0.0.1:$((port + 1))]"
key=mergemate
secret=mergemate-test
bucket=mergemate-test
endpoint=http://127.0.0.1:$port
fsid=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
# Ceph would take files of an earlier start for its own.
rm -rf "$dir"/{mon,osd,rgw,log,run}
mkdir -p "$dir"/{mon,osd,rgw,log,run}

# No authentication between the daemons (and so no encryption: "crc"), no replicas, no warnings about that: the data are worth nothing. No manager
# daemon, so the number of placement groups is fixed. A nearly full disk of the host must not stop a server in memory.
cat >"$dir/ceph.conf" <<CONF
[global]
fsid = $fsid
mon host = $monitor
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
ms mon client mode = crc secure
auth cluster required = none
auth service required = none
auth client required = none
run dir = $dir/run
crash dir = $dir/run
admin socket = $dir/run/\$name.asok
pid file = $dir/run/\$name.pid
log file = $dir/log/\$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
mon osd nearfull ratio = .98
mon osd backfillfull ratio = .985
mon osd full ratio = .99
osd failsafe full ratio = .995
[mon]
mon data = $dir/mon
[osd]
osd data = $dir/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd max object name len = 2048
[client]
rgw data = $dir/rgw
rgw gc obj min wait = 5
rgw gc processor period = 5
rgw dynamic resharding = false
rgw enable usage log = false
CONF
export CEPH_CONF=$dir/ceph.conf

# Waits until the command given succeeds, at most 60 s.
until_done() {
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "ceph-up.sh: waited in vain for: $*"
  return 1
}
osd_is_up() { ceph osd stat 2>/dev/null | grep -q '1 up'; }

# Daemons do not get these: who reads what this script prints would wait for their end.
exec 3>&1 4>&2 >"$dir/log/up.log" 2>&1
trap 'tail -20 "$dir/log/up.log" >&4; "$(dirname "$0")/ceph-down.sh" "$dir"' ERR
monmaptool --create --clobber --fsid "$fsid" --addv a "$monitor" "$dir/monmap"
ceph-mon --mkfs -i a --monmap "$dir/monmap"
ceph-mon -i a 3>&- 4>&-
ceph osd new "$osd"
ceph-osd -i 0 --mkfs --osd-uuid "$osd"
ceph-osd -i 0 3>&- 4>&-
until_done osd_is_up
# Commands wait for minutes for a daemon that is not there.
timeout 60 radosgw -n client.rgw --rgw-frontends "beast endpoint=127.0.0.1:$port tcp_nodelay=1" 3>&- 4>&-
timeout 60 radosgw-admin user create --uid="$key" --display-name="$key" --access-key="$key" --secret-key="$secret"
until_done curl -sf "$endpoint/"
# The gateway wants the hash of the body, which curl does not send by itself.
until_done curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user "$key:$secret" \
  -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' -X PUT "$endpoint/$bucket"
exec >&3 2>&4
trap - ERR

cat <<ENV
export MERGEMATE_TEST_S3='s3://$bucket?endpoint=$endpoint&region=us-east-1'
export AWS_ACCESS_KEY_ID=$key AWS_SECRET_ACCESS_KEY=$secret
ENV
