/** Checks of one position: the kernels that answer for it, against the rules of the game. */
import { newCensus } from '../game/fill-census.js';
import { type Address, type Slice, Status } from '../game/game.js';
import { hasBit, MAX_COUNT } from '../game/labels.js';
import { times } from '../games/yours/definition.js';
import { conversionsFrom, movesFrom } from './kernels.js';
import { addressText, countOf, home, isRepeat, type Subject } from './subject.js';
import type { ContractRule, Fault } from './violation.js';

export interface PositionCheck {
  readonly rule: ContractRule;
  /** Holds for every index, not for legal positions alone. */
  readonly anyIndex?: true;
  /** Dear checks are made of every so many positions. */
  readonly every: number;
  /** Why the slice cannot be asked; absent kernels are no fault. */
  absent?(subject: Subject): string | null;
  check(subject: Subject, at: Address): Fault | null;
}

const STATUS_WORDS = ['broken', 'open', 'lost', 'drawn'] as const;

/** Why a check of `kernel` leaves a slice out: the slice lacks it, or the kernel that it is compared with. Null if it has both. */
export function lacking({ slice }: Subject, kernel: keyof Slice, compared?: keyof Slice): string | null {
  if (slice[kernel] === undefined) return `the slice has no ${kernel}`;
  if (compared === undefined || slice[compared] !== undefined) return null;
  return `the slice has no ${compared} to compare with`;
}

export function withoutDependencies({ slice }: Subject): string | null {
  return slice.dependencies.length === 0 ? 'the slice has no dependencies' : null;
}

/** Absent where the game has no boards: nothing can be asked of the rules. */
export function withoutBoards({ hasBoards }: Subject): string | null {
  return hasBoards ? null : 'no pieces, no boards';
}

/** The first text that two lists do not hold equally often. */
export function firstDifference(
  seen: readonly string[],
  wanted: readonly string[],
): { readonly text: string; readonly seen: number; readonly wanted: number } | null {
  const [a, b] = [countOf(seen), countOf(wanted)];
  for (const text of [...b.keys(), ...a.keys()]) {
    const [left, right] = [a.get(text) ?? 0, b.get(text) ?? 0];
    if (left !== right) return { text, seen: left, wanted: right };
  }
  return null;
}

/** The fault that two lists do not hold some text equally often. @param kernel names it, before the text and how often it was seen. */
export function differenceFault(
  seen: readonly string[],
  wanted: readonly string[],
  kernel: string,
  rules: string,
): Fault | null {
  const difference = firstDifference(seen, wanted);
  return (
    difference && {
      kernel: `${kernel} ${difference.text} ${times(difference.seen)}`,
      rules: `${rules} ${times(difference.wanted)}`,
    }
  );
}

function index(subject: Subject, at: Address): Fault | null {
  const isLegal = subject.isLegal(at.side, at.part, at.key);
  const found = subject.boardAt(at);
  if (typeof found === 'string')
    return isLegal ? { kernel: 'census calls the index legal', rules: found } : null;
  if (!isLegal)
    return {
      kernel: 'census calls the index broken',
      rules: `${found.text} is a legal position that has it`,
    };
  const { game, slice, mirrored } = subject;
  const there = game.locate(found.board);
  if (mirrored && at.side === 1) return null;
  const isRight = isRepeat(slice, at)
    ? there.slice === slice.name && !isRepeat(slice, there)
    : addressText(there) === addressText(at);
  return isRight
    ? null
    : { kernel: `board is located at ${addressText(there)}`, rules: `it is the board at ${addressText(at)}` };
}

/** Names the real fault of games whose functions are not pure, before other checks fail by it. */
function again(subject: Subject, at: Address): Fault | null {
  const { game } = subject;
  const found = subject.boardAt(at);
  if (typeof found === 'string') return null;
  const { board } = found;
  const answers = () => ({
    terminal: game.terminal(board),
    moves: game.moves(board).map((move) => addressText(home(game, game.locate(move.board)))),
  });
  const [first, second] = [answers(), answers()];
  if (first.terminal !== second.terminal)
    return {
      kernel: 'terminal differs when it is asked twice',
      rules: `it was ${first.terminal} at first, then ${second.terminal}`,
    };
  const move = firstDifference(second.moves, first.moves);
  return move === null
    ? null
    : {
        kernel: 'moves differ when they are asked twice',
        rules: `at first ${times(move.wanted)} to ${move.text}, then ${times(move.seen)}`,
      };
}

function terminal(subject: Subject, at: Address): Fault | null {
  const { game } = subject;
  const { board, terminal } = subject.ruled(at);
  const moves = game.moves(board);
  if ((terminal === 'open') !== moves.length > 0)
    return { kernel: `terminal says ${terminal}`, rules: `there are ${moves.length} moves` };
  const colours = [game.colours[at.side], game.colours[1 - at.side]];
  if (game.mover(board) !== colours[0])
    return { kernel: `the index is of ${colours[0]} to move`, rules: `mover says ${game.mover(board)}` };
  const same = moves.find((move) => game.mover(move.board) !== colours[1]);
  return same === undefined
    ? null
    : { kernel: `${same.uci} leads to a board with ${colours[0]} to move`, rules: 'the players take turns' };
}

function census(subject: Subject, at: Address): Fault | null {
  const ruled = subject.ruled(at);
  const seen = censusOf(subject.slice, at, at.key, 1, 0);
  const rules = `${ruled.terminal}, ${ruled.moves.length} moves in the slice, ${ruled.conversions.length} out of it`;
  const kernel = `census says ${STATUS_WORDS[seen.status]}, ${seen.moves - seen.conversions} moves in the slice, ${seen.conversions} out of it`;
  if (ruled.moves.length + ruled.conversions.length > MAX_COUNT)
    return { kernel: `out-counts go to ${MAX_COUNT}`, rules };
  return kernel === `census says ${rules}` ? null : { kernel, rules: `the rules say ${rules}` };
}

interface CensusOfIndex {
  readonly status: number;
  readonly moves: number;
  readonly conversions: number;
  /** The contradiction within the census, or null. */
  readonly problem: string | null;
}

/** The answer of an interval's census for the index `at` in it. */
function censusOf(slice: Slice, at: Address, first: number, length: number, i: number): CensusOfIndex {
  const out = newCensus(length);
  for (const column of [out.counts, out.conversions, out.open]) column.fill(0xa5);
  slice.census(at.side, at.part, first, length, out);
  const lost = out.lostKeys.subarray(0, out.lost);
  const isLost = lost.includes(first + i);
  const isOpen = hasBit(out.open, i);
  const count = out.counts[i];
  const status = isOpen
    ? Status.open
    : isLost
      ? Status.lost
      : count > MAX_COUNT
        ? Status.drawn
        : Status.broken;
  const moves = isOpen ? count : 0;
  return {
    status,
    moves,
    conversions: out.conversions[i],
    problem: problemOf(slice, at, first, length, out),
  };
}

function problemOf(
  slice: Slice,
  at: Address,
  first: number,
  length: number,
  out: ReturnType<typeof newCensus>,
): string | null {
  const lost = out.lostKeys.subarray(0, out.lost);
  const isLost = new Set(lost);
  let legal = 0;
  let drawn = 0;
  for (let i = 0; i < length; i++) {
    const [count, leaving, isOpen] = [out.counts[i], out.conversions[i], hasBit(out.open, i)];
    const isDrawn = count > MAX_COUNT;
    if (isOpen || isLost.has(first + i) || isDrawn) legal++;
    if (isDrawn) drawn++;
    const kinds = Number(isOpen) + Number(isLost.has(first + i)) + Number(isDrawn);
    const where = `key ${first + i} has count ${count}, ${leaving} conversions`;
    if (kinds > 1) return `${where} and is more than one of open, lost and drawn`;
    if (isOpen !== (count > 0 && !isDrawn)) return `${where} and is ${isOpen ? '' : 'not '}marked open`;
    if (leaving > (isOpen ? count : 0)) return `${where}, more than it has moves`;
  }
  if (legal !== out.legal || drawn !== out.drawn)
    return `legal and drawn are ${out.legal} and ${out.drawn}, counted ${legal} and ${drawn}`;
  if (lost.some((key, n) => key < first || key >= first + length || (n > 0 && key <= lost[n - 1])))
    return 'lostKeys are not ascending keys of the interval';
  if (length % 8 > 0 && out.open[length >> 3] >> (length % 8) !== 0)
    return 'the last byte of open is not filled up with 0';
  const again = { ...newCensus(length), conversions: null };
  slice.census(at.side, at.part, first, length, again);
  const same =
    again.counts.every((count, i) => count === out.counts[i]) &&
    again.open.every((byte, i) => byte === out.open[i]) &&
    [again.lost, again.legal, again.drawn].join() === [out.lost, out.legal, out.drawn].join();
  return same ? null : 'it tells something else if nobody asks for conversions';
}

/** How far intervals reach before and after the index. */
const REACHES: readonly (readonly [before: number, behind: number])[] = [
  [0, 9],
  [1, 0],
  [7, 64],
  [65, 3],
];

function intervals({ slice }: Subject, at: Address): Fault | null {
  const alone = censusOf(slice, at, at.key, 1, 0);
  const size = slice.partSize(at.part);
  for (const [before, behind] of REACHES) {
    const first = Math.max(0, at.key - before);
    const length = Math.min(size, at.key + behind + 1) - first;
    const there = `census of keys ${first} to ${first + length - 1}`;
    const among = censusOf(slice, at, first, length, at.key - first);
    if (among.problem !== null)
      return { kernel: `${there}: ${among.problem}`, rules: 'a census agrees with itself' };
    for (const what of ['status', 'moves', 'conversions'] as const) {
      if (among[what] !== alone[what])
        return {
          kernel: `${there} says ${what} ${among[what]}`,
          rules: `that of the key alone ${alone[what]}`,
        };
    }
  }
  return null;
}

function moves(subject: Subject, at: Address): Fault | null {
  const seen = movesFrom(subject, at).map((to) => addressText(home(subject.game, to)));
  return differenceFault(seen, subject.ruled(at).moves, 'moves emits', 'by the rules');
}

function conversions(subject: Subject, at: Address): Fault | null {
  const { game, slice } = subject;
  const wanted = subject.ruled(at).conversions;
  const named = new Set(slice.dependencies.map((dependency) => dependency.slice));
  const unnamed = wanted.find((text) => !named.has(text.split('/')[0]));
  if (unnamed !== undefined)
    return { kernel: 'no dependency has that name', rules: `a move leads to ${unnamed}` };
  const seen = conversionsFrom(subject, at).map(({ address }) => addressText(home(game, address)));
  return differenceFault(seen, wanted, 'conversions emits', 'by the rules');
}

function maxMoves(subject: Subject, at: Address): Fault | null {
  const { moves, conversions } = subject.ruled(at);
  const most = moves.length + conversions.length;
  return most <= subject.slice.maxMoves
    ? null
    : { kernel: `maxMoves is ${subject.slice.maxMoves}`, rules: `there are ${most} moves` };
}

function colours(subject: Subject, at: Address): Fault | null {
  const { game } = subject;
  const { text, moves, conversions } = subject.ruled(at);
  const flipped = game.board(at, true);
  const there = game.locate(flipped);
  const image = game.format(flipped);
  if (text === image) return { kernel: `flipped it is ${image}, too`, rules: 'the colours are exchanged' };
  if (game.mover(flipped) === game.colours[at.side])
    return { kernel: `flipped it is ${image}`, rules: 'the other player is to move' };
  if (addressText(there) !== addressText(home(game, at)))
    return { kernel: `flipped it is at ${addressText(there)}`, rules: 'it is the same position' };
  const many = game.moves(flipped).length;
  return many === moves.length + conversions.length
    ? null
    : { kernel: `flipped it has ${many} moves`, rules: `else ${moves.length + conversions.length}` };
}

function search(subject: Subject, at: Address): Fault | null {
  const { game, slice } = subject;
  const { dontCare, successors, same } = game.search!;
  const { board, moves, conversions } = subject.ruled(at);
  if (!same(board, board)) return { kernel: 'same says no', rules: 'it is one and the same board' };
  const seen = successors(board).map((after) => addressText(game.locate(after)));
  const difference = differenceFault(seen, [...moves, ...conversions], 'search has', 'by the rules');
  if (difference !== null) return difference;
  if (slice.dontCares === undefined) return null;
  const mark = Uint8Array.of(2);
  slice.dontCares(at.side, at.part, at.key, 1, mark);
  const wanted = dontCare(board) ? 1 : 0;
  return mark[0] === wanted
    ? null
    : { kernel: `dontCares marks ${mark[0]}`, rules: `the search says ${wanted}` };
}

/** Those that need the rules of the game; the mirrors and the capacity of kernels are in files of their own. */
export const positionChecks: readonly PositionCheck[] = [
  { rule: 'index', anyIndex: true, every: 1, absent: withoutBoards, check: index },
  { rule: 'again', every: 1, absent: withoutBoards, check: again },
  { rule: 'terminal', every: 1, absent: withoutBoards, check: terminal },
  { rule: 'census', every: 1, absent: withoutBoards, check: census },
  { rule: 'intervals', anyIndex: true, every: 16, check: intervals },
  { rule: 'moves', every: 1, absent: withoutBoards, check: moves },
  { rule: 'conversions', every: 1, absent: withoutBoards, check: conversions },
  { rule: 'maxMoves', every: 1, absent: withoutBoards, check: maxMoves },
  {
    rule: 'colours',
    every: 4,
    absent: (subject) =>
      withoutBoards(subject) ??
      (subject.game.ending(subject.ending.exchanged).flipped
        ? null
        : 'no name of the slice exchanges its colours'),
    check: colours,
  },
  {
    rule: 'search',
    every: 4,
    absent: (subject) =>
      withoutBoards(subject) ?? (subject.game.search === undefined ? 'the game has no search' : null),
    check: search,
  },
];
