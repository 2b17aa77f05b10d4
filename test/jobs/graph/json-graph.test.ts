/** A message on a wrong graph in JSON is one line, with the byte of the fault. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonGraph, openJsonGraph } from '../../../jobs/graph/json-graph.js';
import { UserError } from '../../../operators/core/errors.js';
import { readAll } from './json-forms.js';

const folder = mkdtempSync(join(tmpdir(), 'mergemate-json-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* inPieces(pieces: Iterable<string | Buffer>): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

const given = (name: string, ...pieces: (string | Buffer)[]) => ({ name, bytes: () => inPieces(pieces) });

async function complaint(name: string, text: string | Buffer): Promise<string> {
  try {
    await readAll(await jsonGraph(given(name, text)));
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).message;
  }
  throw new Error(`nothing is wrong with ${text}`);
}

/** The place of the fault is marked in the text by |. */
describe('documents', () => {
  test.each([
    ['|', 'the text is empty'],
    [' \n|', 'the text is empty'],
    ['|[]', 'a graph must be an object, and is an array'],
    ['|7', 'a graph must be an object, and is 7'],
    ['{|}', 'an object without fields is not a node'],
    ['{"stuck":"lost"}|', 'there are no nodes'],
    ['{"nodes":[]|}', 'there are no nodes'],
    ['{"edges":[["a","b"]]|}', 'there are no nodes'],
    ['{|"name":"g","nodes":[]}', 'there is no field "name" here'],
    ['{"nodes":[{"id":1,"winner":0}],|"nodes":[]}', 'there are two fields "nodes"'],
    ['{"nodes":[{"id":1,"winner":0}],|"stuck":"lost"}', '"stuck" must come before all nodes and edges'],
    ['{"edges":[],|"players":["a","b"]}', '"players" must come before all nodes and edges'],
    [
      '{"nodes":[{"id":1,"owner":0,"edges":[[|1,2]]}]}',
      'node 0 (1): the name of an edge of it must be a string, and is 1',
    ],
    [
      '{"nodes":[{"id":1,"owner":0,"edges":[[|"",2]]}]}',
      'node 0 (1): "" is not a name of an edge: 1 to 256 characters, no control characters',
    ],
    [
      '{"nodes":[{"id":1,"owner":0,"edges":[["a"|]]}]}',
      'node 0 (1): where an edge of it leads must be a string or an integer, and is missing',
    ],
    [
      '{"nodes":[{"id":1,"owner":0,"edges":[["a",2,|3]]}]}',
      'node 0 (1): an edge of it has more than a name and an identifier',
    ],
    ['{"roots":|"a"}', '"roots" must be an array of identifiers, and is "a"'],
    ['{"roots":[1,|1.5]}', 'a root is 1.5, which is not an integer between -(2^53 - 1) and 2^53 - 1'],
    ['{"nodes":[{"id":1,"winner":0}],|"roots":[1]}', '"roots" must come before all nodes and edges'],
    [
      '{"nodes":[{"id":1,"winner":0,"score":|"3"}]}',
      'node 0 (1): its score must be an integer from 0 to 125, and is "3"',
    ],
    [
      '{"nodes":[{"id":1,"winner":0,"score":|126}]}',
      'node 0 (1): its score must be an integer from 0 to 125, and is 126',
    ],
    ['{"nodes":[{"id":1,"winner":0,"score":0|}]}', 'node 0 (1): its winner wins by 0'],
    ['{"nodes":[{"id":1,"winner":null,"score":2|}]}', 'node 0 (1): it has a score of 2, and no winner'],
    ['{"nodes":[{"id":1,"owner":0,"score":2|}]}', 'node 0 (1): it has a score of 2, and no winner'],
    ['{"nodes":[{"id":1,"winner":0,"score":2,"plies":2|}]}', 'node 0 (1): it has both a score and plies'],
    ['{"nodes":[{"id":1,"winner":null,"plies":2|}]}', 'node 0 (1): it has 2 plies, and no winner'],
    [
      '{"nodes":[{"id":1,"winner":0,"plies":|8001}]}',
      'node 0 (1): its plies must be an integer from 0 to 8000, and is 8001',
    ],
    ['{"nodes":[{"id":1,"score":2,|"score":2}]}', 'node 0 (1): there are two fields "score"'],
    ['{"players":|"ab"}', '"players" must be an array of two names, and is "ab"'],
    ['{"players":["a",|"a"]}', 'both players are called "a"'],
    ['{"players":["a"|]}', 'a player must be a name, and is missing'],
    ['{"players":["a","b",|"c"]}', 'there are more than two players'],
    [
      '{"players":["a",|"\\n"]}',
      '"\\n" is not a name of a player: 1 to 64 characters, no control characters',
    ],
    ['{"stuck":|"won"}', '"stuck" must be "lost" or "drawn", and is "won"'],
    ['{"nodes":|{}}', '"nodes" must be an array, and is an object'],
    ['{"nodes":[|3]}', 'a node must be an object, and is 3'],
    ['{"nodes":[{"id":"é","winner":0},{|}]}', 'node 1: it has no id'],
    ['{"nodes":[{"owner":0|}]}', 'node 0: it has no id'],
    ['{"nodes":[{"id":1|}]}', 'node 0 (1): it has neither an owner nor a winner'],
    ['{"nodes":[{"id":1,"owner":|2}]}', 'node 0 (1): its owner is 2: numbers of players are 0 and 1'],
    [
      '{"players":["a","b"],"nodes":[{"id":"x","owner":|"c"}]}',
      'node 0 ("x"): its owner "c" is not a player: they are "a" and "b"',
    ],
    [
      '{"nodes":[{"id":1,"owner":|null}]}',
      "node 0 (1): its owner must be a player's name, 0 or 1, and is null",
    ],
    [
      '{"nodes":[{"id":1,"winner":|[0]}]}',
      "node 0 (1): its winner must be a player's name, 0 or 1, and is an array",
    ],
    ['{"nodes":[{"id":1,"winner":null,|"winner":0}]}', 'node 0 (1): there are two fields "winner"'],
    ['{"nodes":[{"id":1,|"moves":[]}]}', 'node 0 (1): there is no field "moves" here'],
    [
      '{"nodes":[{"id":1,"edges":|{}}]}',
      'node 0 (1): "edges" must be an array of identifiers, and is an object',
    ],
    [
      '{"nodes":[{"id":1,"edges":[2,[|[]]]}]}',
      'node 0 (1): the name of an edge of it must be a string, and is an array',
    ],
    [
      '{"nodes":[{"id":|9007199254740992}]}',
      'node 0: its id is 9007199254740992, which is not an integer between -(2^53 - 1) and 2^53 - 1',
    ],
    [
      '{"nodes":[{"id":|1.5}]}',
      'node 0: its id is 1.5, which is not an integer between -(2^53 - 1) and 2^53 - 1',
    ],
    [
      '{"nodes":[{"id":|4503599627370496.5}]}',
      'node 0: its id is 4503599627370496.5, which is not an integer between -(2^53 - 1) and 2^53 - 1',
    ],
    [
      '{"nodes":[{"id":|1e-400}]}',
      'node 0: its id is 1e-400, which is not an integer between -(2^53 - 1) and 2^53 - 1',
    ],
    [
      '{"nodes":[{"id":|1e400}]}',
      'node 0: its id is 1e400, which is not an integer between -(2^53 - 1) and 2^53 - 1',
    ],
    ['{"nodes":[{"id":|"\\ud800"}]}', 'node 0: its id "\\ud800" has half of a surrogate pair'],
    [`{"nodes":[{"id":|"${'x'.repeat(1025)}"}]}`, 'node 0: its id is 1025 characters long, and may be 1024'],
    ['{"edges":[|"a"]}', 'an edge must be a pair of identifiers, and is "a"'],
    ['{"edges":[["a"|]]}', 'edge 0: where it leads must be a string or an integer, and is missing'],
    ['{"edges":[[1,2],[1,2,|3]]}', 'edge 1: it has more than two identifiers'],
    ['{"edges":[{"from":1|}]}', 'edge 0: it needs both "from" and "to"'],
    ['{"edges":[{"from":1,|"from":1}]}', 'edge 0: there are two fields "from"'],
    ['{"nodes":[{"id":1,"winner":0}]} |x', 'expected a value, found "x"'],
    ['{"nodes":[{"id":1,"winner":0}]}|,', 'expected a value, found ","'],
    ['{"nodes":[{"id":"漢😀"|"owner":0}]}', 'node 0 ("漢😀"): expected \',\', found "\\""'],
    ['{"nodes":[{"id":1,"owner":0},|]}', 'expected a value, found "]"'],
    ['{"nodes":[{"id":0|1,"owner":0}]}', 'node 0: expected \',\', found "1"'],
    ['{"nodes":[{"id":|nul}]}', 'node 0: expected a value, found "n"'],
    [
      '{"nodes":[{"id":"a|\n"}]}',
      'node 0: expected a character that may stand in a string, or an escape, found "\\n"',
    ],
    [
      '{"nodes":[{"id":"a|\\x"}]}',
      'node 0: expected a character that may stand in a string, or an escape, found "\\\\"',
    ],
    ['{"nodes":[{"id":5|', "node 0: the text ends where ',' is expected"],
    ['{"nodes":[{"id":5, "owner":"a|', 'node 0 (5): the text ends where the end of a string is expected'],
    ['{"nodes":[{"id":|\u0000', 'node 0: expected a value, found "\\u0000"'],
  ])('%s', async (marked, what) => {
    const at = marked.indexOf('|');
    const before = marked.slice(0, at);
    const line = before.split('\n').length;
    const byte = Buffer.byteLength(before);
    const text = before + marked.slice(at + 1);
    expect(await complaint('g.json', text)).toBe(`graph g.json: line ${line}, byte ${byte}: ${what}`);
  });

  test('text behind the graph is refused', async () => {
    expect(await complaint('g.json', '{"nodes":[{"id":1,"winner":0}]}\n{}')).toBe(
      'graph g.json: line 2, byte 32: something follows the graph',
    );
  });
});

describe('lines', () => {
  test.each([
    ['{"players":["a","b"]}|', 'there are no nodes'],
    [
      '{"stuck":"lost"}\n{"id":1,"winner":0}\n{|"stuck":"lost"}',
      '"stuck" must come before all nodes and edges, in the first lines',
    ],
    ['{"stuck":"lost"}\n{|"stuck":"lost"}\n{"id":1,"winner":0}', 'there are two fields "stuck"'],
    [
      '{"from":1,"to":1}\n{|"roots":[1]}\n{"id":1,"winner":0}',
      '"roots" must come before all nodes and edges, in the first lines',
    ],
    ['{"id":1,"winner":0}\n{|"nodes":[]}', 'node 1: there is no field "nodes" here'],
    [
      '{"id":1,"winner":0}\n\n{"id":2,"owner":0,"edges":[1,|null]}',
      'node 1 (2): an edge of it must be a string or an integer, and is null',
    ],
    ['{"id":1,"winner":0}\n{"from":1|}', 'edge 0: it needs both "from" and "to"'],
    ['{"id":1,"winner":0}\n|1', 'a node or edge must be an object, and is 1'],
    ['{"id":1,"winner":0}\n|{"id":2', "node 1: the text ends where ',' is expected"],
  ])('%s', async (marked, what) => {
    const at = what.startsWith('node 1: the text ends') ? marked.length : marked.indexOf('|');
    const text = marked.replace('|', '');
    const byte = Buffer.byteLength(marked.slice(0, at).replace('|', ''));
    const line = marked.slice(0, at).split('\n').length;
    expect(await complaint('g.jsonl', text)).toBe(`graph g.jsonl: line ${line}, byte ${byte}: ${what}`);
  });

  const LINES =
    '{"players":["a","b"],"stuck":"drawn"}\n{"id":"x","owner":"b","edges":["y"]}\n["x",7]\n{"from":7,"to":"x"}\n{"id":7,"winner":"a"}\n';
  const MEANT = {
    players: ['a', 'b'],
    stuck: 'drawn',
    nodes: [
      { id: 'x', owner: 1, winner: null, edges: ['y'] },
      // Without an owner in the file it is the player who has lost.
      { id: 7, owner: 1, winner: 0, edges: [] },
    ],
    edges: [
      { from: 'x', to: 7 },
      { from: 7, to: 'x' },
    ],
  };

  test('are recognized by their content, too', async () => {
    expect(await readAll(await jsonGraph(given('g.jsonl', LINES)))).toEqual(MEANT);
    expect(await readAll(await jsonGraph(given('g.json', LINES)))).toEqual(MEANT);
  });

  test('are named by number in messages', async () => {
    const source = await jsonGraph(given('g.ndjson', LINES));
    expect(await source.whereNode(0)).toBe('node 0 ("x") at line 2, byte 38');
    expect(await source.whereNode(1)).toBe('node 1 (7) at line 5, byte 103');
    expect(await source.whereEdge(1)).toBe('edge 1 at line 4, byte 83');
    expect(await source.nameAtNode(0, (id) => id !== 'x')).toBe('y');
    expect(await source.nameAtNode(1, (id) => id === 'x')).toBeNull();
    expect(await source.nameAtEdge(0, (id) => id !== 'x')).toBe(7);
  });

  test('may be in a file, and compressed', async () => {
    const plain = join(folder, 'g.jsonl');
    const packed = join(folder, 'g.jsonl.gz');
    writeFileSync(plain, LINES);
    writeFileSync(packed, gzipSync(LINES));
    expect(await readAll(await openJsonGraph(plain))).toEqual(MEANT);
    const source = await openJsonGraph(packed);
    expect(await readAll(source)).toEqual(MEANT);
    expect(await source.whereNode(1)).toBe('node 1 (7) at line 5, byte 103');
    writeFileSync(packed, gzipSync(LINES).subarray(0, 40));
    await expect(openJsonGraph(packed)).rejects.toThrow(
      new UserError(`graph ${packed}: cannot be decompressed: unexpected end of file`),
    );
    writeFileSync(packed, LINES);
    await expect(openJsonGraph(packed)).rejects.toThrow(
      new UserError(`graph ${packed}: cannot be decompressed: incorrect header check`),
    );
  });
});

test('files that are no graph are refused', async () => {
  const none = join(folder, 'none.json');
  await expect(openJsonGraph(none)).rejects.toThrow(new UserError(`graph ${none}: there is no such file`));
  await expect(openJsonGraph(folder)).rejects.toThrow(new UserError(`graph ${folder}: it is not a file`));
  const packed = join(folder, 'packed.json');
  writeFileSync(packed, gzipSync('{"id":1,"winner":0}'));
  await expect(openJsonGraph(packed)).rejects.toThrow(
    new UserError(`graph ${packed}: it is compressed, so its name must end in ".gz"`),
  );
});

describe('text that is not UTF-8', () => {
  const NODE = '{"nodes":[{"id":"';
  test.each([
    [
      'half a character',
      Buffer.concat([Buffer.from(`${NODE}a`), Buffer.from([0xc3]), Buffer.from('"}]}')]),
      18,
    ],
    ['a byte that begins none', Buffer.concat([Buffer.from(NODE), Buffer.from([0x80])]), 17],
    [
      'the end of the text within one',
      Buffer.concat([Buffer.from(NODE), Buffer.from('😀').subarray(0, 3)]),
      17,
    ],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 0],
    ['a file of two bytes', Buffer.from([0xef, 0xbb]), 0],
  ])('%s', async (_what, bytes, byte) => {
    expect(await complaint('g.json', bytes)).toBe(`graph g.json: byte ${byte}: the text is not UTF-8`);
  });

  test('a byte-order mark is passed over, and counted', async () => {
    expect(await complaint('g.json', '\ufeff{"x":1}')).toBe(
      'graph g.json: line 1, byte 4: there is no field "x" here',
    );
  });
});

describe('large things', () => {
  const repeated = (name: string, before: string, piece: string, times: number, after: string) => ({
    name,
    async *bytes() {
      yield Buffer.from(before);
      for (let i = 0; i < times; i++) yield Buffer.from(piece);
      yield Buffer.from(after);
    },
  });

  test('an endless string is refused at a limit', async () => {
    const endless = repeated('g.json', '{"nodes":[{"id": "', 'x'.repeat(1 << 16), 1 << 20, '');
    await expect(jsonGraph(endless).then(readAll)).rejects.toThrow(
      new UserError(
        'graph g.json: line 1, byte 17: node 0: a string, number or gap of more than 1048576 characters',
      ),
    );
  });

  test('nested brackets are refused at once', async () => {
    await expect(
      jsonGraph(repeated('g.json', '{"nodes":[{"edges":', '['.repeat(1 << 16), 1 << 20, '')).then(readAll),
    ).rejects.toThrow(
      new UserError(
        'graph g.json: line 1, byte 21: node 0: the name of an edge of it must be a string, and is an array',
      ),
    );
  });

  const million = (before: string, after: string) =>
    repeated('g.jsonl', `${before}"edges":[0`, ',1234567'.repeat(1000), 1000, after);

  test('a node may have a million edges, most of which are handed on apart from it', async () => {
    const { nodes, edges } = await readAll(await jsonGraph(million('{"id":1,"owner":0,', ']}\n')));
    expect(nodes).toEqual([expect.objectContaining({ id: 1, owner: 0, winner: null })]);
    expect(nodes[0].edges).toHaveLength(65_536);
    expect(edges).toHaveLength(1_000_001 - 65_536);
    expect(edges.every(({ from, to }) => from === 1 && to === 1234567)).toBe(true);
  });

  test('edges of a node whose play is over are not held', async () => {
    const { nodes, edges } = await readAll(await jsonGraph(million('{"id":1,"owner":0,"winner":1,', ']}\n')));
    expect(nodes).toEqual([expect.objectContaining({ id: 1, winner: 1 })]);
    expect(edges).toEqual([]);
  });

  test.each([
    ['{', '],"id":1,"owner":0}', 'its id and owner must come before more than 524288 edges'],
    ['{"id":1,"owner":0,', '],"winner":1}', 'node 0 (1): its winner must come before more than 65536 edges'],
  ])('%s … %s: %s', async (before, after, what) => {
    await expect(jsonGraph(million(before, after)).then(readAll)).rejects.toThrow(what);
  });
});
