/** The rules that `check` holds games of forward moves to, each at one position. */
import type { KeyedRules } from '../keyed/keyed-rules.js';
import type { Examiner } from './examiner.js';

/** Repetitions of a question: answers that differ by chance do not differ each time. */
const TIMES = 3;
/** Moves of a position whose keys are read back. */
const MOVES_READ_BACK = 1 << 12;

export interface Rule {
  readonly requires: string;
  /** Rules about what this one asks: while one of them is broken, nothing is known of it. */
  readonly restsOn?: readonly string[];
  /** @throws UserError if the position breaks the rule. */
  hold?(game: KeyedRules, position: unknown, examiner: Examiner): unknown;
}

/** The order is that in which one fault is best explained. */
const rules = {
  roots: { requires: 'there are roots' },
  key: {
    requires:
      'keys are numbers from 0 to 2^53 - 1 or bigints of keyBits bits, 64 unless given, and the position of a key has that key',
    hold: (game, position) => game.at(game.ownKeyOf(position)),
  },
  mover: { requires: 'mover is 0 or 1', hold: (game, position) => game.mover(position) },
  ended: {
    requires:
      "ended is 'won', 'lost', 'drawn' or null, or { won: plies } or { lost: plies } with 0 to 8000 plies",
    hold: (game, position) => game.ended(position),
  },
  moves: {
    requires: 'moves lists names and positions, each with a key that is read back',
    restsOn: ['key', 'ended'],
    hold(game, position) {
      const key = game.keyOf(position);
      for (const [, after] of game.moves(position).slice(0, MOVES_READ_BACK)) game.at(game.ownKeyOf(after));
      if (game.keyOf(position) !== key)
        throw game.wrong(position, 'moves changes the position that it is given');
    },
  },
  score: {
    requires: 'score is an integer from -125 to 125 where the game is over',
    restsOn: ['ended', 'moves'],
    hold(game, position) {
      if (game.score !== null && game.moves(position).length === 0) game.score(position);
    },
  },
  same: {
    requires:
      'the position of a key, and each of its symmetries, is played as the position that the key was made of, whenever it is asked',
    restsOn: ['key', 'mover', 'ended', 'score', 'moves'],
    hold(game, position, examiner) {
      for (let time = 0; time < TIMES; time++) examiner.compare(null, position);
      for (const image of game.symmetries?.(position) ?? [])
        examiner.compare({ from: position, move: null }, image);
    },
  },
  turns: {
    requires:
      'players move in turn, to positions that there are; unmoves, symmetries and slices agree with moves',
    restsOn: ['key', 'mover', 'ended', 'moves', 'same'],
    hold: (game, position) => game.examine?.(position, true),
  },
  text: {
    requires: 'parse reads what format writes, and the key holds all that format writes',
    restsOn: ['key', 'same'],
    hold(game, position) {
      const { what, shown, position: at } = game.words;
      const key = game.ownKeyOf(position);
      const [text, written] = [position, game.at(key)].map(game.format);
      if (written !== text)
        throw game.wrong(
          position,
          `its ${what} is ${shown(key)}, but ${at(key)} is ${written}, so ${what} leaves out what format asks for, or position does not read it back`,
        );
      const read = game.ownKeyOf(game.parse(text));
      if (read !== key)
        throw game.wrong(
          position,
          `its ${what} is ${shown(key)}, but parse makes of its text ${game.format(game.at(read))}, whose ${what} is ${shown(read)}`,
        );
    },
  },
  diagram: {
    requires: 'diagram is text, or a list of lines',
    restsOn: ['key'],
    hold: (game, position) => game.diagram(position),
  },
  board: {
    requires: 'board is rows of squares with text, or an <svg> element',
    restsOn: ['key'],
    hold: (game, position) => game.board?.(position),
  },
} satisfies Record<string, Rule>;

/** A rule of {@link keyedContract}. */
export type KeyedRule = keyof typeof rules;

export const keyedRules = Object.entries(rules) as [KeyedRule, Rule][];

/** The rules, each with its requirement. */
export const keyedContract = Object.fromEntries(
  keyedRules.map(([rule, { requires }]) => [rule, requires]),
) as Readonly<Record<KeyedRule, string>>;
