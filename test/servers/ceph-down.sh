#!/usr/bin/env bash
# Stops what ceph-up.sh DIR started, at once: nothing of its data is wanted.
for name in client.rgw osd.0 mon.a; do
  file=$1/run/$name.pid
  [ -s "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null
  rm -f "$file"
done
exit 0
