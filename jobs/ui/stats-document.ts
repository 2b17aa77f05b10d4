/** Statistics of tables as documents: of one ending, of many classes, of a graph or keyed game. */

import type { Tally } from '../../pipeline/analysis/outcomes.js';
import type { FoundProblem, ProblemStats, SideProblems } from '../../pipeline/analysis/problem-stats.js';
import type { ClassTally, SideStats, TableStats } from '../../pipeline/analysis/stats.js';
import type { Colour, Ending, Game } from '../../pipeline/game/game.js';
import { MOST_NUMBER } from '../../pipeline/game/labelling.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { type Metric, RULE_PLIES } from '../../pipeline/game/value.js';
import {
  type Farthest,
  type GraphStats,
  isTurnMerged,
  moverTallies,
} from '../../pipeline/graph/graph-tallies.js';
import { idText } from '../../pipeline/graph/ids.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { type Block, type Cell, paragraph } from './document.js';
import {
  countsText,
  plyCounts,
  resultsJson,
  resultsTable,
  scoreCounts,
  summed,
  unmergedTable,
  winnersText,
} from './graph-results.js';
import { keysText } from './graph-text.js';
import { nodeIdJson, wordsOf } from './graph-words.js';
import { count, percent, whole } from './numbers.js';
import { BY_THE_RULE, capital, distance, hasMates, problemText, solutionWords } from './verdict.js';

const counted = (value: number): Cell => ({ value, text: whole(value) });
/** @param none is printed where there is no number. */
const countedOr = (value: number | null, none: string): Cell => ({
  value,
  text: value === null ? none : whole(value),
});
const share = (part: number, all: number): Cell => ({
  value: all === 0 ? null : part / all,
  text: percent(part, all),
});

const headOf = ({ name, assumes }: Pick<Ending, 'name' | 'assumes'>, metric: Metric) =>
  assumes === undefined ? `${name}, ${metric}` : `${name}, ${metric}; ${assumes}`;

/** Boards of one ending by outcome and side to move, its longest wins, and wins by plies. */
export function endingStats(
  ending: Pick<Ending, 'name' | 'assumes'>,
  metric: Metric,
  stats: TableStats,
  game: Pick<Game, 'colours' | 'metrics'>,
): Block[] {
  const { colours } = game;
  const sides = colours.map((colour) => stats[colour]);
  const row = (what: string, pick: (side: SideStats) => Tally): Cell[] => [
    what,
    ...sides.flatMap((side) => {
      const { placements, orbits } = pick(side);
      return [counted(placements), counted(orbits), share(placements, side.legal.placements)];
    }),
  ];
  const wins = (colour: Colour) => row(`${colour} wins`, (side) => side[`${colour}Wins`]);
  const hasCursed = stipulations[metric].rule50 === 'cursed';
  const cursed = (colour: Colour) =>
    hasCursed ? [row(`${colour} cursed wins`, (side) => side[`${colour}CursedWins`]!)] : [];
  const [lost, drawn] = hasMates(game) ? ['mates', 'stalemates'] : ['over, lost', 'over, drawn'];
  const hasDrawn = hasMates(game) || sides.some((side) => side.stalemates.orbits > 0);
  const blocks: Block[] = [
    paragraph(headOf(ending, metric)),
    {
      kind: 'table',
      table: {
        columns: ['', ...colours.flatMap((colour) => [`${colour} to move`, 'orbits', 'share'])],
        rows: [
          row('legal', (side) => side.legal),
          wins(colours[0]),
          ...cursed(colours[0]),
          row('draws', (side) => side.draws),
          ...cursed(colours[1]),
          wins(colours[1]),
          row(lost, (side) => side.mates),
          ...(hasDrawn ? [row(drawn, (side) => side.stalemates)] : []),
        ],
      },
    },
    paragraph('Shares are of boards; orbits are boards up to symmetry, which "solve" gives shares of.'),
  ];
  for (const winner of colours) {
    for (const mover of colours) {
      const { longestWhiteWin, longestWhiteCursedWin, longestBlackWin, longestBlackCursedWin } = stats[mover];
      const isWhite = winner === 'white';
      for (const [what, longest, rule] of [
        ['win', isWhite ? longestWhiteWin : longestBlackWin, ''],
        ['cursed win', isWhite ? longestWhiteCursedWin : longestBlackCursedWin, `: ${BY_THE_RULE}`],
      ] as const) {
        if (!longest) continue;
        const how = distance(longest, metric, game) + rule;
        blocks.push(paragraph(`Longest ${winner} ${what}, ${mover} to move: ${how}\n  ${longest.fen}`));
      }
    }
    const all = winsByPly(stats, `${winner}WinsByPly`);
    const within = hasCursed ? RULE_PLIES : Number.POSITIVE_INFINITY;
    for (const [what, counts] of [
      ['wins', all.filter(([ply]) => ply <= within)],
      ['cursed wins', all.filter(([ply]) => ply > within)],
    ] as const) {
      const title = `${capital(winner)} ${what} by plies, placements, both sides to move`;
      blocks.push({ kind: 'bars', title, unit: 'plies', counts });
    }
  }
  return blocks;
}

/** Problems of an ending: positions by stipulation and by number of solutions, the longest, and the longest that is sound. */
export function problemStats(
  ending: Pick<Ending, 'name' | 'assumes'>,
  metric: Metric,
  stats: ProblemStats,
  { colours }: Pick<Game, 'colours'>,
): Block[] {
  const sides = colours.map((colour) => stats[colour]);
  const total = (title: string, of: (side: SideProblems) => number): Cell[] => [
    title,
    ...sides.map((side) => counted(of(side))),
  ];
  const named = (what: string, pick: (side: SideProblems) => FoundProblem | null): Block[] =>
    colours.flatMap((colour) => {
      const found = pick(stats[colour]);
      if (found === null || found.plies === 0) return [];
      const text = `${problemText(found, metric)} (${count(found.positions, 'position')})`;
      return [paragraph(`${what}, ${colour} to move: ${text}\n  ${found.fen}`)];
    });
  return [
    paragraph(headOf(ending, metric)),
    {
      kind: 'table',
      table: {
        columns: ['', ...moversOf(colours)],
        rows: [
          total('positions', (side) => side.positions),
          total('with a solution', (side) => side.solvable),
          total('sound', (side) => side.sound),
        ],
      },
    },
    soundIs(metric),
    ...problemCounts(metric, [stats], colours),
    ...named('Longest', (side) => side.longest),
    ...named('Deepest sound problem', (side) => side.deepestSound),
  ];
}

/** Problems of several endings: a row for each and behind those of as many pieces their sum, then all of them by stipulation and number. */
export function problemClassStats(
  { name, colours }: Pick<Game, 'name' | 'colours'>,
  metric: Metric,
  endings: readonly { readonly ending: string; readonly pieces: number; readonly problems: ProblemStats }[],
): Block[] {
  const row = (title: string, summed: typeof endings): Cell[] => {
    const sides = summed.flatMap(({ problems }) => colours.map((colour) => problems[colour]));
    const most = (pick: (side: SideProblems) => FoundProblem | null): Cell => {
      const plies = Math.max(-1, ...sides.map((side) => pick(side)?.plies ?? -1));
      return plies < 0 ? { value: null, text: '-' } : { value: plies, text: problemText({ plies }, metric) };
    };
    return [
      title,
      counted(sum(sides, (side) => side.positions)),
      counted(sum(sides, (side) => side.solvable)),
      counted(sum(sides, (side) => side.sound)),
      most((side) => side.longest),
      most((side) => side.deepestSound),
    ];
  };
  const numbers = [...new Set(endings.map(({ pieces }) => pieces))].sort((a, b) => a - b);
  const rows = numbers.flatMap((n) => {
    const here = endings.filter(({ pieces }) => pieces === n);
    return [...here.map((each) => row(each.ending, [each])), row(`all of ${n} pieces`, here)];
  });
  if (numbers.length > 1) rows.push(row('all', endings));
  const columns = ['ending', 'positions', 'with a solution', 'sound', 'longest', 'deepest sound'];
  return [
    paragraph(`${name}, ${metric}`),
    { kind: 'table', table: { columns, rows } },
    soundIs(metric),
    ...problemCounts(
      metric,
      endings.map(({ problems }) => problems),
      colours,
    ),
  ];
}

const moversOf = (colours: readonly Colour[]) => colours.map((colour) => `${colour} to move`);

const soundIs = (metric: Metric) =>
  paragraph(
    `Positions are counted once up to symmetry. Sound are those with one ${solutionWords(metric)[0]}.`,
  );

/** Positions of all `endings` together: by stipulation, and by number of solutions and side to move. */
function problemCounts(
  metric: Metric,
  endings: readonly ProblemStats[],
  colours: readonly Colour[],
): Block[] {
  const sides = endings.flatMap((stats) => colours.map((colour) => stats[colour]));
  const plies = new Set(sides.flatMap(({ byPly }) => Object.keys(byPly).map(Number)));
  const byPly = [...plies]
    .sort((a, b) => a - b)
    .map((ply): Cell[] => [
      problemText({ plies: ply }, metric),
      counted(sum(sides, (side) => side.byPly[ply] ?? 0)),
      counted(sum(sides, (side) => side.soundByPly[ply] ?? 0)),
    ]);
  const within = (from: number, to: number, { byNumber }: SideProblems) =>
    sum(Object.entries(byNumber), ([n, of]) => (+n >= from && +n <= to ? of : 0));
  const numbers = NUMBER_RANGES.map(([from, to]): Cell[] => [
    to === MOST_NUMBER ? `${from} or more` : from === to ? whole(from) : `${from} to ${to}`,
    ...colours.map((colour) => counted(sum(endings, (stats) => within(from, to, stats[colour])))),
  ]);
  return [
    { kind: 'table', table: { columns: ['stipulation', 'positions', 'sound'], rows: byPly } },
    { kind: 'table', table: { columns: [solutionWords(metric)[1], ...moversOf(colours)], rows: numbers } },
  ];
}

const sum = <T>(all: readonly T[], figure: (each: T) => number): number =>
  all.reduce((total, each) => total + figure(each), 0);

/** Numbers of solutions that are counted together. */
const NUMBER_RANGES: readonly (readonly [from: number, to: number])[] = [
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 9],
  [10, 99],
  [100, MOST_NUMBER - 1],
  [MOST_NUMBER, MOST_NUMBER],
];

function winsByPly(stats: TableStats, field: 'whiteWinsByPly' | 'blackWinsByPly'): [number, number][] {
  const sum = new Map<number, number>();
  for (const side of [stats.white, stats.black]) {
    for (const [ply, { placements }] of Object.entries(side[field])) {
      sum.set(Number(ply), (sum.get(Number(ply)) ?? 0) + placements);
    }
  }
  return [...sum].sort((a, b) => a[0] - b[0]);
}

/**
 * A row for each class, and behind those of as many pieces their sum.
 * @param pieces of each class.
 */
export function classStats(
  game: Game,
  metric: Metric,
  classes: readonly ClassTally[],
  pieces: ReadonlyMap<string, number>,
): Block[] {
  const isFive = stipulations[metric].rule50 === 'cursed';
  const rows: Cell[][] = [];
  const numbers = [...new Set(pieces.values())].sort((a, b) => a - b);
  for (const n of numbers) {
    const here = classes.filter((tally) => pieces.get(tally.class) === n);
    rows.push(...[...here, sumOf(`all of ${n} pieces`, here)].map((tally) => classRow(tally, isFive)));
  }
  if (numbers.length > 1) rows.push(classRow(sumOf('all', classes), isFive));
  const values = isFive
    ? ['wins', 'cursed wins', 'draws', 'blessed losses', 'losses']
    : ['wins', 'draws', 'losses'];
  const cursed = isFive ? ['longest cursed win', 'longest blessed loss'] : [];
  const columns = ['class', 'positions', ...values, 'longest win', 'longest loss', ...cursed];
  return [
    paragraph(`${game.name}, ${metric}: boards with ${game.colours[0]} to move`),
    { kind: 'table', table: { columns, rows } },
  ];
}

/** @param isFive with cursed wins and blessed losses. */
function classRow(tally: ClassTally, isFive: boolean): Cell[] {
  const { total, wins, cursedWins = 0, draws, blessedLosses = 0, losses } = tally;
  const { maxWinPlies, maxLossPlies, maxCursedWinPlies = null, maxBlessedLossPlies = null } = tally;
  const most = [maxWinPlies, maxLossPlies, ...(isFive ? [maxCursedWinPlies, maxBlessedLossPlies] : [])];
  const values = isFive ? [wins, cursedWins, draws, blessedLosses, losses] : [wins, draws, losses];
  return [tally.class, ...[total, ...values].map(counted), ...most.map((plies) => countedOr(plies, '-'))];
}

function sumOf(name: string, tallies: readonly ClassTally[]): ClassTally {
  const total = (figure: (tally: ClassTally) => number) => sum(tallies, figure);
  const most = (figure: (tally: ClassTally) => number | null) =>
    tallies.reduce<number | null>((known, each) => {
      const plies = figure(each);
      return known === null || (plies !== null && plies > known) ? plies : known;
    }, null);
  return {
    class: name,
    total: total(({ total }) => total),
    wins: total(({ wins }) => wins),
    cursedWins: total(({ cursedWins = 0 }) => cursedWins),
    blessedLosses: total(({ blessedLosses = 0 }) => blessedLosses),
    draws: total(({ draws }) => draws),
    losses: total(({ losses }) => losses),
    maxWinPlies: most(({ maxWinPlies }) => maxWinPlies),
    maxLossPlies: most(({ maxLossPlies }) => maxLossPlies),
    maxCursedWinPlies: most(({ maxCursedWinPlies = null }) => maxCursedWinPlies),
    maxBlessedLossPlies: most(({ maxBlessedLossPlies = null }) => maxBlessedLossPlies),
  };
}

/**
 * Results for the player to move, who wins, scores, the longest wins and losses, the values of roots, and wins by edges.
 * @param named how a node is called; else by its name in quotes, or its number. @param roots a line for each.
 */
export function graphStats(
  stats: GraphStats,
  metric: Metric,
  named: (id: NodeId) => string = (id) => `node ${idText(id)}`,
  roots = '',
): Block[] {
  const { graph, verified } = stats;
  const words = wordsOf(graph);
  const { title, node, edge, chooses: does, over: ended } = words;
  const size = `${whole(graph.nodes)} ${node}s, ${whole(graph.edges)} ${edge}s`;
  const head = `${title}, ${metric}: ${size}, ${verified ? 'verified' : 'not verified'}`;
  const blocks: Block[] = [
    paragraph(`${head}\n${countsText(graph)}${keysText(graph)}`.trimEnd()),
    { kind: 'table', table: resultsTable(stats) },
  ];
  const winners = winnersText(stats);
  if (winners !== '') blocks.push(paragraph(winners));
  if (roots !== '') blocks.push(paragraph(roots.trimEnd()));
  const unmerged = unmergedTable(stats);
  if (unmerged !== null) {
    blocks.push(paragraph('Symmetric positions counted apart:'));
    blocks.push({ kind: 'table', table: unmerged });
  }
  const scores = scoreCounts(stats);
  if (scores !== null) {
    const rows = scores.map(([what, nodes]): Cell[] => [what, counted(nodes)]);
    blocks.push({ kind: 'table', table: { columns: ['score', `${node}s`], rows } });
  }
  for (const { mover, longestWin, longestLoss } of moverTallies(stats))
    for (const [what, far] of [
      ['win', longestWin],
      ['loss', longestLoss],
    ] as const) {
      if (far === null) continue;
      const who = mover === null ? does : `${graph.players[mover]} ${does}`;
      const plies = count(far.plies, words.ply, words.plies);
      blocks.push(paragraph(`Longest ${what}, ${who}: ${plies}\n  ${named(far.node)}`));
    }
  for (const { what, counts } of plyCounts(stats))
    blocks.push({
      kind: 'bars',
      title: `${what} by ${words.plies} until ${ended}, ${node}s`,
      unit: words.plies,
      counts,
    });
  return blocks;
}

export function graphStatsJson(
  stats: GraphStats,
  metric: Metric,
  named: (id: NodeId) => string | number = nodeIdJson,
  roots?: readonly object[],
): object {
  const { graph, verified, chooses, over, all, byPlies, byScore, longest } = stats;
  const { name, players, nodes, boards, edgesRead, edges, movesCompared } = graph;
  const merged = isTurnMerged(graph);
  const nodeOf = (far: Farthest | null) =>
    far === null ? null : { plies: far.plies, node: named(far.node) };
  return {
    graph: name,
    metric,
    players,
    nodes,
    boards,
    edgesRead,
    edges,
    movesCompared,
    verified,
    ...resultsJson(stats),
    farthest: moverTallies(stats).map(({ mover, longestWin, longestLoss }) => ({
      mover: mover === null ? null : players[mover],
      win: nodeOf(longestWin),
      loss: nodeOf(longestLoss),
    })),
    roots,
    nobody: all.nobody,
    // By players, who are nobody in particular where the turn is merged.
    ...(merged ? {} : { won: all.won, chooses, over, longest: longest.map((each) => each.map(nodeOf)) }),
    byPlies: (merged ? [summed(byPlies)] : byPlies).map((counts) => Object.fromEntries(counts)),
    ...(byScore === null
      ? {}
      : { byScore: (merged ? [summed(byScore)] : byScore).map((counts) => Object.fromEntries(counts)) }),
  };
}
