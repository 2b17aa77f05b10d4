/**
 * Games that are broken in one way each, as modules that their authors might have written. Each is refused by `check`, and by `solve`
 * where its table would be wrong or could not be made.
 */

/** Two games of each kind that are as they should be: what follows changes one function of them. */
export const rules = `
import { keyedGame, numberedGame } from 'mergemate';

/** A heap from which one, two or three are taken; each player may double the move once. The last counter wins. */
const start = { left: 20, side: 0, used: [0, 0] };
const keyed = {
  name: 'heap',
  roots: () => [start],
  key: ({ left, side, used: [w, b] }) => left * 8 + side * 4 + w * 2 + b,
  position: (key) => ({ left: key >> 3, side: (key >> 2) & 1, used: [(key >> 1) & 1, key & 1] }),
  mover: ({ side }) => side,
  *moves({ left, side, used }) {
    for (let n = 1; n <= Math.min(3, left); n++) yield ['take ' + n, { left: left - n, side: 1 - side, used }];
    if (left >= 6 && !used[side])
      yield ['take 6', { left: left - 6, side: 1 - side, used: used.map((each, i) => (i === side ? 1 : each)) }];
  },
  format: ({ left, side, used }) => left + ' ' + 'wb'[side] + (used[0] ? ' w6' : '') + (used[1] ? ' b6' : ''),
  parse: (text) => ({ left: parseInt(text), side: /^\\d+ b/.test(text) ? 1 : 0, used: [/w6/, /b6/].map((each) => (each.test(text) ? 1 : 0)) }),
};
const keyedScored = { ...keyed, score: ({ side, used: [w, b] }) => (side === 0 ? -1 - b : 1 + w) };

/** Men on two tracks of ten squares: a move takes one of them a step or two back, or a man at its end to the other's square. */
const numbered = {
  name: 'tracks',
  size: 100,
  index: ({ at: [a, b] }) => a * 10 + b,
  position: (index, side) => ({ at: [Math.floor(index / 10), index % 10], side }),
  mover: ({ side }) => side,
  *moves({ at: [a, b], side }) {
    for (const n of [1, 2]) {
      if (n <= a) yield ['a' + n, { at: [a - n, b], side: 1 - side }];
      if (n <= b) yield ['b' + n, { at: [a, b - n], side: 1 - side }];
    }
  },
};
const withUnmoves = {
  ...numbered,
  *unmoves({ at: [a, b], side }) {
    for (const n of [1, 2]) {
      if (a + n < 10) yield { at: [a + n, b], side: 1 - side };
      if (b + n < 10) yield { at: [a, b + n], side: 1 - side };
    }
  },
};
const withSymmetries = { ...numbered, symmetries: ({ at: [a, b], side }) => [{ at: [b, a], side }] };
const withSlices = {
  ...numbered,
  slices: Array.from({ length: 10 }, (_, a) => ({
    name: 'a' + a,
    size: 10,
    leadsTo: [1, 2].filter((n) => n <= a).map((n) => 'a' + (a - n)),
  })),
};
const numberedScored = { ...numbered, score: ({ at: [a, b], side }) => (side === 0 ? -1 : 1) };

export const games = { keyed, keyedScored, numbered, withUnmoves, withSymmetries, withSlices, numberedScored };
/** Numbers from 0 to 1 that are the same in every run. */
let seed = 1;
export const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
export const make = (name, kind, change) => {
  const definition = { ...games[kind], name, ...change(games[kind]) };
  return kind.startsWith('keyed') ? keyedGame(definition) : numberedGame(definition);
};
`;

/** The games as they should be. */
type Kind =
  | 'keyed'
  | 'keyedScored'
  | 'numbered'
  | 'withUnmoves'
  | 'withSymmetries'
  | 'withSlices'
  | 'numberedScored';

/** A kind and what is changed: the members of an object in which \`game\` is the game as it should be. */
export function moduleOf(name: string, kind: Kind, change: string): string {
  return `import { make, random } from './rules.js';\nexport default make('${name}', '${kind}', (game) => ({ ${change} }));\n`;
}
const forgetful =
  '*moves({ at, side, last }) { for (const [name, after] of game.moves({ at, side })) if (name !== last) yield [name, { ...after, last: name }]; }';

type BrokenGame = readonly [
  what: string,
  kind: Kind | null,
  change: string,
  check: string,
  solve?: string | null,
];

/** Numbered games with scores and without. */
function inBothForms(kind: 'numbered' | 'numberedScored'): BrokenGame[] {
  const off = ', not a whole number from 0 to 99';
  return [
    [
      'an index of two positions',
      kind,
      'index: ({ at: [a, b] }) => (a === 3 && b === 4 ? 33 : a * 10 + b)',
      'g: 33 w: is position(34, 0), but its index is 33',
    ],
    ['an index that is NaN', kind, 'index: ({ at: [a, b] }) => (a === 3 ? NaN : a * 10 + b)', `is NaN${off}`],
    ['a negative index', kind, 'index: ({ at: [a, b] }) => (a === 3 ? -1 : a * 10 + b)', `is -1${off}`],
    ['half an index', kind, 'index: ({ at: [a, b] }) => (a === 3 ? 0.5 : a * 10 + b)', `is 0.5${off}`],
    [
      'a move to a position out of range',
      kind,
      "*moves({ at: [a, b], side }) { yield ['on', { at: [a + 1, b], side: 1 - side }]; }",
      off,
    ],
    [
      'a move to what is no position',
      kind,
      'position: (i, side) => (i === 34 ? null : game.position(i, side))',
      ' leads to 34 b, which is not a position',
    ],
    [
      'a position with the wrong side to move',
      kind,
      'position: (i) => game.position(i, 0)',
      'g: 0 w: is position(0, 1), but its mover is 0',
    ],
    [
      'position returns nothing',
      kind,
      'position: (i, side) => (i === 34 ? undefined : game.position(i, side))',
      ') is undefined: it must be null where there is no position',
    ],
    [
      'moves that differ when they are asked twice',
      kind,
      'moves: (p) => [...game.moves(p)].filter(() => random() < 0.7)',
      'when ',
      'moves differs when it is asked twice: ',
    ],
    [
      'moves that change the position',
      kind,
      'moves(p) { const all = [...game.moves({ ...p })]; p.at = [0, 0]; return all; }',
      'moves changes the position that it is given',
      kind === 'numbered'
        ? 'g: 1 w: moves changes the position that it is given'
        : 'g: 0 w: its index was 61, and is 0 after mover, ended and moves were asked: one of them changes the position',
    ],
    [
      'moves throws',
      kind,
      "moves: (p) => { if (p.at[0] === 3) throw new TypeError('no such move'); return game.moves(p); }",
      'moves failed: no such move (game.js, line 2)',
    ],
    [
      'a move to nothing',
      kind,
      "moves: (p) => (p.at[0] === 3 ? [['on', undefined]] : game.moves(p))",
      'its move "on" leads to undefined, not a position',
    ],
    ['no numbers', kind, 'size: 0', 'g: size is 0, not a whole number from 1 to '],
  ];
}

/**
 * The fault, and the kind of game, null for a module without one. Then the change, or the whole module. Then the
 * first line that `check` says, and that of `solve` if it is not the same. Null: the table is right all the same.
 * Names of games are written as `g`, paths as `game.js`.
 */
export const brokenGames: readonly BrokenGame[] = [
  [
    'a key without the side to move',
    'keyed',
    'key: (p) => game.key({ ...p, side: 0 })',
    'mover is 1 there and 0 here, so key leaves out who is to move, or position does not read it back',
    'g: 20 w: its move "take 1" leads to 19 b, whose key is 152, but position(152) is 19 w: mover is 1 there and 0 here, so key leaves out who is to move, or position does not read it back',
  ],
  [
    'a key that forgets a right that is used up',
    'keyed',
    'key: (p) => game.key({ ...p, used: [0, 0] })',
    'there and 4 here, the move "take 6" only here, so key leaves out what moves asks for, or position does not read it back',
    'g: 14 b w6: its move "take 1" leads to 13 w w6, whose key is 104, but position(104) is 13 w: 3 moves there and 4 here, the move "take 6" only here, so key leaves out what moves asks for',
  ],
  [
    'moves that change the position',
    'keyed',
    'moves(p) { const all = [...game.moves({ ...p })]; p.left = 0; return all; }',
    'moves: g: 0 w: moves changes the position that it is given',
    'g: 0 w: its key was 160, and is 0 after mover, ended and moves were asked: one of them changes the position',
  ],
  [
    'moves that differ when they are asked twice',
    'keyed',
    'moves: (p) => [...game.moves(p)].filter(() => random() < 0.7)',
    'moves differs when it is asked twice: ',
  ],
  [
    'moves without an end',
    'keyed',
    "*moves(p) { for (;;) yield ['on', p]; }",
    'g: 20 w: has more than 1,048,576 moves',
  ],
  [
    'a position that grows without bounds',
    'keyed',
    "key: ({ left }) => left, position: (left) => ({ left, side: 0, used: [0, 0] }), moves: (p) => [['on', { ...p, left: p.left ** 2 }]]",
    'its key is 655360000000000000000, not a bigint from 0 to 2^64 - 1 or a number from 0 to 2^53 - 1',
  ],
  [
    'a key that is NaN',
    'keyed',
    'key: (p) => (p.left === 3 ? NaN : game.key(p))',
    'its key is NaN, not a bigint from 0',
  ],
  [
    'a negative key',
    'keyed',
    'key: (p) => (p.left === 3 ? -1 : game.key(p))',
    'its key is -1, not a bigint from 0',
  ],
  [
    'no position for a key',
    'keyed',
    'position: (key) => (key >> 3 === 3 ? undefined : game.position(key))',
    ') is undefined, not the position with this key',
  ],
  [
    'position throws',
    'keyed',
    "position: (key) => { if (key >> 3 === 3) throw new Error('no such heap'); return game.position(key); }",
    ') failed: no such heap (game.js, line 2)',
  ],
  [
    'a symmetric image that is another position',
    'keyed',
    'symmetries: (p) => [{ ...p, left: p.left % 2 === 1 ? p.left - 1 : p.left + 1 }]',
    'key and symmetries: g: 0 ',
    'which is taken for 18 b by symmetries: ',
  ],
  [
    'an image that does not give the position back',
    'keyed',
    'symmetries: (p) => (p.left === 4 ? [{ ...p, left: 5 }] : [])',
    'whose own symmetries are not the same positions',
  ],
  [
    'no score at an end',
    'keyedScored',
    'score: (p) => (p.used[0] ? undefined : game.score(p))',
    'score is undefined, not an integer from -125 to 125',
  ],
  [
    'a score that the key does not tell',
    'keyedScored',
    "moves: (p) => [...game.moves(p)].map(([name, after]) => [name, { ...after, by: name }]), score: (p) => (p.by === 'take 3' ? 5 : game.score(p))",
    'so key leaves out what score asks for',
  ],
  [
    'an end that is won, in a game with scores',
    'keyedScored',
    "ended: (p) => (p.left === 0 ? 'won' : null)",
    'ended is "won", not \'over\' or null, as in all games with score',
  ],
  [
    'moves throws',
    'keyed',
    "moves: (p) => { if (p.left === 3) throw new TypeError('no such move'); return game.moves(p); }",
    'moves failed: no such move (game.js, line 2)',
  ],
  [
    'board throws',
    'keyed',
    "board: (p) => { if (p.left === 3) throw new TypeError('no such square'); return [['x']]; }",
    'board failed: no such square (game.js, line 2)',
    null,
  ],
  [
    'a board that is none',
    'keyed',
    "board: () => 'ooo'",
    'board is "ooo", not rows of squares with text, nor an <svg> element',
    null,
  ],
  [
    'a diagram that throws',
    'keyed',
    "diagram: () => { throw new Error('no ink'); }",
    'diagram failed: no ink',
    null,
  ],
  ['moves is not an array', 'keyed', 'moves: () => 3', 'g: 20 w: moves gives 3, not a list'],
  [
    'moves returns nothing for some',
    'keyed',
    'moves: (p) => { if (p.left > 3) return game.moves(p); }',
    'moves gives undefined, not a list',
  ],
  [
    'moves without names',
    'keyed',
    'moves: (p) => [...game.moves(p)].map(([, after]) => after)',
    'g: 20 w: a move is {"left":19,"side":1,"used":[0,0]}, not [what it is called, the position after it]',
  ],
  [
    'a move to nothing',
    'keyed',
    "moves: () => [['on', undefined]]",
    'g: 20 w: its move "on" leads to undefined, not a position',
  ],
  ['a third side', 'keyed', 'mover: (p) => (p.left === 3 ? 2 : p.side)', 'mover is 2, not 0 or 1'],
  ['no roots', 'keyed', 'roots: () => []', 'g: roots lists no position: give those in which games begin'],
  ['a root that is null', 'keyed', 'roots: () => [null]', 'g: roots gives null, not a position'],
  [
    'text that is read otherwise',
    'keyed',
    'parse: (text) => game.parse(text.slice(0, 4))',
    'but parse makes of its text ',
    null,
  ],
  ['a misspelt function', 'keyed', 'end: () => null', 'g: keyedGame has no field "end" (there are: name, '],
  ['no mover', 'keyed', 'mover: undefined', 'g: mover is missing, a function'],

  ...(['numbered', 'numberedScored'] as const).flatMap((kind) => inBothForms(kind)),
  [
    'an index that forgets a right',
    'numbered',
    forgetful,
    'so index leaves out what moves asks for, or position does not read it back',
    'so index leaves out what moves asks for, or position does not read it back',
  ],
  [
    'an index that forgets a right',
    'numberedScored',
    forgetful,
    'so index leaves out what moves asks for, or position does not read it back',
  ],
  [
    'an end that the index does not tell',
    'numbered',
    "*moves(p) { for (const [name, after] of game.moves(p)) yield [name, { ...after, by: name }]; }, ended: (p) => (p.by === 'a2' ? 'lost' : null)",
    "ended is 'lost' there and null here, so index leaves out",
    "whose index is 0, but position(0, 1) is 0 b: ended is 'lost' there and null here, so index leaves out",
  ],
  [
    'an image that is played otherwise',
    'withSymmetries',
    'symmetries: ({ at: [a, b], side }) => [{ at: [9 - a, b], side }]',
    'g: 0 w: symmetries gives 90 w, which is taken for 0 w by symmetries: 2 moves there and 0 here, the move "a1" only there, so they are not alike',
  ],
  [
    'an image that is over',
    'withSymmetries',
    "ended: ({ at: [a, b] }) => (a === 5 && b === 3 ? 'lost' : null)",
    "is taken for 35 b by symmetries: ended is 'lost' there and null here, so they are not alike",
    "g: 35 w: symmetries gives 53 w, which is taken for 35 w by symmetries: ended is 'lost' there and null here, so they are not alike",
  ],
  [
    'an image with another side to move',
    'withSymmetries',
    'symmetries: ({ at: [a, b], side }) => [{ at: [b, a], side: 1 - side }]',
    'index and symmetries: g: 0 w: symmetries gives 0 b, which is taken for 0 w by symmetries: mover is 1 there and 0 here, so they are not alike',
    'g: 0 w: its image 0 b has another side to move',
  ],
  [
    'a move after which the same side is to move',
    'numbered',
    "*moves({ at: [a, b], side }) { if (a > 0) yield ['stay', { at: [a - 1, b], side }]; }",
    'w with the same side to move, which only games with turns: ',
    'g: 10 w: the move stay leads to 0 w with the same side to move',
  ],
  [
    'moves without an end',
    'numbered',
    "*moves(p) { for (;;) yield ['on', p]; }",
    'g: 0 w: has more than 254 moves',
  ],
  [
    'an end that is won',
    'numbered',
    "ended: ({ at: [a] }) => (a === 3 ? 'won' : null)",
    "w: ended is 'won', which no table can hold: ",
    "g: 30 w: ended is 'won', which no table",
  ],
  [
    'an unmove that is missing',
    'withUnmoves',
    'unmoves: (p) => [...game.unmoves(p)].filter(({ at: [a] }) => a !== 5)',
    'g: 40 b: unmoves gives 50 w not at all, but one move leads from there to here',
  ],
  [
    'an unmove that is too much',
    'withUnmoves',
    'unmoves: (p) => [...game.unmoves(p), ...(p.at[0] === 3 ? [{ at: [9, 9], side: 1 - p.side }] : [])]',
    'g: 30 w: unmoves gives 99 b once, but no move leads from there to here',
  ],
  [
    'an unmove that is given twice',
    'withUnmoves',
    'unmoves: (p) => [...game.unmoves(p), ...(p.at[0] === 3 ? [...game.unmoves(p)].slice(0, 1) : [])]',
    'g: 30 w: unmoves gives 40 b twice, but one move leads from there to here',
  ],
  [
    'unmoves with the same side to move',
    'withUnmoves',
    'unmoves: (p) => [...game.unmoves(p)].map(({ at }) => ({ at, side: p.side }))',
    'g: 0 w: unmoves gives 10 w, with the same side to move',
  ],
  [
    'a slice that leadsTo does not name',
    'withSlices',
    'slices: game.slices.map((each) => ({ ...each, leadsTo: each.leadsTo.slice(0, 1) }))',
    'g: 20 w: the move a2 leads to 0 b in the slice a0, which a2 does not name in leadsTo',
  ],
  [
    'slices in a circle',
    'withSlices',
    "slices: game.slices.map((each, i) => ({ ...each, leadsTo: ['a' + ((i + 1) % 10)] }))",
    'g: slices lead in a circle: a0 → a1',
  ],
  [
    'slices that leave numbers out',
    'withSlices',
    'slices: game.slices.slice(1)',
    'g: its slices have 90 numbers together, but size is 100',
  ],
  [
    'text that is read otherwise',
    'numbered',
    'format: ({ at, side }) => at.join() + side, parse: () => ({ at: [0, 0], side: 0 })',
    'text: g: 0,01: its index is 0, but parse makes of its text 0,00',
    null,
  ],
  [
    'text that is read otherwise',
    'numberedScored',
    'format: ({ at, side }) => at.join() + side, parse: () => ({ at: [0, 0], side: 0 })',
    'but parse makes of its text 0,00, whose index is 0',
    null,
  ],
  [
    'no score at an end',
    'numberedScored',
    'score: (p) => (p.side ? undefined : game.score(p))',
    'g: 0 b: score is undefined, not an integer from -125 to 125',
  ],
  [
    'starts without score',
    'numberedScored',
    'score: undefined, starts: () => []',
    "g: it has starts and neither score nor turns: 'free': only such games have it",
  ],
  [
    'starts with what is no position',
    'numberedScored',
    'position: (i, side) => (i === 34 ? null : game.position(i, side)), moves: () => [], starts: () => [{ at: [3, 4], side: 0 }]',
    'g: 34 w: starts gives it, and position gives null for its index',
  ],
  ['starts that lists nothing', 'numberedScored', 'starts: () => []', 'g: starts lists no position'],
  [
    'board throws',
    'numberedScored',
    "board: (p) => { throw new TypeError('no such square'); }",
    'board failed: no such square',
    null,
  ],

  ['a syntax error', null, 'export default {;\n', 'game game.js: syntax error in line 1, column 16: '],
  [
    'no default export',
    null,
    'export const game = 1;\n',
    'game game.js: it has no default export (export default a Game)',
  ],
  [
    'a function for a game',
    null,
    'export default () => 1;\n',
    'game game.js: its default export is not a Game: it is not an object but a function: export what it returns, ',
  ],
  ['a module that throws', null, "throw new Error('boom');\n", 'game game.js: line 1: boom'],
  [
    'an import of nothing',
    null,
    "import x from './gone.js';\nexport default x;\n",
    "game game.js: Cannot find module './gone.js'",
  ],
];
