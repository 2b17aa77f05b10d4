/** Rules that a keyed game is checked against, position by position. */
import type { KeyedRules } from '../games/keyed/keyed-rules.js';

/** The rules, each with its requirement. The order is that in which one fault is best explained. */
export const keyedContract = {
  roots: 'there are roots',
  key: 'keys are numbers from 0 to 2^53 - 1 or bigints from 0 to 2^64 - 1, and the position of a key has that key',
  mover: 'mover is 0 or 1',
  ended: "ended is 'won', 'lost', 'drawn' or null",
  score: 'score is an integer from -125 to 125 where the game is over',
  moves: 'moves lists names and positions, each with a key that is read back',
  again: 'key, mover, ended, score and moves give the same whenever they are asked',
  same: 'the position of a key is the one that the key was made of: as to mover, end, score, moves and text',
  symmetries: 'symmetric positions are played alike, and each has the others for symmetries',
  turns: 'players move in turn, to positions that there are; unmoves, symmetries and slices agree with moves',
  text: 'parse reads what format writes',
  diagram: 'diagram is text',
  board: 'board is rows of squares with text, or an <svg> element',
} as const;

/** A rule of {@link keyedContract}. */
export type KeyedRule = keyof typeof keyedContract;

/** Those that ask for what another is about: while that is broken, nothing is known of them. */
export const restsOn: Partial<Record<KeyedRule, readonly KeyedRule[]>> = {
  moves: ['key', 'ended'],
  score: ['ended', 'moves'],
  again: ['mover', 'ended', 'score', 'moves'],
  same: ['key', 'mover', 'ended', 'score', 'moves', 'again'],
  symmetries: ['key', 'mover', 'ended', 'score', 'moves', 'again', 'same'],
  turns: ['key', 'mover', 'ended', 'moves', 'again', 'same'],
  text: ['key'],
  diagram: ['key'],
  board: ['key'],
};

/** The fault of a position, if the rules of the game do not throw by themselves; null if there is none. */
export type KeyedCheck = (game: KeyedRules, position: unknown) => string | null;

export const keyedChecks: readonly (readonly [rule: KeyedRule, check: KeyedCheck])[] = [
  [
    'key',
    (game, position) => {
      game.at(game.ownKeyOf(position));
      return null;
    },
  ],
  [
    'mover',
    (game, position) => {
      game.mover(position);
      return null;
    },
  ],
  [
    'ended',
    (game, position) => {
      game.ended(position);
      return null;
    },
  ],
  [
    'moves',
    (game, position) => {
      const key = game.keyOf(position);
      for (const after of afterMoves(game, position)) game.at(game.ownKeyOf(after));
      return game.keyOf(position) === key ? null : 'moves changes the position that it is given';
    },
  ],
  [
    'score',
    (game, position) => {
      scoreOf(game, position);
      return null;
    },
  ],
  ['again', again],
  ['same', same],
  ['symmetries', symmetries],
  [
    'turns',
    (game, position) => {
      game.examine?.(position);
      return null;
    },
  ],
  [
    'text',
    (game, position) => {
      const text = game.format(position);
      const read = game.ownKeyOf(game.parse(text));
      const key = game.ownKeyOf(position);
      if (read === key) return null;
      const { what, shown } = game.words;
      return `its ${what} is ${shown(key)}, but parse makes of its text ${game.format(game.at(read))}, whose ${what} is ${shown(read)}`;
    },
  ],
  [
    'diagram',
    (game, position) => {
      game.diagram(position);
      return null;
    },
  ],
  [
    'board',
    (game, position) => {
      game.board?.(position);
      return null;
    },
  ],
];

const ANSWERS: readonly (readonly [string, (game: KeyedRules, position: unknown) => string])[] = [
  ['key', (game, position) => game.words.shown(game.keyOf(position))],
  ['mover', (game, position) => String(game.mover(position))],
  ['ended', (game, position) => String(game.ended(position))],
  ['score', scoreOf],
  ['moves', movesText],
];

/** Repetitions of a question: answers that differ by chance do not differ each time. */
const TIMES = 3;

function again(game: KeyedRules, position: unknown): string | null {
  for (const [what, ask] of ANSWERS) {
    const first = ask(game, position);
    for (let time = 1; time < TIMES; time++) {
      const next = ask(game, position);
      if (next !== first)
        return `${what} ${what === 'moves' ? 'differ when they are' : 'differs when it is'} asked twice: ${first || 'none'}, then ${next || 'none'}`;
    }
  }
  return null;
}

/** Where moves lead, as texts of positions. */
function movesText(game: KeyedRules, position: unknown): string {
  const keys = afterMoves(game, position).map(game.keyOf).sort(ascending);
  return keys.map((key) => game.format(game.at(key))).join(', ');
}

/** Two positions with one key are taken for one; that shows where they are not played alike. */
function same(game: KeyedRules, position: unknown): string | null {
  const { what, shown } = game.words;
  const own = forgotten(game, position);
  if (own !== null) return `its ${what} is ${shown(game.ownKeyOf(position))}, but ${own}`;
  // Where all positions are roots, none is looked at as a move reaches it.
  for (const [name, after] of game.moves(position)) {
    const difference = forgotten(game, after);
    if (difference === null) continue;
    const key = shown(game.ownKeyOf(after));
    return `its move ${JSON.stringify(name)} leads to ${game.format(after)}, whose ${what} is ${key}, but ${difference}`;
  }
  return null;
}

/** How a position differs from the position that its key is read back as: what the key does not hold. */
function forgotten(game: KeyedRules, position: unknown): string | null {
  const key = game.ownKeyOf(position);
  const read = game.at(key);
  const aspects: readonly (readonly [phrase: string, left: string, (position: unknown) => string])[] = [
    ['mover is', 'who is to move', (each) => String(game.mover(each))],
    ['ended is', 'what ended asks for', (each) => String(game.ended(each))],
    ['moves lead to', 'what moves asks for', (each) => movesText(game, each)],
    ['score is', 'what score asks for', (each) => scoreOf(game, each)],
    ['its text is', 'what format asks for', (each) => game.format(each)],
  ];
  for (const [phrase, left, ask] of aspects) {
    const [was, is] = [ask(position), ask(read)];
    if (was !== is)
      return `${game.words.position(key)} is ${game.format(read)}: ${phrase} ${was || 'nowhere'} there and ${is || 'nowhere'} here, so ${game.words.what} leaves out ${left}, or position does not read it back`;
  }
  return null;
}

/** Empty where the game goes on, and if it has no scores. */
function scoreOf(game: KeyedRules, position: unknown): string {
  if (game.score === null || afterMoves(game, position).length > 0) return '';
  return String(game.score(position));
}

function symmetries(game: KeyedRules, position: unknown): string | null {
  const key = game.keyOf(position);
  for (const image of game.symmetries?.(position) ?? []) {
    const called = `symmetries gives ${game.format(image)}`;
    if (game.keyOf(image) !== key) return `${called}, whose own symmetries are not the same positions`;
    for (const [what, ask] of ANSWERS) {
      const [was, is] = [ask(game, position), ask(game, image)];
      if (was !== is) return `${called}: ${what} ${was || 'none'} here and ${is || 'none'} there`;
    }
  }
  return null;
}

/** The positions after the moves of one. @throws UserError */
export function afterMoves(game: KeyedRules, position: unknown): unknown[] {
  return game.moves(position).map(([, after]) => after);
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
