/** `mergemate stats --html`: endings as a page and CSV files. */

import { basename, resolve } from 'node:path';
import { resultsOf } from '../../pipeline/analysis/codes.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { needTable } from '../../pipeline/tables/table.js';
import { PROBE_CACHE } from '../open-prober.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { endingsCsv, pliesCsv, zugzwangsCsv } from '../report/csv-files.js';
import { writeReport } from '../report/folder.js';
import { type EndingReport, gatherEnding } from '../report/gather.js';
import { reportPage } from '../report/page.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { newScanLines } from '../ui/scan-lines.js';
import { findGraph } from './asked-graph.js';

interface ReportFlags extends MetricOptions {
  readonly pieces?: number;
  readonly html: string;
  readonly force?: boolean;
}

/** Zugzwangs of each kind that the page shows of an ending. */
const EXAMPLES = 3;

export async function runReport(gameName: string, names: string[], flags: ReportFlags): Promise<void> {
  const graph = await findGraph(gameName, flags.store);
  if (graph !== null) return (await import('./graph-report.js')).reportGraph(graph, names, flags);
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const endings = askEndings(game, names, flags.pieces);
  const store = storeToRead(flags.store);
  const asked = askedWords(names, flags.pieces);
  await needTables(store, game, metric, slicesOf(endings), asked);
  // Readers of the page have no use for folders of this machine.
  const command = `mergemate stats ${basename(gameName)} ${asked} --metric ${metric} --html ${basename(resolve(flags.html))}`;
  const shown = [...names.map((name) => game.ending(name).name), ...piecesWords(flags.pieces)].join(', ');
  const results = resultsOf(metric);
  const texts: Record<string, (reports: EndingReport[]) => string> = {
    'index.html': (reports) => reportPage({ game, metric, title: shown, command, endings: reports }),
    'endings.csv': (reports) => endingsCsv(results, reports),
    ...(metric !== 'wdl' && { 'plies.csv': pliesCsv }),
    ...(game.sidesShareIndex && { 'zugzwangs.csv': zugzwangsCsv }),
  };
  const paths = await writeReport(flags.html, flags.force === true, texts, async () => {
    const prober = newProber({ game, metric, store, cacheBytes: PROBE_CACHE });
    const open = (slice: string) => needTable(store, game, metric, slice);
    const progress = newScanLines();
    const options = { game, metric, prober, open, report: progress.report, examples: EXAMPLES };
    const reports: EndingReport[] = [];
    for (const [i, ending] of endings.entries()) {
      progress.begin(ending.name, i + 1, endings.length);
      reports.push(await gatherEnding(options, ending));
    }
    return reports;
  });
  if (flags.json)
    await printJson({ game: game.name, endings: endings.map(({ name }) => name), metric, files: paths });
  else await print(`${paths.join('\n')}\n`);
}

function piecesWords(pieces: number | undefined): string[] {
  return pieces === undefined ? [] : [`all endings up to ${pieces} pieces`];
}
