/**
 * Derives what files of an ending say from what they say of the positions that moves lead to. Outcomes first: who
 * moves has the best of its moves. Plies, then, make sure that no win is stated that makes no progress. A win is one
 * ply from the best reply, a loss one from the longest. Files that give plies in pairs are right if what is derived
 * can be what is stated.
 *
 * Positions go by placement (placements.ts), pair of kings after pair of kings. What moves lead to is looked up in
 * blocks that are brought from scratch. So the memory does not depend on the ending, up to the least that a pair of
 * kings needs.
 */
import type { Scratch } from '../../../../../operators/storage/scratch.js';
import type { Side } from '../../../../game/game.js';
import { legalMoves } from '../../rules.js';
import { fileName } from '../format.js';
import { bytesAt, newKernels } from '../kernels.js';
import { type Material, materialOf } from '../material.js';
import { boardOf } from '../read/mirrors.js';
import { MissingFileError } from '../read/missing-file.js';
import type { SyzygyTables } from '../read/tables.js';
import { type Audited, fenOf, foundBy, type Work, type Wrong, word } from './found.js';
import { gatherFile, outcomesSent } from './gather.js';
import { placementsOf, setPlacements } from './placements.js';
import { auditPlies } from './plies.js';
import type { Blocks } from './pools.js';
import { changesOf, materialAfter, newReach, type Outcomes, type Target, targetOf } from './targets.js';

export interface AuditorOptions {
  readonly tables: SyzygyTables;
  /** Bytes of buffers. */
  readonly memory: number;
  readonly scratch: Scratch;
  /** Called between pairs of kings. */
  readonly pause: () => Promise<void>;
}

export interface Auditor {
  /**
   * Audits both files of an ending; plies only if all outcomes are right, for they are derived from these. Throws MissingFileError if a
   * file is missing that it converts to, UserError if the memory is too small, StorageError.
   */
  audit(material: Material): Promise<Audited[]>;
  /** Frees outcomes in scratch that no audit of these endings looks up. */
  keepFor(materials: readonly Material[]): void;
}

export function newAuditor({ tables, memory, scratch, pause }: AuditorOptions): Auditor {
  const kernels = newKernels(memory, scratch);
  /** By name of the file. */
  const known = new Map<string, Loaded>();

  async function find(material: Material): Promise<Loaded> {
    for (const name of [material, turnedOf(material)]) {
      const found = known.get(name.name) ?? (await load(name));
      if (found !== null) return found;
    }
    throw new MissingFileError(`${material.name}.rtbw is missing`);
  }

  async function load(material: Material): Promise<Loaded | null> {
    const file = await tables.file(material, 'wdl');
    if (file === null) return null;
    const targets = await targetsOf(material, (men) => men < material.men.length);
    const placements = placementsOf(material);
    const blocks = await gatherFile(kernels, placements, file, outcomesSent(file), 1);
    const wrong = await resolve({ kernels, tables, placements, pause }, targets, blocks);
    const loaded = { placements, blocks, wrong };
    known.set(material.name, loaded);
    return loaded;
  }

  /** Where captures and promotions lead that leave so many men. */
  async function targetsOf(material: Material, isWanted: (men: number) => boolean): Promise<Target[]> {
    const targets: Target[] = [];
    for (const { number, men } of changesOf(material)) {
      if (!isWanted(men.filter((code) => code !== null).length)) continue;
      const after = materialAfter(men);
      targets.push(targetOf(number, men, after === null ? null : await find(after)));
    }
    return targets;
  }

  return {
    async audit(material) {
      const own = await find(material);
      const { placements } = own;
      const targets = await targetsOf(placements.material, () => true);
      const work: Work = { kernels, tables, placements, pause };
      setPlacements(kernels, placements);
      const judged = await judge(work, targets, own);
      try {
        if (judged.audited.wrong !== null) return [judged.audited];
        return [judged.audited, await auditPlies(work, own.blocks, judged.zeroing)];
      } finally {
        judged.zeroing.swap.remove();
      }
    },
    keepFor(materials) {
      const kept = new Set<string>();
      for (const material of materials) addReached(material, kept);
      for (const [name, { blocks }] of known) {
        if (kept.has(name)) continue;
        blocks.swap.remove();
        known.delete(name);
      }
    },
  };
}

interface Loaded extends Outcomes {
  /** A position whose mirror image has another outcome. */
  readonly wrong: Wrong | null;
}

/** Adds the names of an ending and of all that it leads to, either way round. */
function addReached(material: Material, names: Set<string>): void {
  if (names.has(material.name)) return;
  names.add(material.name);
  names.add(turnedOf(material).name);
  for (const { men } of changesOf(material)) {
    const after = materialAfter(men);
    if (after !== null) addReached(after, names);
  }
}

function turnedOf({ name }: Material): Material {
  const [white, black] = name.split('v');
  return materialOf(black.slice(1), white.slice(1));
}

/** Bytes of a placement while a file is read or plies are derived: rows on their way, cells, plies, zeroing moves. */
const WORKING_BYTES = 9;

/**
 * Bytes that an audit of an ending takes in scratch at most. There is a byte for each placement of the ending, and of
 * all endings that its moves lead to. There is one for those that captures lead to from there, too. To these come
 * WORKING_BYTES of the largest that is read.
 */
export function auditBytes(material: Material): number {
  const direct = changesOf(material).flatMap(({ men }) => materialAfter(men) ?? []);
  const kept = new Map<string, Material>();
  for (const one of [material, ...direct]) addCaptured(one, kept);
  const sizes = [...kept.values()].map((one) => placementsOf(one).size);
  return sizes.reduce((sum, size) => sum + size, WORKING_BYTES * Math.max(...sizes));
}

/** Adds an ending and all that captures lead to, under one of its two names. */
function addCaptured(material: Material, kept: Map<string, Material>): void {
  const name = material.name.split('v').sort().join('v');
  if (kept.has(name)) return;
  kept.set(name, material);
  for (const { men } of changesOf(material)) {
    const after = materialAfter(men);
    if (after !== null && after.men.length < material.men.length) addCaptured(after, kept);
  }
}

const SIDES = [0, 1] as const satisfies Side[];

/** Makes of what cells hold what programs find, in place. Returns what is wrong. */
async function resolve(work: Work, targets: readonly Target[], blocks: Blocks): Promise<Wrong | null> {
  const { kernels, placements, pause } = work;
  setPlacements(kernels, placements);
  const reach = newReach(kernels, placements, targets, null, blocks.bytes);
  const block = reach.allocate(blocks.bytes);
  const bytes = bytesAt(kernels, block, blocks.bytes);
  let wrong: Wrong | null = null;
  for (const [pair, [white, black]] of placements.pairs.entries()) {
    blocks.swap.read(pair * blocks.bytes, bytes);
    for (const side of SIDES) {
      reach.use(pair, side);
      const at = kernels.wasm.resolveOutcomes(white, black, placements.block / 64, side, block);
      if (at < 0 || wrong !== null) continue;
      const says = foundBy(kernels).says;
      wrong = {
        fen: fenOf(placements, pair, at, side),
        says: says === NO_CELL ? 'nothing' : `${word(says & 7)}, and another outcome of its mirror image`,
        derived: 'one outcome',
      };
    }
    blocks.swap.write(pair * blocks.bytes, bytes);
    await pause();
  }
  return wrong;
}

/** As in assembly/audit.ts. */
const NO_CELL = 15;
const NO_ZEROING = 0x77;

/** Derives all outcomes, and what zeroing moves of each position are worth. */
async function judge(
  work: Work,
  targets: readonly Target[],
  own: Loaded,
): Promise<{ readonly audited: Audited; readonly zeroing: Blocks }> {
  const { kernels, placements, pause } = work;
  const { wasm, host } = kernels;
  const { material, block, pairs } = placements;
  const name = fileName(material, 'wdl');
  const zeroing: Blocks = { swap: kernels.scratch.swap(), bytes: block, count: pairs.length };
  let positions = 0;
  if (own.wrong !== null) return { audited: { name, positions, wrong: own.wrong }, zeroing };
  const squares = bytesAt(kernels, wasm.BOARD.value, material.men.length);
  host.hasMoves = (side) => legalMoves(boardOf(material, squares, side as Side)).length;
  const reach = newReach(kernels, placements, targets, { blocks: own.blocks, isPlies: false }, block);
  const into = reach.allocate(block);
  const bytes = bytesAt(kernels, into, block);
  for (const side of SIDES) {
    for (const [pair, [white, black]] of pairs.entries()) {
      if (side === 0) bytes.fill(NO_ZEROING);
      else zeroing.swap.read(pair * block, bytes);
      reach.use(pair, side);
      wasm.positions.value = 0;
      const at = wasm.judgeOutcomes(white, black, block / 64, side, reach.own(pair), into);
      positions += wasm.positions.value;
      if (at >= 0) {
        const { says, least, most } = foundBy(kernels);
        const derived = least >= most ? word(most) : `${word(least)} or ${word(most)}`;
        const wrong = { fen: fenOf(placements, pair, at, side), says: word(says), derived };
        return { audited: { name, positions, wrong }, zeroing };
      }
      zeroing.swap.write(pair * block, bytes);
      await pause();
    }
  }
  return { audited: { name, positions, wrong: null }, zeroing };
}
