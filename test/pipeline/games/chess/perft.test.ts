/**
 * Moves, unmoves and conversions of random positions of random material to six men, beside the plain rules
 * (pipeline/games/chess/rules.ts), which share nothing with the kernels. The material of each run is another one. The title of a test
 * names its seed; MERGEMATE_TEST_SEED draws the same again.
 */
import { expect, it } from 'vitest';
import { setsOfKeys } from '../../../../pipeline/engine/memory/rows.js';
import type { Address, RowLabels, SetColumns, Side, Slice } from '../../../../pipeline/game/game.js';
import { planesBytes } from '../../../../pipeline/game/labels.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { keysOfSet } from '../../../support/keys-of-sets.js';
import { LONG, LONGEST } from '../../../support/long.js';
import { randomPositions } from '../../../support/random-positions.js';
import { boardAt, compareWithRules, imagesOf, randomNumbers, ruleSuccessors } from './kernel-rows.js';

/** Materials of a run, and positions of each. */
const MATERIALS = LONGEST ? 600 : LONG ? 40 : 8;
const POSITIONS = LONG ? 8 : 4;

const first = Number(process.env.MERGEMATE_TEST_SEED ?? Date.now() % 1_000_000);
const seeds = Array.from({ length: MATERIALS }, (_, i) => first + i);

/** A name such as "KRPKB", of three to six men. Every third material has pawns that may meet. */
function materialOf(random: () => number, meeting: boolean): string {
  const men: [string, string] = meeting ? ['P', 'P'] : ['', ''];
  const most = 1 + (random() % 4);
  while (men[0].length + men[1].length < most) men[random() & 1] += 'QRBNP'[random() % 5];
  return `K${men[0]}K${men[1]}`;
}

const nameOf = ({ slice, side, part, key }: Address) => `${slice} ${side} ${part} ${key}`;

/** How often each of some things comes. */
function tally(all: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const each of all) times.set(each, (times.get(each) ?? 0) + 1);
  return times;
}

function setOf({ part, key }: Address): SetColumns {
  return setsOfKeys({ major: part, minor: Uint32Array.of(key), length: 1, payload: [] });
}

function columns(length: number) {
  const column = () => new Uint32Array(length);
  return { length: 0, major: column(), minor: column(), low: column(), high: column() };
}

/** The positions that unmoves lead to, each as often as it is struck: within the part, where all counts are the greatest, and beyond. */
function unmovesOf(slice: Slice, labels: RowLabels, counts: Uint8Array, at: Address): Address[] {
  const mover = (1 - at.side) as Side;
  const planes = slice.rowKernels!.countPlanes[mover];
  const words = new Int32Array(counts.buffer, counts.byteOffset, planesBytes(planes, slice.width) / 4).fill(
    -1,
  );
  const found: Address[] = [];
  const add = (part: number, key: number) => found.push({ slice: slice.name, side: mover, part, key });
  labels.label('all', mover, counts, at.part);
  labels.strikeWithin(at.side, at.part, setOf(at), 1);
  // A row has two words of each plane.
  for (let word = 0; word < words.length; word++) {
    for (let struck = ~words[word]; struck !== 0; struck &= struck - 1) {
      const bit = 31 - Math.clz32(struck & -struck);
      const plane = (word >> 1) % planes;
      const row = Math.floor((word >> 1) / planes);
      const key = 64 * row + 32 * (word & 1) + bit;
      // 2 ** planes - 1 less the count has the digits that are zero now.
      for (let times = 0; times < 1 << plane; times++) add(at.part, key);
    }
  }
  while (labels.hasLabelled()) labels.drain();
  const out = columns(64 * slice.maxMoves + 2000);
  labels.unmovesBeyond(at.side, at.part, setOf(at), { from: 0, to: 1 }, 0, out, 'all');
  for (let i = 0; i < out.length; i++) for (const key of keysOfSet(out, i)) add(out.major[i], key);
  return found;
}

/** The positions of a slice that conversions by `side` lead from to one of a dependency, each as often as there are such. */
function unconversionsOf(slice: Slice, side: Side, there: Address): Address[] {
  const conversions = slice.rowConversions!;
  const dependency = slice.dependencies.findIndex((each) => each.slice === there.slice);
  const link = { side, dependency, sideThere: there.side };
  const form = conversions.emits(link);
  const { length, major, minor, low, high } = columns(64 * slice.maxMoves);
  const out = form === 'sets' ? { length, major, minor, low, high } : { length, major, minor };
  conversions.unconversions(link, there.part, setOf(there), { from: 0, to: 1 }, 0, out);
  return Array.from({ length: out.length }, (_, i) => i).flatMap((i) => {
    const keys = form === 'sets' ? keysOfSet({ minor, low, high }, i) : [minor[i]];
    return keys.map((key) => ({ slice: slice.name, side, part: major[i], key }));
  });
}

/**
 * Compares what leads to a position, to any of its indices, by the kernels, with the moves of each predecessor, by the rules. `predecessors`
 * that are not legal count for nothing.
 */
function comparePredecessors(to: Address, predecessors: readonly Address[], known: Address): void {
  const times = tally(predecessors.map(nameOf));
  expect([...times.keys()], `${nameOf(to)} is led to by ${nameOf(known)}`).toContain(nameOf(known));
  for (const from of new Map(predecessors.map((each) => [nameOf(each), each])).values()) {
    const board = boardAt(from);
    if (board === null) continue;
    const { moves, conversions } = ruleSuccessors(board, from.slice);
    const wanted = [...moves, ...conversions].filter((each) => each === nameOf(to)).length;
    const link = `${chess.format(board)} (${nameOf(from)}) to ${nameOf(to)}`;
    expect({ link, times: times.get(nameOf(from)) }).toEqual({ link, times: wanted });
  }
}

function addressOf(name: string): Address {
  const [slice, side, part, key] = name.split(' ');
  return { slice, side: Number(side) as Side, part: Number(part), key: Number(key) };
}

it.each(seeds)(
  'seed %i: successors and predecessors are those of the rules',
  { timeout: 120_000 },
  (seed) => {
    const random = randomNumbers(seed * 2654435761);
    for (let i = 0; i < 8; i++) random();
    const meeting = random() % 3 === 0;
    const material = materialOf(random, meeting);
    for (const board of randomPositions(material, POSITIONS, { seed: random(), passant: meeting })) {
      const at = chess.locate(board);
      const slice = chess.slice(at.slice);
      // Two kings alone have no rows.
      if (slice.rowKernels === undefined) continue;
      expect(compareWithRules(at.slice, at.side, at.part, at.key, 1)).toBe(1);
      const { moves, conversions } = ruleSuccessors(boardAt(at)!, at.slice);
      const counts = planesBytes(Math.max(...slice.rowKernels.countPlanes), slice.width);
      const labels = slice.rowKernels.open(counts);
      const memory = labels.allocate(counts);
      const few = <T>(all: readonly T[]) => all.filter((_, i) => i % Math.ceil(all.length / 3) === 0);
      for (const to of few([...new Set(moves)]).map(addressOf)) {
        const predecessors = imagesOf(to).flatMap((image) => unmovesOf(slice, labels, memory, image));
        comparePredecessors(to, predecessors, at);
      }
      labels.close();
      for (const to of few([...new Set(conversions)]).map(addressOf)) {
        const predecessors = imagesOf(to).flatMap((image) => unconversionsOf(slice, at.side, image));
        comparePredecessors(to, predecessors, at);
      }
    }
  },
);
