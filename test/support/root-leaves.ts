/** Roots whose positions are looked up in Syzygy files that are made in memory, where these have the ending. */
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { lookedUpBehind, planSlices } from '../../pipeline/game/plan.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { Root } from '../../pipeline/games/chess/root.js';
import { structuresOf } from '../../pipeline/games/chess/root-structures.js';
import { LeafFiles, makeLeaves } from '../../pipeline/share/publish/leaves.js';
import { type Files, pawnFiles } from '../pipeline/games/chess/syzygy/making.js';

/** The files of KPK and of all that it converts to. */
export async function leafFilesOf3(): Promise<LeafFiles> {
  return leafFilesIn(await pawnFiles('exact'));
}

export async function leafFilesIn(files: Files): Promise<LeafFiles> {
  const store = memoryStore();
  for (const [name, bytes] of files) await store.putIfAbsent(name, bytes);
  return new LeafFiles([store]);
}

/** The root, with every ending looked up that files have. */
export async function withLeaves(root: Root, leaves: LeafFiles): Promise<Root> {
  let files = 0n;
  for (const [number, ending] of structuresOf(root).stops.entries()) {
    const [, white, black] = /^K(.*)K(.*?)(?:ep)?$/.exec(ending)!;
    if (await leaves.have(white, black)) files |= 1n << BigInt(number);
  }
  return { ...root, files };
}

/** Makes the tables that the slices of a root need of files. Returns how many there are. */
export async function makeLeavesOf(
  store: Store,
  metric: Metric,
  files: LeafFiles,
  slices: readonly string[],
): Promise<number> {
  const leaves = lookedUpBehind(chess as Game, planSlices(chess as Game, slices));
  const options = { memory: 1 << 22, batchRows: 65536, attempt: '-test', progress: () => {} };
  await makeLeaves({ metric, store, files, ...options }, leaves);
  return leaves.length;
}
