/** The part of an audit that derives plies: by quiet moves alone, for what zeroing moves are worth is known from the outcomes. */

import type { Side } from '../../../../game/game.js';
import { fileName } from '../format.js';
import { bytesAt, type Kernels, layOut, symbolsAt } from '../kernels.js';
import { SyzygyOutcome } from '../outcome.js';
import type { SyzygyFile } from '../read/file.js';
import { MissingFileError } from '../read/missing-file.js';
import { storedPlies } from '../read/search.js';
import { type Audited, fenOf, foundBy, type Work, type Wrong, word } from './found.js';
import { gatherFile, pliesSent, SEVERAL_PLIES } from './gather.js';
import { setPlacements } from './placements.js';
import type { Blocks } from './pools.js';
import { newReach } from './targets.js';

/** As in assembly/audit.ts. */
const NO_PLIES = 0x7fff;
const ALL_FILES = 15;

/** `outcomes` are right; `zeroing` says what zeroing moves are worth, and takes the sides whose plies the file has. */
export async function auditPlies(work: Work, outcomes: Blocks, zeroing: Blocks): Promise<Audited> {
  const { kernels, tables, placements } = work;
  const { material } = placements;
  const name = fileName(material, 'dtz');
  const file = await tables.file(material, 'dtz');
  if (file === null) throw new MissingFileError(`${name} is missing`);
  setStored(kernels, file);
  const stored = await gatherFile(kernels, placements, file, pliesSent(file, false), 2);
  // With like sides, the plies of Black to move are White's with the colours exchanged; of others they are derived.
  const other = material.symmetric
    ? await gatherFile(kernels, placements, file, pliesSent(file, true), 2)
    : { ...stored, swap: kernels.scratch.swap() };
  const passes = newPasses(work, outcomes, zeroing);
  try {
    setPlacements(kernels, placements);
    const blackFiles = file.subtables.reduce((bits, [{ side }], number) => bits | (side << number), 0);
    let wrong = await passes.decode(stored, blackFiles, true);
    if (material.symmetric) wrong ??= await passes.decode(other, ALL_FILES, false);
    else wrong ??= await passes.derive(sidesOf(blackFiles, file, 1), stored, other);
    const compared =
      wrong === null ? await passes.compare(sidesOf(blackFiles, file, 0), other, stored) : null;
    return { name, positions: compared?.positions ?? 0, wrong: wrong ?? compared?.wrong ?? null };
  } finally {
    for (const { swap } of [stored, other]) swap.remove();
  }
}

/** The sides whose plies a file has, or (1) those of the positions before and after them. */
function sidesOf(blackFiles: number, { subtables }: SyzygyFile, other: 0 | 1): Side[] {
  const sides = new Set(subtables.map((_, file) => (((blackFiles >> file) & 1) ^ other) as Side));
  return [...sides];
}

/** Sets what values of the file stand for. */
function setStored(kernels: Kernels, { subtables }: SyzygyFile): void {
  const words = symbolsAt(kernels, kernels.wasm.STORED.value, 4 * 5 * 1024).fill(NO_PLIES);
  for (const [file, [subtable]] of subtables.entries()) {
    for (const outcome of [
      SyzygyOutcome.loss,
      SyzygyOutcome.blessedLoss,
      SyzygyOutcome.cursedWin,
      SyzygyOutcome.win,
    ]) {
      for (let value = 0; value < SEVERAL_PLIES; value++) {
        const stored = storedPlies(subtable, outcome, value);
        const plies = stored === null ? NO_PLIES : 2 * stored.plies + (stored.precise ? 0 : 1);
        words[(file * 5 + outcome) * 1024 + value] = Math.min(plies, NO_PLIES);
      }
    }
  }
}

function newPasses({ kernels, placements, pause }: Work, outcomes: Blocks, zeroing: Blocks) {
  const { wasm } = kernels;
  const { block, pairs } = placements;
  const rows = block / 64;

  /** Buffers of blocks, by `read` and `write` of a pair of kings. */
  function buffer({ swap, bytes }: Blocks, allocate: (bytes: number) => number) {
    const at = allocate(bytes);
    const held = bytesAt(kernels, at, bytes);
    return {
      at,
      held,
      read: (pair: number) => swap.read(pair * bytes, held),
      write: (pair: number) => swap.write(pair * bytes, held),
    };
  }

  /** Makes plies of cells, in place. */
  async function decode(stored: Blocks, blackFiles: number, marks: boolean): Promise<Wrong | null> {
    const allocate = layOut(kernels);
    const [own, zero, cells] = [outcomes, zeroing, stored].map((blocks) => buffer(blocks, allocate));
    for (const pair of pairs.keys()) {
      for (const one of [own, zero, cells]) one.read(pair);
      const at = wasm.decodePlies(block, blackFiles, marks, own.at, zero.at, cells.at);
      if (at >= 0) {
        // The first number that was found is the outcome, the second the side, the third whether cells differ.
        const { says, least, most } = foundBy(kernels);
        return {
          fen: fenOf(placements, pair, at, least as Side),
          says: most === 1 ? 'other plies of its mirror image' : 'no plies',
          derived: word(says),
        };
      }
      if (marks) zero.write(pair);
      cells.write(pair);
      await pause();
    }
    return null;
  }

  /** Lays a pass by quiet moves out: the plies that moves lead to, and buffers. */
  function layQuiet(after: Blocks, besides: Blocks) {
    const bytes = outcomes.bytes + zeroing.bytes + besides.bytes;
    const reach = newReach(kernels, placements, [], { blocks: after, isPlies: true }, bytes);
    const [own, zero, plies] = [outcomes, zeroing, besides].map((blocks) => buffer(blocks, reach.allocate));
    return { reach, own, zero, plies };
  }

  async function derive(sides: readonly Side[], after: Blocks, into: Blocks): Promise<Wrong | null> {
    const { reach, own, zero, plies } = layQuiet(after, into);
    const words = symbolsAt(kernels, plies.at, block);
    for (const [pair, [white, black]] of pairs.entries()) {
      own.read(pair);
      zero.read(pair);
      words.fill(NO_PLIES);
      for (const side of sides) {
        reach.use(pair, side);
        const at = wasm.derivePlies(white, black, rows, side, own.at, zero.at, reach.own(pair), plies.at);
        if (at < 0) continue;
        // A win that must be longer, or a loss that must be shorter, than the outcome allows.
        const { says, least, most } = foundBy(kernels);
        const isCursed = says === SyzygyOutcome.cursedWin || says === SyzygyOutcome.blessedLoss;
        return {
          fen: fenOf(placements, pair, at, side),
          says: word(says),
          derived: `${says > SyzygyOutcome.draw ? 'a win' : 'a loss'} in ${isCursed ? most : least}`,
        };
      }
      plies.write(pair);
      await pause();
    }
    return null;
  }

  async function compare(sides: readonly Side[], after: Blocks, stored: Blocks) {
    const { reach, own, zero, plies } = layQuiet(after, stored);
    wasm.positions.value = 0;
    let positions = 0;
    for (const [pair, [white, black]] of pairs.entries()) {
      for (const one of [own, zero, plies]) one.read(pair);
      for (const side of sides) {
        reach.use(pair, side);
        const at = wasm.comparePlies(white, black, rows, side, own.at, zero.at, reach.own(pair), plies.at);
        positions += wasm.positions.value;
        wasm.positions.value = 0;
        if (at < 0) continue;
        const { says, least, most } = foundBy(kernels);
        const outcome = word((own.held[at] >> (4 * side)) & 15);
        const derived = least <= most ? `${outcome} in ${least}` : 'no move that keeps it';
        const wrong = { fen: fenOf(placements, pair, at, side), says: `${outcome} in ${says}`, derived };
        return { positions, wrong };
      }
      await pause();
    }
    return { positions, wrong: null };
  }

  return { decode, derive, compare };
}
