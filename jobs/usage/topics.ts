/** Pages of help that are about no single command: "mergemate help metrics". */
import type { Command } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { own } from '../../operators/core/own.js';
import { metrics } from '../../pipeline/game/value.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import { ASKED_FOR, COLUMN_WORDS, COLUMNS, COLUMNS_OF } from '../export/columns.js';
import { CONDITIONS } from '../positions/where.js';
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
Their values are stipulations with numbers of solutions ("h#6, 3 solutions"), and set play is named where the other side to move has a solution.

Under dtc each section of the line of best play is a shortest way to a conversion, under dtz to a capture or a move of a pawn, where the next table
takes over. Under dtz, wins that the 50-move rule makes draws are cursed wins, and losses blessed losses; lines play them on to mate.

Each game has some of them; the first is taken where --metric is not given:
${games.join('')}`;
}

function columnsText(): string {
  const kinds = Object.entries(COLUMNS_OF);
  const rows = COLUMNS.map((name) => {
    const having = kinds.filter(([, columns]) => columns.some((column) => column === name));
    const of = having.length === kinds.length ? '' : ` (${having.map(([kind]) => kind).join(', ')})`;
    return `  ${name.padEnd(16)}${ASKED_FOR.includes(name) ? '* ' : '  '}${COLUMN_WORDS[name]}${of}\n`;
  });
  return `"export" writes a row for each legal position, each once up to symmetry, with the same columns whatever --where and --limit choose.
Those with * are written only if --columns names them.

${rows.join('')}
Endings come with the positions in which the side that begins the game is to move first, keyed games by layer, graphs in the order of their file.
Positions of chess can also be --format epd (with the operations id, c0 the result, c1 the kind of zugzwang, dm, and bm with --moves) and pgn (a game
without moves each). Parquet is compressed by Snappy.

One file has all rows. --out that is a folder or ends in "/", or has no ending while there are several endings, is a set: a folder with a file for
each slice, ending=KQK/KQK.parquet, which data tools read as one table with the column ending besides. Parquet and Arrow files of a set that are
there and complete are kept, so the same command goes on after an interruption.

"probe --json" has the fields position, mover, outcome, plies, solutions, score, slice and id with these meanings, and over, winner and moves, each
with move (its name), position (where it leads), outcome and plies; moves of chess and checkers also have uci and san. Without --metric, metrics has
the same under each metric, and the rest is that of the first. Where unknown positions can be reached (tables of "solve --from"), outcome and plies are
what the player is sure of, most has what the unknown may make of it, and known says it in words.

In "stats --json", placements count boards, and orbits count them up to the symmetries of the board.
`;
}

function whereText(): string {
  const rows = Object.values(CONDITIONS).map(([form, words]) => `  ${form.padEnd(18)}${words}\n`);
  return `--where chooses the positions that meet all of its conditions, with spaces between them: --where "result=win plies=10..19 on=Kg1".

${rows.join('')}`;
}

const POSITIONS = `How positions are written on the command line:

  chess       a FEN, or EPD, whose hmvc is the half-move clock
  checkers    a FEN of PDN, ranges included: "W:W21-24:BK3"
  graphs      the name of a node; a name that is text of digits is quoted twice: '"7"'
  your games  as the game writes them

A keyed game, or a graph that lists roots, without a position answers for its roots. A file for --file has one position a line, "-" is standard
input. Each is answered with a line of JSON, in order; a line that is not a position is answered with an error, and the exit code is then 2.
Colours are those of an ending's name: in chess White has its first group, and KNKR is KRKN with the colours exchanged.
`;

interface Topic {
  readonly summary: string;
  readonly takesWord?: true;
  /** @param word the one behind the name of the topic. @param all has every command. */
  text(word: string | undefined, all: () => Command): string | Promise<string>;
}

const TOPICS: Readonly<Record<string, Topic>> = {
  metrics: { summary: 'what tables hold, by --metric', text: metricsText },
  columns: { summary: 'what rows of "export" hold, and answers in JSON', text: columnsText },
  where: { summary: 'conditions of "export --where"', text: whereText },
  positions: { summary: 'how positions are written', text: () => POSITIONS },
  completion: {
    summary: 'commands and options by the Tab key of a shell',
    takesWord: true,
    text: (shell, all) => completion(shell, all(), Object.keys(TOPICS)),
  },
};

/** The page of help of a topic; undefined if there is none. */
export async function topicText(
  name: string,
  word: string | undefined,
  all: () => Command,
): Promise<string | undefined> {
  const topic = own(TOPICS, name);
  if (topic !== undefined && word !== undefined && topic.takesWord !== true)
    throw new UserError(`help ${name} is one page: it goes without ${JSON.stringify(word)}`);
  return topic?.text(word, all);
}

/** One line for each topic. */
export function topicLines(): string {
  return Object.entries(TOPICS)
    .map(([name, { summary }]) => `  help ${name.padEnd(12)}${summary}\n`)
    .join('');
}
