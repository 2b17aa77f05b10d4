/**
 * Does the rounds of a slice, in *epochs*: an epoch begins with labels and frontiers that are committed, and ends with the
 * next commit. Requests of its first round are sent in a step of their own. Every later round labels and sends in one step, so
 * that a round has one barrier (two more under `lookup`).
 */
import { addCounters, type Counters, newCounters } from '../../../operators/core/counters.js';
import {
  type ConvertManifest,
  type EnumerateManifest,
  type EventRun,
  type LabelRuns,
  type PartRun,
  type RoundDone,
  RoundsManifest,
  readManifest,
} from '../../formats/manifest.js';
import { type StepName, stepAt } from '../../formats/slice-objects.js';
import { type Crew, deleteShare, type Took } from '../../partition/crew.js';
import type { Partition } from '../../partition/partition.js';
import { runNamesIn } from '../../partition/rank-crew.js';
import type { Parcel } from '../../partition/transport.js';
import { joinLabelRuns } from '../../phases/label-planes.js';
import { requirePlies } from '../../table/writer.js';
import { commitRequestsOf } from './pace.js';
import { CommittedPart, RoundManifest, RoundPart, SentManifest, SentPart } from './parts.js';
import { sumSides } from './sides.js';
import { type SliceWork, tellPhase } from './slice-work.js';

/** The input of the rounds. */
export interface RoundsInput {
  readonly enumerated: EnumerateManifest;
  readonly converted: ConvertManifest;
  /** Only for slices without unmoves. */
  readonly edges: readonly PartRun[];
}

/** All epochs that are committed. */
export interface RoundsDone {
  readonly epochs: readonly RoundsManifest[];
  readonly labels: LabelRuns;
  /** Everything that was labelled. */
  readonly events: readonly EventRun[];
  readonly longest: number;
  /** The rounds that took turns. */
  readonly turned: readonly number[];
  /** Nothing was labelled in the last round. */
  readonly isIdle: boolean;
  /** Rounds that were done. */
  readonly rounds: number;
}

export async function doRounds(
  work: SliceWork,
  crew: Crew,
  input: RoundsInput,
): Promise<RoundsDone & { readonly deleting: Promise<void> }> {
  const epochs = crew.durable ? await committedEpochs(work) : [];
  const sharing: Sharing = { partitions: crew.partitions.length, barrierMs: 0 };
  let opened: Crew | null = null;
  let deleting = Promise.resolve();
  if (epochs.at(-1)?.done !== true) {
    const { legal } = input.enumerated;
    tellPhase(work, 'rounds', legal[0] + legal[1]);
  }
  try {
    while (epochs.at(-1)?.done !== true) {
      const before = stateOf(input, epochs);
      const few = epochs.at(-1)?.few === true && crew.alone !== undefined;
      const isSame: boolean = opened !== null && (opened === crew) !== few;
      await deleting;
      if (!isSame) {
        await opened?.each((partition) => partition.closeRounds());
        opened = few ? await crew.alone!() : crew;
        const { labels, events, rounds } = before;
        const { events: conversions, turns = [] } = input.converted;
        const state = { labels, events, conversions, turns, edges: input.edges };
        await opened?.each((partition) => partition.openRounds({ ...state, nextPly: rounds + 1 }));
      }
      const manifest = epochName(work, before.rounds + 1);
      const next: RoundsManifest =
        opened === null
          ? await crew.awaited!(manifest, RoundsManifest)
          : await doEpoch(work, opened, input.converted, before, { isAlone: few, sharing });
      addCounters(work.counters, { ...newCounters(), ...next.counters });
      epochs.push(next);
      if (crew.durable && work.keepRuns !== true) {
        const kept = new Set(runNamesIn(next.labels));
        const superseded = runNamesIn(before.labels).filter((run) => !kept.has(run));
        deleting = deleteShare(work.store, crew, superseded);
        // Whoever waits for it hears of it.
        deleting.catch(() => {});
      }
    }
  } catch (error) {
    // Open partitions hold a file in the store, and space in scratch.
    await opened?.each((partition) => partition.closeRounds()).catch(() => {});
    throw error;
  }
  await opened?.each((partition) => partition.closeRounds());
  if (crew.durable && work.keepRuns !== true) {
    const edges = input.edges.map(({ name }) => name);
    await deleteShare(work.store, crew, edges);
  }
  return { ...stateOf(input, epochs), deleting };
}

function epochName({ work }: SliceWork, from: number): string {
  return stepAt(work, { name: 'commit', ply: from }).manifest;
}

async function committedEpochs(work: SliceWork): Promise<RoundsManifest[]> {
  const epochs: RoundsManifest[] = [];
  for (let from = 1; ; from = epochs.at(-1)!.to) {
    const epoch = await readManifest(work.store, epochName(work, from), RoundsManifest);
    if (epoch === null) return epochs;
    addCounters(work.counters, { ...newCounters(), ...epoch.counters });
    epochs.push(epoch);
    if (epoch.done) return epochs;
  }
}

function stateOf({ enumerated }: RoundsInput, epochs: readonly RoundsManifest[]): RoundsDone {
  const last = epochs.at(-1);
  return {
    epochs,
    labels: last?.labels ?? enumerated.labels,
    events: [...enumerated.mates, ...epochs.flatMap((epoch) => epoch.frontier)],
    longest: last?.longest ?? 0,
    turned: epochs.flatMap((epoch) => epoch.turned ?? []),
    isIdle: isIdle(last?.rounds.at(-1)),
    rounds: (last?.to ?? 1) - 1,
  };
}

/** Whether nothing was labelled in a round. */
function isIdle(round: RoundDone | undefined): boolean {
  return round !== undefined && round.won + round.lost === 0;
}

/** Rounds as all partitions would do them, for one that does them alone. */
interface Sharing {
  readonly partitions: number;
  /** The shortest time from barrier to barrier in the epoch that they did last; 0 if it is not known. */
  barrierMs: number;
}

/** The state of an epoch. */
interface Epoch {
  readonly from: number;
  ply: number;
  requests: number;
  readonly won: [number, number];
  readonly lost: [number, number];
  readonly rounds: RoundDone[];
  readonly turned: number[];
  longest: number;
  done: boolean;
  few: boolean;
  readonly isAlone: boolean;
  /** Milliseconds that one partition would have saved in the rounds in a row that had few requests; or all of them, if one is alone. */
  missed: number;
  /** The shortest time from barrier to barrier. */
  barrierMs: number;
  readonly counters: Counters;
  /** Runs that passed between partitions. */
  readonly passed: string[];
}

async function doEpoch(
  work: SliceWork,
  crew: Crew,
  { events, turns = [] }: ConvertManifest,
  before: RoundsDone,
  { isAlone, sharing }: { readonly isAlone: boolean; readonly sharing: Sharing },
): Promise<RoundsManifest> {
  const lastConversion = Math.max(0, ...events.map((run) => (run.rows > 0 ? run.last : 0)));
  const lastTurn = Math.max(0, ...turns.map((run) => run.last));
  const from = before.rounds + 1;
  const epoch: Epoch = {
    from,
    ply: from,
    requests: 0,
    won: [0, 0],
    lost: [0, 0],
    rounds: [],
    turned: [],
    longest: before.longest,
    done: false,
    few: isAlone,
    isAlone,
    missed: Number.NEGATIVE_INFINITY,
    barrierMs: Number.POSITIVE_INFINITY,
    counters: newCounters(),
    passed: [],
  };
  let sent = await send(work, crew, epoch, 'expand', (partition, again) => partition.expand(from, again));
  let idle = before.isIdle;
  for (let ends = false; !ends; epoch.ply++) {
    ends = isAlone
      ? willGiveBack(work, epoch, rowsOf(sent), sharing)
      : willEnd(work, crew, epoch, rowsOf(sent));
    const taken = before.turned.length + epoch.turned.length;
    const turn = idle && taken < lastTurn ? taken + 1 : null;
    if (turn !== null) epoch.turned.push(epoch.ply);
    const round = await doRound(work, crew, epoch, sent, { ends, turn });
    idle = isIdle(epoch.rounds.at(-1));
    const isLast = epoch.ply >= lastConversion && before.turned.length + epoch.turned.length === lastTurn;
    epoch.done = idle && isLast;
    ends ||= epoch.done;
    sent = round.sent;
  }
  if (!isAlone) sharing.barrierMs = epoch.barrierMs;
  const committed = await commitEpoch(work, crew, epoch);
  if (work.keepRuns !== true) await deleteShare(work.store, crew, epoch.passed);
  return committed;
}

function rowsOf(sent: readonly Parcel[]): number {
  return sent.reduce((sum, parcel) => sum + parcel.rows, 0);
}

/**
 * Whether the round that is next, with so many requests sent, is the last of its epoch. It must be known beforehand,
 * for then no requests are sent behind it.
 *
 * One partition takes the rounds over when it would have saved as much in those before as it costs to hand over the labels. How many
 * rounds are to come, nobody knows. So that is at most twice the cost of knowing it (ski rental: Karlin et al. 1988, Competitive
 * snoopy caching).
 */
function willEnd(work: SliceWork, crew: Crew, epoch: Epoch, coming: number): boolean {
  const { pace, keepRuns } = work;
  const isWorth = epoch.missed >= handingOverMs(work) && coming < pace.fewRequests;
  epoch.few = crew.alone !== undefined && isWorth;
  return epoch.few || keepRuns === true || isFull(work, epoch, coming);
}

/** As `willEnd`, for one partition that does rounds for others: it gives them back when these would have saved as much. */
function willGiveBack(
  work: SliceWork,
  epoch: Epoch,
  coming: number,
  { partitions, barrierMs }: Sharing,
): boolean {
  const { pace } = work;
  const saved = coming * pace.requestMs * (1 - 1 / partitions) - barrierMs;
  epoch.missed = Math.max(0, epoch.missed + saved);
  epoch.few = coming <= pace.manyRequests && epoch.missed <= handingOverMs(work);
  return !epoch.few || isFull(work, epoch, coming);
}

/** Milliseconds to commit the labels, and to open them elsewhere. */
function handingOverMs({ pace, game, slice }: SliceWork): number {
  return 2 * game.slice(slice).size * pace.positionMs;
}

function isFull({ pace, game, slice }: SliceWork, epoch: Epoch, coming: number): boolean {
  if (epoch.ply - epoch.from + 1 >= pace.commitRounds) return true;
  return epoch.requests + coming >= commitRequestsOf(pace, game.slice(slice));
}

/** A passing step of the epoch's ply in which every partition sends rows, and nothing else. */
async function send(
  { work, header, count }: SliceWork,
  crew: Crew,
  epoch: Epoch,
  name: StepName,
  call: (partition: Partition, again: boolean) => Promise<Parcel>,
): Promise<readonly Parcel[]> {
  const done = await crew.step({
    ...stepAt(work, { name, ply: epoch.ply }),
    kind: 'passing',
    part: SentPart,
    whole: SentManifest,
    run: async (partition, again) => ({ sent: await call(partition, again) }),
    join: (parts, took) => joinSent(header, parts, took),
  });
  count({ ...newCounters(), ...done.counters });
  return passed(epoch, done);
}

/** Joins what partitions sent. */
export function joinSent(
  header: SliceWork['header'],
  parts: readonly { readonly sent: Parcel }[],
  { counters, processes }: Took,
): SentManifest {
  const sent = parts.map((part) => part.sent);
  return { ...header, step: 'sent', sent, counters: { ...counters }, ran: [...processes] };
}

function passed(epoch: Epoch, { sent, counters }: SentManifest | RoundManifest): readonly Parcel[] {
  addCounters(epoch.counters, { ...newCounters(), ...counters });
  for (const parcel of sent)
    if ('runs' in parcel && parcel.runs !== null) epoch.passed.push(parcel.runs.name);
  return sent;
}

/** Does the round of the epoch's ply. @param ends whether it is the last of the epoch: its labels make no requests yet. @param turn that it takes. */
async function doRound(
  work: SliceWork,
  crew: Crew,
  epoch: Epoch,
  requests: readonly Parcel[],
  { ends, turn }: { readonly ends: boolean; readonly turn: number | null },
): Promise<RoundManifest> {
  const { ply } = epoch;
  let escapes: readonly Parcel[] = [];
  let asked: readonly Parcel[] = [];
  if (work.strategy === 'lookup') {
    asked = await send(work, crew, epoch, 'ask', (partition, again) => partition.ask(ply, requests, again));
    escapes = await send(work, crew, epoch, 'answer', (partition, again) =>
      partition.answer(ply, asked, again),
    );
  }
  const received = { requests, escapes, expand: !ends, turn };
  // Rounds that end an epoch have names of their own: they send nothing, and must not be taken for others.
  const round = await crew.step({
    ...stepAt(work.work, { name: ends ? 'last' : 'round', ply }),
    kind: 'passing',
    part: RoundPart,
    whole: RoundManifest,
    run: (partition, again) => partition.round(ply, received, again),
    join(parts, took): RoundManifest {
      const stayed = parts.reduce((sum, part) => sum + part.stayed, 0);
      return {
        ...joinSent(
          work.header,
          parts.flatMap(({ sent }) => (sent === null ? [] : [{ sent }])),
          took,
        ),
        step: 'round',
        ply,
        stayed,
        requests: rowsOf(requests) + rowsOf(asked) + stayed,
        won: sumSides(parts.map((part) => part.won)),
        lost: sumSides(parts.map((part) => part.lost)),
      };
    },
  });
  passed(epoch, round);
  account(work, epoch, round);
  return round;
}

/** Milliseconds from one barrier to the next, as the manifest of the round shows all ranks. */
function cycleMs({ ran }: RoundManifest): number {
  const ofRanks = new Map<number, number>();
  for (const { rank, wallMs } of ran) ofRanks.set(rank, (ofRanks.get(rank) ?? 0) + wallMs);
  return Math.max(0, ...ofRanks.values());
}

/** Adds a round to its epoch, and reports it. */
function account(
  { slice, metric, progress, count, pace }: SliceWork,
  epoch: Epoch,
  round: RoundManifest,
): void {
  const { ply, requests } = round;
  const won = round.won[0] + round.won[1];
  const labelled = won + round.lost[0] + round.lost[1];
  if (labelled > 0) {
    requirePlies(slice, metric, ply);
    epoch.longest = ply;
  }
  epoch.requests += requests;
  const cycle = cycleMs(round);
  epoch.barrierMs = Math.min(epoch.barrierMs, cycle);
  const missed = Math.max(0, epoch.missed + cycle - requests * pace.requestMs);
  if (!epoch.isAlone) epoch.missed = requests < pace.fewRequests ? missed : Number.NEGATIVE_INFINITY;
  for (const side of [0, 1] as const) {
    epoch.won[side] += round.won[side];
    epoch.lost[side] += round.lost[side];
  }
  epoch.rounds.push({ ply, won, lost: labelled - won, requests });
  count({ ...newCounters(), ...round.counters });
  progress({ type: 'round', slice, ply, requests, labelled, won });
}

async function commitEpoch(work: SliceWork, crew: Crew, epoch: Epoch): Promise<RoundsManifest> {
  const { from, ply: to, done, longest, few, requests, won, lost, rounds, turned } = epoch;
  return crew.step({
    ...stepAt(work.work, { name: 'commit', ply: from, to }),
    kind: 'commit',
    part: CommittedPart,
    whole: RoundsManifest,
    run: (partition) => partition.commit(to, done),
    join(parts, { counters }) {
      work.count(counters);
      addCounters(epoch.counters, counters);
      return {
        ...work.header,
        step: 'rounds',
        from,
        to,
        done,
        longest,
        few,
        requests,
        won,
        lost,
        rounds,
        ...(turned.length === 0 ? {} : { turned }),
        labels: joinLabelRuns(parts.map((part) => part.labels)),
        frontier: parts.flatMap((part) => part.frontier),
        counters: { ...epoch.counters },
      };
    },
  });
}
