/**
 * An epoch of rounds: it begins with labels and frontiers that are committed, and ends with the next commit. Requests of its
 * first round are sent in a step of their own. Every later round labels and sends in one step, so that a round has one barrier
 * (two more under `lookup`).
 */
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { type ConvertManifest, type RoundDone, RoundsManifest } from '../game/manifest.js';
import { type StepName, stepAt } from '../game/slice-objects.js';
import {
  CommittedPart,
  type Parcel,
  RoundManifest,
  RoundPart,
  SentManifest,
  SentPart,
} from '../game/step-manifests.js';
import { requirePlies } from '../tables/writer.js';
import { type Crew, deleteShare, type Took } from './crew.js';
import type { HandOver } from './hand-over.js';
import { joinLabelRuns } from './label-planes.js';
import { commitRequestsOf } from './pace.js';
import type { Partition } from './partition.js';
import { sumSides } from './sides.js';
import type { SliceWork } from './slice-work.js';

/** Where an epoch begins. */
export interface EpochStart {
  /** Rounds that are done, and the last that labelled anything. */
  readonly rounds: number;
  readonly longest: number;
  /** The rounds that took turns. */
  readonly turned: readonly number[];
  /** Nothing was labelled in the last round. */
  readonly isIdle: boolean;
}

export interface EpochOptions {
  readonly work: SliceWork;
  readonly crew: Crew;
  readonly converted: ConvertManifest;
  readonly start: EpochStart;
  /** Null where rounds never change hands. */
  readonly handOver: HandOver | null;
  /** Whether the crew is one partition that does rounds for others. */
  readonly isAlone: boolean;
}

/** The name of the manifest of the epoch that begins with a round. */
export function epochName({ work }: SliceWork, from: number): string {
  return stepAt(work, { name: 'commit', ply: from }).manifest;
}

/** Whether nothing was labelled in a round. */
export function isIdle(round: RoundDone | undefined): boolean {
  return round !== undefined && round.won + round.lost === 0;
}

export class Epoch {
  private readonly work: SliceWork;
  private readonly crew: Crew;
  private readonly handOver: HandOver | null;
  private readonly isAlone: boolean;
  private readonly start: EpochStart;
  /** The last ply of conversions, and how many turns there are. */
  private readonly lastConversion: number;
  private readonly lastTurn: number;

  /** The round at hand. */
  private ply: number;
  private longest: number;
  private requests = 0;
  private done = false;
  /** Whether one partition does the epoch behind this one. */
  private few: boolean;
  private readonly won: [number, number] = [0, 0];
  private readonly lost: [number, number] = [0, 0];
  private readonly rounds: RoundDone[] = [];
  private readonly turned: number[] = [];
  private readonly counters = newCounters();
  /** Runs that passed between partitions. */
  private readonly passed: string[] = [];

  constructor({ work, crew, converted: { events, turns = [] }, start, handOver, isAlone }: EpochOptions) {
    this.work = work;
    this.crew = crew;
    this.handOver = handOver;
    this.isAlone = isAlone;
    this.start = start;
    this.lastConversion = Math.max(0, ...events.map((run) => (run.rows > 0 ? run.last : 0)));
    this.lastTurn = Math.max(0, ...turns.map((run) => run.last));
    this.ply = start.rounds + 1;
    this.longest = start.longest;
    this.few = isAlone;
    handOver?.beginEpoch(isAlone);
  }

  /** Does the rounds, and commits their labels. */
  async run(): Promise<RoundsManifest> {
    const from = this.ply;
    let sent = await this.send('expand', (partition, again) => partition.expand(from, again));
    let idle = this.start.isIdle;
    for (let ends = false; !ends; this.ply++) {
      ends = this.willEnd(rowsOf(sent));
      const turn = idle && this.turnsTaken < this.lastTurn ? this.turnsTaken + 1 : null;
      if (turn !== null) this.turned.push(this.ply);
      const round = await this.round(sent, ends, turn);
      idle = isIdle(this.rounds.at(-1));
      this.done = idle && this.ply >= this.lastConversion && this.turnsTaken === this.lastTurn;
      ends ||= this.done;
      sent = round.sent;
    }
    const committed = await this.commit();
    if (this.work.keepRuns !== true) await deleteShare(this.work.store, this.crew, this.passed);
    return committed;
  }

  private get from(): number {
    return this.start.rounds + 1;
  }

  private get turnsTaken(): number {
    return this.start.turned.length + this.turned.length;
  }

  /**
   * Whether the round at hand, with so many requests sent, is the last. It must be known beforehand, for then no requests are
   * sent behind it.
   */
  private willEnd(coming: number): boolean {
    const { pace, game, slice, keepRuns } = this.work;
    const changesHands = this.handOver?.isDue(coming) === true;
    this.few = changesHands !== this.isAlone;
    if (changesHands || keepRuns === true) return true;
    if (this.ply - this.from + 1 >= pace.commitRounds) return true;
    return this.requests + coming >= commitRequestsOf(pace, game.slice(slice));
  }

  /** A passing step of the ply in which every partition sends rows, and nothing else. */
  private async send(
    name: StepName,
    call: (partition: Partition, again: boolean) => Promise<Parcel>,
  ): Promise<readonly Parcel[]> {
    const { work, header, count } = this.work;
    const done = await this.crew.step({
      ...stepAt(work, { name, ply: this.ply }),
      kind: 'passing',
      part: SentPart,
      whole: SentManifest,
      run: async (partition, again) => ({ sent: await call(partition, again) }),
      join: (parts, took) => joinSent(header, parts, took),
    });
    count({ ...newCounters(), ...done.counters });
    this.pass(done);
    return done.sent;
  }

  private pass({ sent, counters }: SentManifest | RoundManifest): void {
    addCounters(this.counters, { ...newCounters(), ...counters });
    for (const parcel of sent)
      if ('runs' in parcel && parcel.runs !== null) this.passed.push(parcel.runs.name);
  }

  /** Does the round of the ply. @param ends whether it is the last of the epoch: its labels make no requests yet. @param turn that it takes. */
  private async round(
    requests: readonly Parcel[],
    ends: boolean,
    turn: number | null,
  ): Promise<RoundManifest> {
    const { work, header, strategy } = this.work;
    const ply = this.ply;
    let escapes: readonly Parcel[] = [];
    let asked: readonly Parcel[] = [];
    if (strategy === 'lookup') {
      asked = await this.send('ask', (partition, again) => partition.ask(ply, requests, again));
      escapes = await this.send('answer', (partition, again) => partition.answer(ply, asked, again));
    }
    const received = { requests, escapes, expand: !ends, turn };
    // Rounds that end an epoch have names of their own: they send nothing, and must not be taken for others.
    const round = await this.crew.step({
      ...stepAt(work, { name: ends ? 'last' : 'round', ply }),
      kind: 'passing',
      part: RoundPart,
      whole: RoundManifest,
      run: (partition, again) => partition.round(ply, received, again),
      join(parts, took): RoundManifest {
        const stayed = parts.reduce((sum, part) => sum + part.stayed, 0);
        return {
          ...joinSent(
            header,
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
    this.pass(round);
    this.account(round);
    return round;
  }

  /** Adds a round, and reports it. */
  private account(round: RoundManifest): void {
    const { slice, metric, progress, count } = this.work;
    const { ply, requests } = round;
    const won = round.won[0] + round.won[1];
    const labelled = won + round.lost[0] + round.lost[1];
    if (labelled > 0) {
      requirePlies(slice, metric, ply);
      this.longest = ply;
    }
    this.requests += requests;
    this.handOver?.addRound(requests, cycleMs(round));
    for (const side of [0, 1] as const) {
      this.won[side] += round.won[side];
      this.lost[side] += round.lost[side];
    }
    this.rounds.push({ ply, won, lost: labelled - won, requests });
    count({ ...newCounters(), ...round.counters });
    progress({ type: 'round', slice, ply, requests, labelled, won });
  }

  private commit(): Promise<RoundsManifest> {
    const work = this.work;
    const from = this.from;
    const to = this.ply;
    const done = this.done;
    return this.crew.step({
      ...stepAt(work.work, { name: 'commit', ply: from, to }),
      kind: 'commit',
      part: CommittedPart,
      whole: RoundsManifest,
      run: (partition) => partition.commit(to, done),
      join: (parts, { counters }) => {
        work.count(counters);
        addCounters(this.counters, counters);
        return {
          ...work.header,
          step: 'rounds',
          from,
          to,
          done,
          longest: this.longest,
          few: this.few,
          requests: this.requests,
          won: this.won,
          lost: this.lost,
          rounds: this.rounds,
          ...(this.turned.length === 0 ? {} : { turned: this.turned }),
          labels: joinLabelRuns(parts.map((part) => part.labels)),
          frontier: parts.flatMap((part) => part.frontier),
          counters: { ...this.counters },
        };
      },
    });
  }
}

function rowsOf(sent: readonly Parcel[]): number {
  return sent.reduce((sum, parcel) => sum + parcel.rows, 0);
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

/** Milliseconds from one barrier to the next, as the manifest of the round shows all ranks. */
function cycleMs({ ran }: RoundManifest): number {
  const ofRanks = new Map<number, number>();
  for (const { rank, wallMs } of ran) ofRanks.set(rank, (ofRanks.get(rank) ?? 0) + wallMs);
  return Math.max(0, ...ofRanks.values());
}
