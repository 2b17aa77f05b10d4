/** Clients that are made from the OpenAPI document: types for TypeScript, and a program of Python that calls operations by their names. */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTS, { type OpenAPI3 } from 'openapi-typescript';
import { afterAll, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newFolder } from '../../support/folders.js';
import { listening, served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CLIENT = `
import type { components, operations } from './api.js';

type Query = operations['probe']['parameters']['query'];
type Position = operations['probe']['responses']['200']['content']['application/json'];
type Found = operations['findPositions']['responses']['200']['content'];

export async function probe(base: string, asked: Query): Promise<Position> {
  const response = await fetch(base + '/probe?' + new URLSearchParams(asked));
  if (!response.ok) throw new Error(((await response.json()) as components['schemas']['ErrorAnswer']).error);
  return (await response.json()) as Position;
}

export function says({ mover, outcome, plies, winner, over, moves }: Position): string {
  const best = moves[0]?.move ?? 'none';
  return over ? String(winner) : mover + ' ' + outcome + ' ' + (plies ?? '-') + ' ' + best;
}

export const rows = (found: Found['application/json']) => found.positions.map(({ mover, outcome }) => mover + outcome);
export const csv = (found: Found['text/csv']): string => found;
`;

function compile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, ...options, '--lib', 'es2022,dom', join(folder, name)],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return stdout;
}

test.skipIf(!LONG)(
  `types that openapi-typescript makes compile with a small client, and refuse a name that is not there${ifShort}`,
  async () => {
    const { app } = served(memoryStore());
    const document = (await (await app.request('/openapi.json')).json()) as OpenAPI3;
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'api.ts'), await openapiTS(document));
    expect(compile('client.ts', CLIENT)).toBe('');
    expect(compile('wrong.ts', CLIENT.replace('{ mover, outcome, plies,', '{ mover, wdl, plies,'))).toMatch(
      /Property 'wdl' does not exist/,
    );
  },
);

const PYTHON = `
import json, sys, urllib.parse, urllib.request

base = sys.argv[1]
def get(path):
    with urllib.request.urlopen(base + path) as answer:
        return json.load(answer)

operations = {
    operation["operationId"]: (path, [each["name"] for each in operation.get("parameters", []) if each["required"]])
    for path, ways in get("/openapi.json")["paths"].items()
    for way, operation in ways.items() if way == "get"
}
def call(name, **asked):
    path, required = operations[name]
    missing = [each for each in required if each not in asked]
    if missing:
        raise ValueError(f"{name}: {missing} missing")
    return get(f"{path}?{urllib.parse.urlencode(asked)}")

found = call("probe", game="chess", position="8/8/8/8/3k4/8/8/K6Q w - - 0 1")
line = call("followBestPlay", game="chess", position=found["position"])
print(found["mover"], found["outcome"], found["winner"], found["plies"] == len(line["line"]), found["moves"][0]["move"] == line["line"][0]["move"])
try:
    call("probe", game="chess")
except ValueError as error:
    print(error)
`;

import { ifShort, LONG } from '../../support/long.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  `a Python client calls operations by their names${hasPython ? '' : ' (skipped: no python3)'}`,
  async () => {
    const store = memoryStore();
    await putSolved(store, chess, ['KQK']);
    const server = await listening(store);
    try {
      const said = await new Promise<string>((done, failed) => {
        const child = spawn('python3', ['-c', PYTHON, server.url]);
        let out = '';
        child.stdout.on('data', (text) => (out += text));
        child.stderr.on('data', (text) => (out += text));
        child.on('error', failed);
        child.on('close', () => done(out));
      });
      expect(said).toBe("white win white True True\nprobe: ['position'] missing\n");
    } finally {
      await server.stop();
    }
  },
);
