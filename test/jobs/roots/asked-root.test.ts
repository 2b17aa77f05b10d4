/** Positions that tables of one position are asked for, some of them odd. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedRoot } from '../../../jobs/roots/asked-root.js';
import { RootedEndings } from '../../../jobs/solved/rooted.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newBlockCache } from '../../../pipeline/tables/probe/block-cache.js';
import { newFolder } from '../../support/folders.js';
import { putRoot } from '../../support/roots.js';

test.each([
  ['4k2r/8/8/8/8/8/4P3/4K3 b k - 0 1', 'castling'],
  ['8/8/8/4k3/3P4/8/8/4K3 w - - 0 1', 'check'],
  ['8/8/8/4k3/8/8/4P3/8 w - - 0 1', 'king'],
  ['P7/8/8/4k3/8/8/8/4K3 w - - 0 1', 'pawn'],
  ['8/8/8/3k4/4K3/8/4P3/8 w - - 0 1', 'adjacent'],
  ['', 'rank'],
  ['__proto__', 'rank'],
])('%s is refused in one line', async (from, words) => {
  await expect(askedRoot('chess', { from }, null, 'dtm')).rejects.toThrow(new RegExp(`^.*${words}.*$`));
});

test('a file gives the last position of its first game, if all of its moves can be read', async () => {
  const folder = newFolder();
  const from = async (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return askedRoot('chess', { from: path }, null, 'dtm');
  };
  const fen = '8/8/8/3pP3/8/8/8/K1k5 w - - 0 1';
  const tags = `[FEN "${fen}"]\n\n`;
  expect((await from('a.pgn', `${tags}1. Ka2 d4 *\n`)).name).toBe('KPKP_d5e4');
  for (const [name, text] of [
    ['b.epd', `${fen}\n4k3/8/8/8/8/8/4P3/4K3 w - -\n`],
    ['c', `${fen}\n`],
    ['d.pgn', `${tags}*\n\n[Event "another"]\n\n1. e9 *\n`],
  ])
    expect([name, (await from(name, text)).name]).toEqual([name, 'KPKP_d5e5']);
  await expect(from('e.pgn', `${tags}1. Ka2 d4 2. Ka9 *\n`)).rejects.toThrow(
    /^[^\n]*game 1[^\n]*2\. Ka9[^\n]*$/,
  );
});

/** Black is mated, or stalemated. */
test.each([
  ['7k/5PP1/6K1/8/8/8/8/8 b - - 0 1', 'is mated'],
  ['7k/7P/6K1/8/8/8/8/8 b - - 0 1', 'draw'],
])('a position that is over has a root like any other: %s', async (from, words) => {
  const store = memoryStore();
  const root = await putRoot(store, from, { mostPieces: 0 });
  const source = { store, cache: newBlockCache(1 << 20) };
  const flags = { store: store.uri, cache: 0 };
  const solved = new RootedEndings(chess as Game, 'chess', flags, source, [root]);
  const position = solved.parse(from);
  const [answer] = await solved.probe(position);
  expect([answer.root, answer.moves]).toEqual([root, []]);
  expect(solved.verdict(position, answer)).toContain(words);
});
