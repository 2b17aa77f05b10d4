/** `mergemate report` of keyed games. */
import { basename, resolve } from 'node:path';
import type { MetricOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { writeReport } from '../report/folder.js';
import { gatherKeyed, type KeyedGameReport } from '../report/keyed-gather.js';
import { keyedPage, keyedPliesCsv, keyedPointsCsv, keyedResultsCsv } from '../report/keyed-page.js';
import { storeToRead } from '../stores.js';
import { type AskedKeyed, requireNone, solvedMetric } from './asked-keyed.js';

interface ReportFlags extends MetricOptions {
  readonly pieces?: number;
  readonly out: string;
  readonly force?: boolean;
}

export async function reportKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  { pieces, out, force, ...flags }: ReportFlags,
): Promise<void> {
  requireNone(asked, names, { pieces });
  const { game, path } = asked;
  const metric = await solvedMetric(asked, flags);
  // Readers of the page have no use for folders of this machine.
  const command = `mergemate report ${basename(path)} --metric ${metric} --out ${basename(resolve(out))}`;
  const texts: Record<string, (report: KeyedGameReport) => string> = {
    'index.html': (report) => keyedPage(report, command),
    'results.csv': keyedResultsCsv,
    ...(metric !== 'wdl' && { 'plies.csv': keyedPliesCsv }),
    ...(metric === 'score' && { 'points.csv': keyedPointsCsv }),
  };
  const gather = () => gatherKeyed(game, storeToRead(flags.store), metric, breathe);
  const paths = await writeReport(out, force === true, texts, gather);
  if (flags.json) await printJson({ game: game.name, metric, files: paths });
  else await print(`${paths.join('\n')}\n`);
}
