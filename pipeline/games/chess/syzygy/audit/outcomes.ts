/**
 * The outcomes that files of WDL tell, in memory: of every index what programs find there, that is what is stored or what the
 * best capture achieves. An ending takes a byte an index; those that were used last are kept, within a budget.
 */
import { UserError } from '../../../../../operators/core/errors.js';
import type { Side } from '../../../../game.js';
import type { SubtableIndex } from '../arrangement.js';
import { BLACK, type Material, materialOf, PAWN } from '../material.js';
import { Outcome } from '../outcome.js';
import { MissingFileError, type SyzygyTables } from '../read/tables.js';
import { newPosition } from './position.js';

/** At an index that is no legal position. */
const NO_BOARD = 255;

export interface Outcomes {
  readonly material: Material;
  /** By file of the leading pawn, and side to move (of like sides, White alone). */
  readonly subtables: readonly (readonly {
    readonly index: SubtableIndex;
    readonly outcomes: Uint8Array;
  }[])[];
}

/** Where a position leads that has lost a man or a pawn, or has not: whose outcomes, and where its men are among ours. */
export interface Target {
  /** Null: nobody can win. */
  readonly of: Outcomes | null;
  /** By whether colours are exchanged: of each man of the target the number of ours. */
  readonly slots: readonly [readonly number[] | null, readonly number[] | null];
}

export interface OutcomesSource {
  /** Finds the outcomes of a material under either name. Throws MissingFileError, UserError if the budget is too small. */
  load(material: Material): Promise<Outcomes>;
  /** Has `work` done with outcomes that stay in memory meanwhile, and with so many bytes of other use. */
  keeping<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** While a subtable is decoded, it takes two bytes an index besides. */
const DECODED = 2;

/** @param pause called between subtables. */
export function newOutcomesSource(
  tables: SyzygyTables,
  memory: number,
  pause: () => Promise<void>,
): OutcomesSource {
  const known = new Map<string, Outcomes>();
  /** Names in use, by how many works. */
  const used: Set<string>[] = [];
  let held = 0;

  function reserve(bytes: number, name: string): void {
    for (const [oldest, outcomes] of known) {
      if (held + bytes <= memory) break;
      if (used.some((names) => names.has(oldest))) continue;
      known.delete(oldest);
      held -= sizeOf(outcomes);
    }
    if (held + bytes > memory) {
      throw new UserError(
        `${name}: with the endings that it converts to it needs ${held + bytes} bytes of memory, --memory allows ${memory}`,
      );
    }
    held += bytes;
  }

  async function keeping<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    used.push(new Set());
    try {
      reserve(bytes, 'what is compared');
      try {
        return await work();
      } finally {
        held -= bytes;
      }
    } finally {
      used.pop();
    }
  }

  async function load(material: Material): Promise<Outcomes> {
    const file = await tables.file(material, 'wdl');
    if (file === null) {
      const turned = turnedOf(material);
      if ((await tables.file(turned, 'wdl')) === null)
        throw new MissingFileError(`${material.name}.rtbw is missing`);
      return load(turned);
    }
    const { name } = material;
    let found = known.get(name);
    if (found === undefined) {
      const sizes = file.subtables.flat().map(({ index }) => index.size);
      const extra = DECODED * Math.max(...sizes);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      found = await keeping(bytes + extra, async () => {
        const targets = await targetsOf(material, { load }, true);
        const subtables = [];
        for (const some of file.subtables) {
          const filled = [];
          for (const subtable of some) {
            const values = await file.values(subtable);
            const { index, side } = subtable;
            filled.push({ index, outcomes: resolve(material, index, side, values, targets) });
            await pause();
          }
          subtables.push(filled);
        }
        return { material, subtables };
      });
      reserve(bytes, name);
    } else known.delete(name);
    known.set(name, found);
    used.at(-1)?.add(name);
    return found;
  }

  return { load, keeping };
}

function sizeOf({ subtables }: Outcomes): number {
  return subtables.flat().reduce((sum, { outcomes }) => sum + outcomes.length, 0);
}

/** Outcomes as programs find them: what is stored, or what the best capture achieves. */
function resolve(
  material: Material,
  index: SubtableIndex,
  side: Side,
  values: Uint16Array,
  targets: Targets,
): Uint8Array {
  const position = newPosition(material);
  const squares = new Uint8Array(material.men.length);
  const outcomes = new Uint8Array(index.size).fill(NO_BOARD);
  const other = side === 0 ? 1 : 0;
  let best = 0;
  const show = (man: number, captured: number, promotion: number) => {
    best = Math.max(
      best,
      Outcome.win - lookUp(targets.of(man, captured, promotion), position.squares, other),
    );
  };
  for (let at = 0; at < index.size; at++) {
    index.decode(at, squares);
    position.place(squares);
    if (!position.isLegal(side)) continue;
    best = 0;
    position.moves(side, true, show);
    outcomes[at] = Math.max(best, Math.min(values[at], NO_BOARD - 1));
  }
  return outcomes;
}

export interface Targets {
  /** Where the position is after a move: see `ShowMove`. */
  of(man: number, captured: number, promotion: number): Target;
}

const LETTERS = '.PNBRQ';

/**
 * Loads the outcomes of all that moves of a material lead to: its own, those of promotions and of captures; or of captures
 * alone. Throws as `load` does.
 */
export async function targetsOf(
  material: Material,
  { load }: Pick<OutcomesSource, 'load'>,
  capturesOnly: boolean,
): Promise<Targets> {
  const targets: Target[] = [];
  const number = (man: number, captured: number, promotion: number) =>
    (man * 8 + captured + 1) * 8 + promotion;
  const { men } = material;
  for (const [man, code] of men.entries()) {
    const becomes = code % BLACK === PAWN ? [0, 2, 3, 4, 5] : [0];
    for (let captured = -1; captured < men.length; captured++) {
      const isFoe = captured > 1 && men[captured] > BLACK !== code > BLACK;
      if (captured >= 0 ? !isFoe : capturesOnly) continue;
      for (const promotion of becomes) {
        const after: (number | null)[] = men.map((was, i) => (i === captured ? null : was));
        if (promotion > 0) after[man] = promotion + (code > BLACK ? BLACK : 0);
        targets[number(man, captured, promotion)] = await targetOf(after, load);
      }
    }
  }
  return { of: (man, captured, promotion) => targets[number(man, captured, promotion)] };
}

async function targetOf(after: readonly (number | null)[], load: OutcomesSource['load']): Promise<Target> {
  const letters = (isBlack: boolean) =>
    after
      .filter((code, man) => man > 1 && code !== null && code > BLACK === isBlack)
      .sort((a, b) => b! - a!)
      .map((code) => LETTERS[code! % BLACK])
      .join('');
  const [white, black] = [letters(false), letters(true)];
  if (white + black === '') return { of: null, slots: [null, null] };
  const of = await load(materialOf(white, black));
  const slots = (turned: boolean): number[] | null => {
    const free = [...after];
    const found = of.material.men.map((code) => {
      const man = free.indexOf(turned ? code ^ BLACK : code);
      if (man >= 0) free[man] = null;
      return man;
    });
    return found.includes(-1) ? null : found;
  };
  return { of, slots: [slots(false), slots(true)] };
}

const moved = new Uint8Array(8);

/** The outcome for the side to move of a position: squares of our men, those that were captured off the board. */
export function lookUp({ of, slots }: Target, squares: Uint8Array, side: Side): number {
  if (of === null) return Outcome.draw;
  const { material, subtables } = of;
  // Files of like sides hold White's moves alone.
  const turned = slots[0] === null || (material.symmetric && side === 1);
  const from = slots[turned ? 1 : 0]!;
  const turn = turned ? 56 : 0;
  for (let man = 0; man < from.length; man++) moved[man] = squares[from[man]] ^ turn;
  const mover = turned ? 1 - side : side;
  for (const sides of subtables) {
    const { index, outcomes } = sides[material.symmetric ? 0 : mover];
    const at = index.encode(moved);
    if (at >= 0) return outcomes[at];
  }
  throw new Error('a legal position has an index');
}

function turnedOf({ name }: Material): Material {
  const [white, black] = name.split('v');
  return materialOf(black.slice(1), white.slice(1));
}
