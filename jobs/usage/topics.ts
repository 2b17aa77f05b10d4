/** Pages of help that are about no single command: "mergemate help metrics". */
import type { Command } from 'commander';
import { own } from '../../operators/core/own.js';
import { metrics } from '../../pipeline/game/value.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import { completion } from './completion.js';

async function metricsText(): Promise<string> {
  const { metricWords } = await import('../ui/verdict.js');
  const rows = metrics.map((name) => `  ${name.padEnd(16)}${metricWords(name, { metrics })}\n`);
  const games = [
    ...Object.entries(builtIn).map(([name, game]) => [name, game.metrics.join(', ')]),
    ['graphs and games of your own by moves', graphs.metrics.join(', ')],
    ['games of your own by number', 'dtw, wdl'],
  ].map(([name, all]) => `  ${name}: ${all}\n`);
  return `--metric says what a table holds for each position. Plies are half-moves.

${rows.join('')}
A move leaves the ending if it captures or promotes. In problems White is the first side of an ending's name: KQvKR and KRvKQ are different questions.

Each game has some of them; the first is taken where --metric is not given:
${games.join('')}`;
}

interface Topic {
  readonly summary: string;
  /** @param word the one behind the name of the topic. @param all has every command. */
  text(word: string | undefined, all: () => Command): string | Promise<string>;
}

const TOPICS: Readonly<Record<string, Topic>> = {
  metrics: { summary: 'what tables hold, by --metric', text: metricsText },
  completion: {
    summary: 'commands and options by the Tab key of a shell',
    text: (shell, all) => completion(shell, all(), Object.keys(TOPICS)),
  },
};

/** The page of help of a topic; undefined if there is none. */
export async function topicText(
  name: string,
  word: string | undefined,
  all: () => Command,
): Promise<string | undefined> {
  return own(TOPICS, name)?.text(word, all);
}

/** One line for each topic. */
export function topicLines(): string {
  return Object.entries(TOPICS)
    .map(([name, { summary }]) => `  help ${name.padEnd(12)}${summary}\n`)
    .join('');
}
