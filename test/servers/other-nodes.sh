#!/usr/bin/env bash
# Runs a few tests and the main commands on later versions of Node, which come from npm's package `node`: at most a minute each. Skips
# with a sentence where they cannot be had. Needs the built program, and a folder to work in.
set -euo pipefail
work=$1
mkdir -p "$work"
project=$(cd "$(dirname "$0")/../.." && pwd)
program=$project/dist/jobs/cli.js
units=(test/pipeline/tables/codec test/operators/runs/writer test/operators/sort/merge test/pipeline/game/value)

# V8 says on stderr which flags it does not know, and goes on; Node warns of what it will not do for long.
quietly() {
  if ! "$@" >"$work/out" 2>"$work/said"; then
    cat "$work/said" >&2
    echo "failed: $*" >&2
    return 1
  fi
  if grep -iE 'unrecognized|warning' "$work/said" >&2; then
    echo "warned: $*" >&2
    return 1
  fi
}

commands() {
  local tables=$work/tables-$1 from=(--store "$work/tables-$1")
  quietly node "$program" solve chess KQKR --metric dtm "${from[@]}"
  quietly node "$program" probe chess '8/8/8/8/8/2k5/1r6/K6Q w - - 0 1' --metric dtm "${from[@]}"
  grep -q 'wins in' "$work/out"
  quietly node "$program" export chess KQK --format parquet --force --out "$work/kqk.parquet" "${from[@]}"
  quietly node "$program" export chess KQK --format arrow --force --out "$work/kqk.arrow" "${from[@]}"
  quietly node "$program" export chess KQK --where 'side=white plies=19' --format epd "${from[@]}"
  quietly node "$program" solve checkers 1100 --store "$tables"
  quietly node "$program" verify chess KQK "${from[@]}"
}

for version in 22.23.3 24.21.0; do
  folder=$work/node-$version
  mkdir -p "$folder"
  [ -e "$folder/package.json" ] || echo '{"private": true}' >"$folder/package.json"
  if ! npm install --prefix "$folder" --no-audit --no-fund --loglevel error "node@$version" >&2; then
    echo "Node $version could not be installed: nothing is run on it" >&2
    continue
  fi
  (
    export PATH=$folder/node_modules/.bin:$PATH
    [ "$(node --version)" = "v$version" ]
    cd "$project"
    node node_modules/vitest/vitest.mjs run --project unit "${units[@]}"
    commands "$version"
  )
  echo "Node $version: unit tests and commands passed"
done
