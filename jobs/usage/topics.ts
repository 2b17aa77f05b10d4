/** Pages of help that are about no single command: "mergemate help metrics". */
import type { Command } from 'commander';
import { own } from '../../operators/core/own.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import { completion } from './completion.js';

const METRICS: readonly (readonly [string, string])[] = [
  ['wdl', 'the outcome alone: win, draw or loss'],
  ['dtm', 'plies to mate'],
  ['dtc', 'plies to mate or to a conversion: a capture or a promotion'],
  ['dtz', 'plies to mate, a capture or a move of a pawn, with the 50-move rule: it makes some wins draws'],
  ['dtm50', 'plies to mate with the 50-move rule, from every half-move clock'],
  ['dtw', 'plies to the end of the game'],
  ['score', 'the points by which the mover wins or loses, of games that have points'],
  ['help', 'helpmates: plies in which both sides play to have Black mated, and the number of solutions'],
  ['help-stalemate', 'the same with stalemate as the goal'],
  ['self', 'selfmates: plies in which White forces Black to mate White, and the number of best first moves'],
  ['self-stalemate', 'the same with stalemate as the goal'],
];

function metricsText(): string {
  const rows = METRICS.map(([name, what]) => `  ${name.padEnd(16)}${what}\n`);
  const games = [
    ...Object.entries(builtIn).map(([name, { metrics }]) => [name, metrics.join(', ')]),
    ['graphs and games of your own by moves', graphs.metrics.join(', ')],
    ['games of your own by number', 'dtw, wdl'],
  ].map(([name, metrics]) => `  ${name}: ${metrics}\n`);
  return `--metric says what a table holds for each position. Plies are half-moves.

${rows.join('')}
In problems White is the first side of an ending's name: KQvKR and KRvKQ are different questions.

Each game has some of them; the first is taken where --metric is not given:
${games.join('')}`;
}

interface Topic {
  readonly summary: string;
  /** @param word the one behind the name of the topic. @param all has every command. */
  text(word: string | undefined, all: () => Command): string;
}

const TOPICS: Readonly<Record<string, Topic>> = {
  metrics: { summary: 'what tables hold, by --metric', text: metricsText },
  completion: {
    summary: 'commands and options by the Tab key of a shell',
    text: (shell, all) => completion(shell, all(), Object.keys(TOPICS)),
  },
};

/** The page of help of a topic; undefined if there is none. */
export function topicText(name: string, word: string | undefined, all: () => Command): string | undefined {
  return own(TOPICS, name)?.text(word, all);
}

/** One line for each topic. */
export function topicLines(): string {
  return Object.entries(TOPICS)
    .map(([name, { summary }]) => `  help ${name.padEnd(12)}${summary}\n`)
    .join('');
}
