/** `mergemate probe`: the value of positions and of all their moves, or the line of best play. */

import { UserError } from '../../operators/core/errors.js';
import { answersTo, LONGEST_LINE, positionReaderOf, type ReadPosition } from '../asked/fen-lists.js';
import { complain, ExitCode, endWith } from '../cli/exit.js';
import { breathe, note, print, printData, printJson } from '../cli/output.js';
import { linesOfText } from '../cli/text-lines.js';
import { answerText } from '../solved/answer-text.js';
import { openSolved } from '../solved/open.js';
import type { LookupFlags } from '../solved/open-prober.js';
import { type Answers, answerJson, type Solved } from '../solved/solved.js';
import { winnerText } from '../ui/keyed-text.js';
import { count } from '../ui/numbers.js';

interface ProbeFlags extends LookupFlags {
  readonly file?: string;
  readonly line?: boolean;
  readonly limit?: number;
}

export async function runProbe(asked: string, text: string | undefined, flags: ProbeFlags): Promise<void> {
  const { file, line, json, limit } = flags;
  const solved = await openSolved(asked, flags);
  if (file !== undefined) {
    if (text !== undefined) throw new UserError(`give either ${solved.what} or --file`);
    const answered = async (each: string) => {
      const position = solved.parse(each);
      return answerJson(solved, position, await solved.probe(position));
    };
    await probeLines(answered, file, positionReaderOf(asked));
    const caches = solved.caches?.() ?? '';
    if (caches !== '') note(caches);
    return;
  }
  if (line) {
    if (flags.syzygy !== undefined)
      throw new UserError('--line follows tables: Syzygy files do not hold the shortest win');
    const [first] = text === undefined ? solved.starts() : [solved.parse(text)];
    const best = await solved.line(first, limit);
    return json ? printJson(best.json) : print(best.text);
  }
  if (text === undefined) return probeStarts(solved, json === true);
  const position = solved.parse(text);
  const answers = await solved.probe(position);
  if (json) await printJson(answerJson(solved, position, answers));
  else await print(answerText(solved, position, answers));
}

/** All positions where games begin, a line for each if there are several. */
async function probeStarts(solved: Solved, json: boolean): Promise<void> {
  const starts = [...solved.starts()];
  const all: Answers[] = [];
  for (const start of starts) all.push(await solved.probe(start));
  if (json)
    return printJson({
      metric: all[0][0].metric,
      roots: starts.map((start, i) => answerJson(solved, start, all[i])),
    });
  if (starts.length === 1) return print(answerText(solved, starts[0], all[0]));
  const lines = starts.map(
    (start, i) =>
      `${solved.format(start)}: ${winnerText(solved.players, all[i][0], solved.distance(all[i][0], all[i][0].metric))}\n`,
  );
  await print(lines.join(''));
}

/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(
  answered: (position: string) => Promise<object>,
  path: string,
  read: ReadPosition,
): Promise<void> {
  let wrong = 0;
  let held = '';
  const lines = linesOfText(path, LONGEST_LINE);
  for await (const { text, bad } of answersTo(answered, lines, read)) {
    if (bad) wrong++;
    held += text;
    if (held.length < PRINT_CHARS && path !== '-') continue;
    await printData(held);
    held = '';
    await breathe();
  }
  await printData(held);
  if (wrong === 0) return;
  complain(`${path === '-' ? 'standard input' : path}: ${count(wrong, 'line')} could not be answered`);
  endWith(ExitCode.failed);
}
