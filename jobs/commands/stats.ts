/** `mergemate stats`: how many positions are won, drawn and lost, and how long it takes; with `--html` a page and CSV files of them. */
import { UserError } from '../../operators/core/errors.js';
import { print, printJson } from '../cli/output.js';
import { openTables } from '../solved/open.js';
import type { TableFlags } from '../solved/tables.js';
import { documentText } from '../ui/document.js';

interface StatsFlags extends TableFlags {
  readonly html?: string;
  readonly force?: boolean;
}

export async function runStats(asked: string, names: string[], flags: StatsFlags): Promise<void> {
  const { html, force = false, json } = flags;
  if (html === '-')
    throw new UserError('--html -: a page and its files do not go to standard output: name a folder');
  const tables = await openTables(asked, names, flags);
  if (html === undefined) {
    const statistics = await tables.statistics();
    return json ? printJson(statistics.json) : print(documentText(statistics.document));
  }
  const { writeReport } = await import('../report/folder.js');
  const files = await writeReport(html, force, await tables.report(html));
  const { name, endings, metric } = tables;
  if (json) await printJson({ game: name, ...(endings.length > 0 && { endings }), metric, files });
  else await print(`${files.join('\n')}\n`);
}
