/** Graphs that another program writes: standard input and FIFOs. */
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, start } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOWN = 'samples/town.jsonl';
const town = readFileSync(TOWN, 'utf8');
let digests: unknown;
beforeAll(async () => {
  ({ digests } = await mergemate.succeedJson<{ digests: unknown }>(['solve', TOWN]));
});

const fifo = (name: string) => {
  execFileSync('mkfifo', [join(folder, name)]);
  return join(folder, name);
};
const solve = (graph: string, name: string) => ['solve', graph, '--name', name, '--json', '--store', store];

describe('a stream', () => {
  test.skipIf(!LONG)(
    `from standard input is solved as its file is, and leaves no copy${ifShort}`,
    async () => {
      for (const [name, word] of Object.entries({ piped: '-', device: '/dev/stdin' })) {
        const { code, stdout, stderr } = await mergemate.run(solve(word, name), town);
        expect([code, stderr]).toEqual([0, '']);
        expect(JSON.parse(stdout)).toMatchObject({ graph: name, source: 'standard input', digests });
      }
      expect(await mergemate.succeed(['probe', 'piped', 'a'])).toContain('Cop chooses: wins in 1 edge');
      expect(readdirSync(store).filter((name) => name.startsWith('.scratch'))).toEqual([]);
    },
  );

  test('from a FIFO is solved as its file is', async () => {
    const path = fifo('town');
    const { ended } = start(solve(path, 'fifo'));
    createWriteStream(path).end(town);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ graph: 'fifo', source: path, digests });
  });

  test('may be compressed', async () => {
    const child = spawn(process.execPath, [CLI, ...solve('-', 'packed')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end(gzipSync(town));
    let out = '';
    for await (const text of child.stdout) out += text;
    expect(JSON.parse(out)).toMatchObject({ graph: 'packed', digests });
  });

  test.skipIf(!LONG)(
    `with the same content is not solved again, with another it is refused${ifShort}`,
    async () => {
      await mergemate.run(solve('-', 'twice'), town);
      expect((await mergemate.run(solve('-', 'twice'), town)).code).toBe(0);
      expect(await mergemate.run(solve('-', 'twice'), '{"id":1,"winner":0}')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /twice .* was not made from standard input as it is now: --again replaces it/,
        ),
      });
      expect((await mergemate.run([...solve('-', 'twice'), '--again'], '{"id":1,"winner":0}')).code).toBe(0);
    },
  );

  test.each([
    ['no name', ['solve', '-'], '', /^mergemate: standard input has no name .*--name\n$/],
    [
      'ranks',
      [...solve('-', 'ranks'), '--engine', 'processes'],
      town,
      /--engine processes reads a graph from a file/,
    ],
    ['nothing', solve('-', 'empty'), ' ', /graph standard input: line 1, byte 1: the text is empty/],
    [
      'a mistake',
      solve('-', 'wrong'),
      '{"id":"a","owner":0}\n{"id":"b","owner":5}\n',
      /graph standard input: line 2, byte 39: node 1 \("b"\): its owner is 5/,
    ],
    [
      'an edge to nowhere',
      solve('-', 'nowhere'),
      '{"id":"a","owner":0,"edges":["c"]}\n',
      /standard input: node 0 \("a"\) at line 1, byte 0: there is no node "c"/,
    ],
  ])('with %s is refused in one line', async (_, args, text, message) => {
    const { code, stderr } = await mergemate.run(args, text);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('that nobody writes does not keep the process from ending at a signal', async () => {
    const { child, ended } = start(solve(fifo('silent'), 'silent'));
    await new Promise((later) => setTimeout(later, 1000));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, signal: null });
  });
});
