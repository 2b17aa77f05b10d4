/**
 * Derives what files of an ending say from what they say of the positions that moves lead to. Outcomes first: who moves has the
 * best of its moves. Plies, then, make sure that no win is told that makes no progress: a win is one ply from the best reply,
 * a loss one from the longest. Files that tell plies in pairs are right if what is derived can be what is told.
 */
import type { Side } from '../../../../game.js';
import { formatFen } from '../../fen.js';
import { fileName } from '../layout.js';
import type { Material } from '../material.js';
import { Outcome, RULE } from '../outcome.js';
import type { StoredSubtable } from '../read/head.js';
import { boardOf } from '../read/mirrors.js';
import { MissingFileError, type SyzygyTables, storedPlies } from '../read/tables.js';
import { lookUp, type OutcomesSource, type Targets, targetsOf } from './outcomes.js';
import { newPosition, type Position } from './position.js';

/** A position of which a file says another thing than its moves. */
export interface Wrong {
  readonly fen: string;
  /** "win in 5", "draw". */
  readonly says: string;
  readonly derived: string;
}

export interface Audited {
  readonly name: string;
  /** Positions that were derived. */
  readonly positions: number;
  /** The first that is wrong, in the order of the file; null if none is. */
  readonly wrong: Wrong | null;
}

export interface AuditOptions {
  readonly tables: SyzygyTables;
  readonly source: OutcomesSource;
  readonly material: Material;
  /** Called between stretches of positions. */
  readonly pause: () => Promise<void>;
}

/**
 * Audits both files of an ending; plies only if all outcomes are right, for they are derived from these. Throws
 * MissingFileError if a file is missing that it converts to, UserError if the budget is too small, StorageError.
 */
export function auditEnding(options: AuditOptions): Promise<Audited[]> {
  const { source, material } = options;
  return source.keeping(0, async () => {
    const targets = await targetsOf(material, source, false);
    const own = await source.load(material);
    const ending: Ending = { ...options, moves: newMoves(material, targets), targets };
    const found: Audited[] = [await auditOutcomes(ending, own.subtables)];
    if (found[0].wrong === null) found.push(await auditPlies(ending));
    return found;
  });
}

interface Ending extends AuditOptions {
  readonly moves: Moves;
  readonly targets: Targets;
}

/** Positions between pauses. */
const STRETCH = 1 << 14;

/** Shows the legal positions of an index in its order until `check` finds one that is wrong. */
async function eachPosition(
  { material, moves: { position }, pause }: Ending,
  { index, side }: Pick<StoredSubtable, 'index' | 'side'>,
  check: (at: number) => Wrong | null,
): Promise<{ positions: number; wrong: Wrong | null }> {
  const squares = new Uint8Array(material.men.length);
  let positions = 0;
  for (let at = 0; at < index.size; at++) {
    if (at % STRETCH === 0) await pause();
    index.decode(at, squares);
    position.place(squares);
    if (!position.isLegal(side)) continue;
    positions++;
    const wrong = check(at);
    if (wrong !== null) return { positions, wrong };
  }
  return { positions, wrong: null };
}

const WORDS = ['loss', 'blessed loss', 'draw', 'cursed win', 'win'] as const;
const word = (outcome: number) => WORDS[outcome] ?? `the number ${outcome}`;

async function auditOutcomes(
  ending: Ending,
  subtables: readonly (readonly {
    readonly index: StoredSubtable['index'];
    readonly outcomes: Uint8Array;
  }[])[],
): Promise<Audited> {
  const name = fileName(ending.material, 'wdl');
  let all = 0;
  for (const sides of subtables) {
    for (const [number, { index, outcomes }] of sides.entries()) {
      const side = number as Side;
      const { positions, wrong } = await eachPosition(ending, { index, side }, (at) => {
        const { least, most } = ending.moves.outcome(side);
        if (least <= outcomes[at] && outcomes[at] <= most) return null;
        const derived = least === most ? word(most) : `${word(least)} or ${word(most)}`;
        return { fen: fenOf(ending, side), says: word(outcomes[at]), derived };
      });
      all += positions;
      if (wrong !== null) return { name, positions: all, wrong };
    }
  }
  return { name, positions: all, wrong: null };
}

function fenOf({ material, moves: { position } }: Ending, side: Side): string {
  return formatFen(boardOf(material, position.squares, side));
}

/** The moves of a position that was placed, and what they are worth. */
interface Moves {
  readonly position: Position;
  /**
   * The outcome for the side to move by its moves, which two numbers bound: a win in the 100 plies of the rule is one ply longer before
   * a move that zeroes nothing, hence no win any more. Plies decide.
   */
  outcome(side: Side): { least: number; most: number };
  /**
   * Shows what each legal move is worth for the player who makes it, during the move; `zeroing`: a capture or a move of a pawn. Returns
   * how many there are.
   */
  each(side: Side, show: (outcome: number, zeroing: boolean) => void): number;
}

function newMoves(material: Material, targets: Targets): Moves {
  const position = newPosition(material);
  const isPawn = material.men.map((code) => (code & 7) === 1);

  /** After a pawn has passed others: one of them may capture it, and must if nothing else can be played. */
  function afterPassing(pawn: number, side: Side, stored: number): number {
    const next = side === 0 ? 1 : 0;
    let best = -1;
    const captures = position.passing(pawn, (man, captured) => {
      best = Math.max(best, Outcome.win - lookUp(targets.of(man, captured, 0), position.squares, next));
    });
    if (captures === 0) return stored;
    const others = position.moves(side, false, () => {});
    return others === 0 ? best : Math.max(best, stored);
  }

  function each(side: Side, show: (outcome: number, zeroing: boolean) => void): number {
    const other = side === 0 ? 1 : 0;
    return position.moves(side, false, (man, captured, promotion, passed) => {
      const stored = lookUp(targets.of(man, captured, promotion), position.squares, other);
      const after = passed ? afterPassing(man, other, stored) : stored;
      show(Outcome.win - after, captured >= 0 || isPawn[man]);
    });
  }

  return {
    position,
    each,
    outcome(side) {
      let least = -1;
      let most = -1;
      const count = each(side, (outcome, zeroing) => {
        least = Math.max(least, !zeroing && outcome === Outcome.win ? Outcome.cursedWin : outcome);
        most = Math.max(most, !zeroing && outcome === Outcome.loss ? Outcome.blessedLoss : outcome);
      });
      if (count === 0) least = most = position.inCheck(side) ? Outcome.loss : Outcome.draw;
      return { least, most };
    },
  };
}

/** Plies and whether there may be one more, in one number: 2 * plies + 1 if so. */
const NO_PLIES = 0xffff;

/** What moves say of the plies of a position that is won or lost; see {@link NO_PLIES}. */
function derivePlies(
  { moves }: Ending,
  side: Side,
  outcome: number,
  pliesAfter: () => number,
): { least: number; most: number } {
  const wins = outcome > Outcome.draw;
  let least = wins ? Number.POSITIVE_INFINITY : 0;
  let most = least;
  moves.each(side, (worth, zeroing) => {
    if (wins !== worth > Outcome.draw || worth === Outcome.draw) return;
    let [low, high] = [0, 0];
    if (zeroing) low = high = worth === Outcome.win || worth === Outcome.loss ? 1 : RULE + 1;
    else {
      const after = pliesAfter();
      if (after === NO_PLIES) return;
      low = (after >> 1) + 1;
      high = low + (after & 1);
    }
    least = wins ? Math.min(least, low) : Math.max(least, low);
    most = wins ? Math.min(most, high) : Math.max(most, high);
  });
  const isCursed = outcome === Outcome.cursedWin || outcome === Outcome.blessedLoss;
  return isCursed ? { least: Math.max(least, RULE + 1), most } : { least, most: Math.min(most, RULE) };
}

/** Bytes an index while plies are derived: the file's values, and the plies of either side. */
const PLIES_BYTES = 6;

async function auditPlies(ending: Ending): Promise<Audited> {
  const { tables, material, source } = ending;
  const name = fileName(material, 'dtz');
  const file = await tables.file(material, 'dtz');
  if (file === null) throw new MissingFileError(`${name} is missing`);
  const subtables = file.subtables.map(([only]) => only);
  const sizes = subtables.map(({ index }) => index.size);
  const size = material.symmetric ? sizes.reduce((sum, one) => sum + one, 0) : Math.max(...sizes);
  return source.keeping(PLIES_BYTES * size, async () => {
    /** For each file of the leading pawn: what the file tells. Positions of like sides lead from one to the other. */
    const told: Uint16Array[] = [];
    let all = 0;
    for (const subtable of subtables) {
      const { plies, positions, wrong } = await toldPlies(ending, subtable, await file.values(subtable));
      if (wrong !== null) return { name, positions, wrong };
      told.push(plies);
      if (material.symmetric) continue;
      const found = await comparePlies(ending, subtables, told, told.length - 1);
      all += found.positions;
      if (found.wrong !== null) return { name, positions: all, wrong: found.wrong };
      told[told.length - 1] = new Uint16Array(0);
    }
    for (let number = 0; material.symmetric && number < subtables.length; number++) {
      const found = await comparePlies(ending, subtables, told, number);
      all += found.positions;
      if (found.wrong !== null) return { name, positions: all, wrong: found.wrong };
    }
    return { name, positions: all, wrong: null };
  });
}

/** The plies that programs find: where a zeroing move wins as much they need no file. */
async function toldPlies(ending: Ending, subtable: StoredSubtable, values: Uint16Array) {
  const { targets, moves } = ending;
  const { index, side } = subtable;
  const plies = new Uint16Array(index.size).fill(NO_PLIES);
  const found = await eachPosition(ending, subtable, (at) => {
    const outcome = lookUp(targets.of(0, -1, 0), moves.position.squares, side);
    if (outcome === Outcome.draw) return null;
    let best = -1;
    const count = moves.each(side, (worth, zeroing) => {
      if (zeroing && worth > best) best = worth;
    });
    if (count === 0) plies[at] = 0;
    else if (outcome > Outcome.draw && best === outcome) {
      plies[at] = 2 * (outcome === Outcome.win ? 1 : RULE + 1);
    } else {
      const stored = storedPlies(subtable, outcome as Outcome, values[at]);
      if (stored === null) return { fen: fenOf(ending, side), says: 'no plies', derived: word(outcome) };
      plies[at] = 2 * stored.plies + (stored.precise ? 0 : 1);
    }
    return null;
  });
  return { plies, ...found };
}

/** Compares what a subtable tells with what is derived from what is told of the positions two plies on. */
async function comparePlies(
  ending: Ending,
  subtables: readonly StoredSubtable[],
  told: readonly Uint16Array[],
  number: number,
) {
  const { material, moves, targets } = ending;
  const { position } = moves;
  const subtable = subtables[number];
  const { index, side } = subtable;
  const other = side === 0 ? 1 : 0;
  const outcomeOf = (mover: Side) => lookUp(targets.of(0, -1, 0), position.squares, mover);
  let after = (): number => turnedPlies(position.squares, subtables, told);
  if (!material.symmetric) {
    const between = new Uint16Array(index.size).fill(NO_PLIES);
    const found = await eachPosition(ending, { index, side: other }, (at) => {
      const outcome = outcomeOf(other);
      if (outcome === Outcome.draw) return null;
      const { least, most } = derivePlies(
        ending,
        other,
        outcome,
        () => told[number][index.encode(position.squares)],
      );
      // Who wins by no move: the position before it will tell.
      if (!Number.isFinite(least)) return null;
      // The outcome is on the other side of the 50-move rule.
      if (least > most) {
        const isCursed = outcome === Outcome.cursedWin || outcome === Outcome.blessedLoss;
        const derived = `${outcome > Outcome.draw ? 'a win' : 'a loss'} in ${isCursed ? most : least}`;
        return { fen: fenOf(ending, other), says: word(outcome), derived };
      }
      between[at] = 2 * least + (most > least ? 1 : 0);
      return null;
    });
    if (found.wrong !== null) return found;
    after = () => between[index.encode(position.squares)];
  }
  return eachPosition(ending, subtable, (at) => {
    const plies = told[number][at];
    if (plies === NO_PLIES) return null;
    const outcome = outcomeOf(side);
    const { least, most } = derivePlies(ending, side, outcome, after);
    const says = plies >> 1;
    if (says <= most && says + (plies & 1) >= least) return null;
    const derived = Number.isFinite(least) ? `${word(outcome)} in ${least}` : 'no move that keeps it';
    return { fen: fenOf(ending, side), says: `${word(outcome)} in ${says}`, derived };
  });
}

const turned = new Uint8Array(8);

/** Like sides: the plies of Black to move are those of White with the colours exchanged. */
function turnedPlies(
  squares: Uint8Array,
  subtables: readonly StoredSubtable[],
  told: readonly Uint16Array[],
): number {
  const half = squares.length / 2 - 1;
  turned[0] = squares[1] ^ 56;
  turned[1] = squares[0] ^ 56;
  for (let man = 0; man < half; man++) {
    turned[2 + man] = squares[2 + half + man] ^ 56;
    turned[2 + half + man] = squares[2 + man] ^ 56;
  }
  for (const [number, { index }] of subtables.entries()) {
    const at = index.encode(turned);
    if (at >= 0) return told[number][at];
  }
  throw new Error('a legal position has an index');
}
