/** `mergemate step`: does one task of a phase. What engines start; people may, too. */

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { assert, UserError } from '../../operators/core/errors.js';
import { parsePhaseFolder, phaseName } from '../../pipeline/steps/names.js';
import { claimed, undoneSlices } from '../claimed.js';
import { lead } from '../engines/lead.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { sayWhenInterrupted } from '../exit.js';
import type { Logger, LogSubject } from '../logs.js';
import { askSlice, metricOf } from '../options.js';
import { print } from '../output.js';
import { peakRss } from '../peak-rss.js';
import { openRecorder } from '../recorder/recorder.js';
import { findGame, referenceOf } from '../registry.js';
import { splitStoreUri } from '../store-uri.js';
import { openStore, scratchParent } from '../stores.js';
import { watchRun } from '../watched-run.js';

interface StepFlags {
  readonly task: number;
  readonly memory: number;
  readonly workers: number;
  readonly fanIn: number;
  readonly batch: number;
  readonly scratch?: string;
  readonly log?: string;
  readonly game?: string;
}

const FOLDER = /[^/]+\/[^/]+\/[^/]+\/steps\/count\/[^/]+$/;

export async function runStep(uri: string, flags: StepFlags): Promise<void> {
  const split = splitStoreUri(uri, FOLDER);
  const at = split === null ? null : parsePhaseFolder(split.name);
  if (split === null || at === null)
    throw new UserError(
      `${uri}: no phase of a solve (expected STORE/GAME/METRIC/SLICE/steps/count/PHASE, with PHASE whole, start, round-00001, finish or verify)`,
    );
  const game = await findGame(flags.game ?? at.game);
  if (game.name !== at.game)
    throw new UserError(`${uri}: that is of the game ${at.game}, and --game ${flags.game} is ${game.name}`);
  const metric = metricOf(game, at.metric);
  const { slice } = askSlice(game, at.slice);
  if (slice !== at.slice) throw new UserError(`${uri}: ${at.slice} is called ${slice}`);
  sayWhenInterrupted('the task can be done again');
  const { phase } = at;
  const { memory } = flags;
  const log = await openStepLog(flags.log, { slice, phase: phaseName(phase), task: flags.task });
  log?.info('began', { store: openStore(split.store).uri, memory, workers: flags.workers });
  const parent = scratchParent(split.store, flags.scratch);
  const scratch = claimScratch(parent);
  try {
    const place = { game: referenceOf(game), store: split.store, scratchFolder: scratch.folder };
    const common = {
      ...place,
      metric,
      budget: { memory, fanIn: flags.fanIn, batchRows: flags.batch },
      workers: flags.workers,
      slices: [slice],
      strategy: 'count' as const,
      verify: false,
    };
    if (phase.type === 'whole') {
      if (flags.task !== 0) throw new UserError(`there is no task ${flags.task}: ${slice} is solved whole`);
      const { workers } = flags;
      const recorder = openRecorder(split.store, {
        ...{ kind: 'task', engine: 'task', game, metric, memory, workers, verify: false },
        ...{ endings: [game.ending(slice)], solves: true },
      });
      const undone = undoneSlices(split.store, game.name, metric, [slice], false);
      const solved = await claimed(split.store, { game: game.name, undone }, () =>
        watchRun({ recorder }, (listen) => lead({ ...common, kind: 'solve' }, listen)),
      );
      const summary = solved.at(-1);
      assert(summary !== undefined, 'a solve has a summary');
      log?.info(summary.found ? 'found' : 'done', used());
      await print(`${slice}: ${summary.found ? 'was done' : 'done'}\n`);
    } else {
      const attempt = randomUUID().slice(0, 8);
      const done = await lead(
        { ...common, kind: 'step', phase, task: flags.task, attempt, host: hostname() },
        () => {},
      );
      log?.info(done, used());
      await print(`${slice} task ${flags.task}: ${done === 'found' ? 'was done' : 'done'}\n`);
    }
  } catch (error) {
    log?.error('failed', { problem: error instanceof Error ? error.message : String(error), ...used() });
    throw error;
  } finally {
    scratch.release();
  }
}

/** A file a machine: lines of processes of one machine do not mix, those of several might. */
async function openStepLog(folder: string | undefined, subject: LogSubject): Promise<Logger | undefined> {
  if (folder === undefined) return undefined;
  const { openLog } = await import('../logs.js');
  return openLog(join(folder, `${hostname()}.jsonl`)).about(subject);
}

/** What this process has used. */
function used(): Readonly<Record<string, number>> {
  const { user, system } = process.cpuUsage();
  return {
    wallMs: Math.round(performance.now()),
    cpuMs: Math.round((user + system) / 1000),
    peakRss: peakRss(),
  };
}
