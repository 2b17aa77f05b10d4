/**
 * `mergemate solve chess … --to URI`: a set of endings as Syzygy's files. Endings are solved, their files written and verified. A
 * ledger in the folder of the files notes what was done. So an interrupted set goes on, and tables may go when none needs them.
 */
import { UserError } from '../../operators/core/errors.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import type { Job } from '../asked/job.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { note, print, printJson } from '../cli/output.js';
import { removeRemains } from '../engines/remains.js';
import { prepareRun } from '../engines/watched-run.js';
import { newSetLookout } from '../progress/set.js';
import { requireLedgerPage, setBlocks, writeLedgerPage } from '../sets/ledger-page.js';
import { SetRun } from '../sets/run-set.js';
import { openStore } from '../stores.js';
import { documentText } from '../ui/document.js';

interface SetFlags {
  readonly store: string;
  readonly scratch?: string;
  readonly json?: boolean;
  /** Where the files go. */
  readonly to: string;
  /** How files give plies; exactly unless given. */
  readonly plies?: Plies;
  readonly freeTables?: boolean;
  readonly disk?: number;
  /** A file for the ledger as a page. */
  readonly ledger?: string;
}

export async function solveSet(job: Job, flags: SetFlags): Promise<void> {
  if (job.game.name !== 'chess' || job.metric !== SYZYGY_METRIC || job.engine !== 'local')
    throw new UserError('--to: Syzygy files are of chess under --metric dtz, solved by the local engine');
  const { ledger: page, plies = 'exact', freeTables = false } = flags;
  if (page !== undefined) requireLedgerPage(page);
  const endings = job.endings.filter(({ class: all }) => !all.endsWith('ep'));
  const filed = filedEndings(job.game, endings);
  const out = openStore(flags.to);
  const look = newSetLookout(out);
  const folder = prepareRun(flags.store, flags.scratch);
  sayWhenInterrupted('the same command goes on with the steps that it was at');
  const writePage = async () => {
    if (page !== undefined) await writeLedgerPage(page, (await look(Date.now()))!);
  };
  const run = new SetRun({
    job,
    filed,
    store: flags.store,
    out: flags.to,
    plies,
    scratchFolder: folder.folder,
    freesTables: freeTables,
    disk: flags.disk,
    say: (line) => void (flags.json || note(line)),
    finished: writePage,
  });
  try {
    await removeRemains(out, (name) => !name.includes('/'));
    await run.run();
    await writePage();
  } finally {
    folder.release();
  }
  if (flags.json) return printJson({ out: flags.to, endings: run.ledgers });
  await print(`${flags.to}\n\n${documentText(setBlocks((await look(Date.now()))!))}`);
}
