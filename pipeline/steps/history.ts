/** What the manifests of a slice's tasks say of its history: what its record is made of. */
import { StorageError } from '../../operators/core/errors.js';
import { sumCounters } from '../counters-record.js';
import { FORMAT_VERSION } from '../manifest.js';
import type { History, PhaseRecord, RoundRecord, SliceRecord } from '../records/shapes.js';
import { replaceSliceRecord } from '../records/slice-record.js';
import { retriesAmong, stepNotes } from './attempts.js';
import type { FinishTask, PartitionTask, Ran, RoundOfPartition, VerifyTask } from './manifests.js';
import { type Phase, phaseName, type SliceWork, stepsFolder } from './names.js';

/** From the earliest start to the latest end, in ms. */
export function spanMs(ran: readonly Ran[]): number {
  if (ran.length === 0) return 0;
  const ends = ran.map(({ started, wallMs }) => started + wallMs);
  return Math.max(...ends) - startOf(ran);
}

const startOf = (ran: readonly Ran[]): number => Math.min(...ran.map(({ started }) => started));

/** A partition's tasks up to now, `start` first, as rounds: what each labelled, and the requests it worked off. */
export function roundsOfPartition(tasks: readonly PartitionTask[]): RoundOfPartition[] {
  return tasks.map(({ ply, won, lost, requestsSoFar, ran }, i) => ({
    ply,
    won: won[0] + won[1],
    lost: lost[0] + lost[1],
    requests: requestsSoFar - (tasks[i - 1]?.requestsSoFar ?? 0),
    ran,
  }));
}

/** The history of all partitions together; `partitions` holds the rounds of each, `start` first, as far as they are complete. */
export function historyOf(
  partitions: readonly (readonly RoundOfPartition[])[],
  counters: readonly Readonly<Record<string, number>>[],
): History {
  const plies = Math.min(...partitions.map((rounds) => rounds.length));
  const rounds: RoundRecord[] = [];
  const phases: PhaseRecord[] = [];
  for (let ply = 0; ply < plies; ply++) {
    const all = partitions.map((of) => of[ply]!);
    const ran = all.map((round) => round.ran);
    const sum = (of: (round: RoundOfPartition) => number) => all.reduce((total, each) => total + of(each), 0);
    if (ply === 0) phases.push({ phase: 'start', startedAt: startOf(ran), wallMs: spanMs(ran) });
    else {
      rounds.push({
        ply,
        won: sum(({ won }) => won),
        lost: sum(({ lost }) => lost),
        requests: sum(({ requests }) => requests),
        wallMs: spanMs(ran),
      });
    }
  }
  const ofRounds = partitions.flatMap((of) => of.slice(1, plies).map(({ ran }) => ran));
  if (ofRounds.length > 0)
    phases.push({ phase: 'rounds', startedAt: startOf(ofRounds), wallMs: spanMs(ofRounds) });
  return { startedAt: phases[0]?.startedAt ?? 0, phases, rounds, counters: sumCounters(counters) };
}

/** Records how the slice was solved, unless somebody has; people want to know it, nothing that is done needs it. */
export async function recordFinished(work: SliceWork, tasks: readonly FinishTask[]): Promise<void> {
  const histories = tasks.flatMap(({ history }) => (history === undefined ? [] : [history]));
  if (histories.length < tasks.length) return;
  await leniently(() =>
    replaceSliceRecord(work.store, work, async (before) => {
      if (before !== null) return null;
      const history = historyOf(
        histories,
        tasks.map(({ counters }) => counters),
      );
      return withPhase(work, { type: 'finish' }, tasks, {
        version: FORMAT_VERSION,
        ...history,
        by: 'steps',
        endedAt: 0,
        memory: null,
        peakRss: Math.max(...histories.flat().map(({ ran }) => ran.peakRss)),
        attempts: null,
      });
    }),
  );
}

/** Adds the verification to the record of the slice, unless somebody has. */
export async function recordVerification(work: SliceWork, tasks: readonly VerifyTask[]): Promise<void> {
  await leniently(() =>
    replaceSliceRecord(work.store, work, async (before) => {
      if (before === null || before.phases.some(({ phase }) => phase === 'verify')) return null;
      const counters = sumCounters([before.counters, ...tasks.map((task) => task.counters)]);
      return withPhase(work, { type: 'verify' }, tasks, { ...before, counters });
    }),
  );
}

async function withPhase(
  work: SliceWork,
  phase: Phase,
  tasks: readonly { readonly ran: Ran }[],
  record: SliceRecord,
): Promise<SliceRecord> {
  const ran = tasks.map((task) => task.ran);
  const wallMs = spanMs(ran);
  const startedAt = startOf(ran);
  const folder = `${stepsFolder(work)}/`;
  const notes = stepNotes((await work.store.list(folder)).map((name) => name.slice(folder.length)));
  const failed = notes.filter(({ what }) => what === 'failed').length;
  return {
    ...record,
    phases: [...record.phases, { phase: phaseName(phase), startedAt, wallMs }],
    endedAt: startedAt + wallMs,
    peakRss: Math.max(record.peakRss, ...ran.map(({ peakRss }) => peakRss)),
    attempts: { failed, retries: retriesAmong(notes) },
  };
}

/** A store that fails here fails where it matters, too. */
async function leniently(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
