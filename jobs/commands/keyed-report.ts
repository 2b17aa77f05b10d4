/** `mergemate report` of keyed games. */
import { basename, join, resolve } from 'node:path';
import type { Sink } from '../../operators/storage/store.js';
import { createOutput } from '../export/output-file.js';
import type { MetricOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { makeFolder } from '../report/folder.js';
import { gatherKeyed, type KeyedReport } from '../report/keyed-gather.js';
import { keyedPage, keyedPliesCsv, keyedResultsCsv } from '../report/keyed-page.js';
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
  const texts: Record<string, (report: KeyedReport) => string> = {
    'index.html': (report) => keyedPage(report, command),
    'results.csv': keyedResultsCsv,
    ...(metric !== 'wdl' && { 'plies.csv': keyedPliesCsv }),
  };
  const files = Object.entries(texts).map(([name, text]) => ({ path: join(out, name), text }));
  makeFolder(out);
  const outputs: Sink[] = [];
  try {
    // Opened first, so that an unwritable file is refused at once.
    for (const file of files) outputs.push(await createOutput(file.path, force === true));
    const report = await gatherKeyed(game, storeToRead(flags.store), metric, breathe);
    for (const [i, output] of outputs.entries()) {
      await output.write([Buffer.from(files[i].text(report))]);
      await output.close();
    }
  } catch (error) {
    for (const output of outputs) await output.abort();
    throw error;
  }
  const paths = files.map((file) => file.path);
  if (flags.json) await printJson({ game: game.name, metric, files: paths });
  else await print(`${paths.join('\n')}\n`);
}
