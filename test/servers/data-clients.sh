#!/usr/bin/env bash
# Installs DuckDB (also as WebAssembly) and Polars for Node (320 MB), and pyarrow (150 MB), into a folder, and prints the environment of the tests that read exports with them. They are no
# dependencies of the project: they are larger than all that is one.
set -euo pipefail
folder=$1
mkdir -p "$folder"
[ -e "$folder/package.json" ] || echo '{"private": true}' >"$folder/package.json"
npm install --prefix "$folder" --no-audit --no-fund --loglevel error \
  @duckdb/node-api@1.5.5-r.5 @duckdb/duckdb-wasm@1.32.0 nodejs-polars@0.24.0 >&2
pip install --quiet --target "$folder/python" pyarrow >&2
echo "export MERGEMATE_TEST_CLIENTS=$folder"
