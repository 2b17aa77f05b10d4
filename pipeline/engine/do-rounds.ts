/**
 * Does the rounds of a slice, from the last one that is committed on.
 *
 * Rounds are committed in epochs. An epoch begins with labels and frontiers that are committed, and ends with the next commit. The
 * requests of its first round are sent in a step of their own. Every later round labels and sends in one step, so that a round has one
 * barrier (two more under `lookup`). The last one sends nothing.
 */
import { newCounters } from '../../operators/core/counters.js';
import {
  type ConvertManifest,
  type EnumerateManifest,
  type EventRun,
  type LabelRuns,
  type PartRun,
  type RoundDone,
  RoundsManifest,
  readManifest,
} from '../game/manifest.js';
import { type StepName, stepAt } from '../game/slice-objects.js';
import { CommittedPart, type Parcel, RoundManifest, RoundPart, runsOnlyIn } from '../game/step-manifests.js';
import { requirePlies } from '../tables/writer.js';
import type { Crew } from './crew.js';
import { HandOver } from './hand-over.js';
import { joinLabelRuns } from './label-planes.js';
import { commitRequestsOf, PACE } from './pace.js';
import type { Partition } from './partition.js';
import { sumField, sumSides } from './sides.js';
import { type SliceWork, sending } from './slice-work.js';

/** The input of the rounds. */
export interface RoundsInput {
  readonly enumerated: EnumerateManifest;
  readonly converted: ConvertManifest;
  /** Only for slices without unmoves. */
  readonly edges: readonly PartRun[];
}

/** The crew that does rounds, and what they cost since the last commit. */
type Doing = Pick<SliceWork, 'crew' | 'counters'>;

/**
 * The rounds of a slice: all that are done, and the epoch at hand. Rounds may change hands between epochs: a crew of one partition does
 * those with few requests (hand-over.ts).
 */
export class SliceRounds {
  /** Those that are committed. */
  readonly epochs: RoundsManifest[] = [];
  /** Superseded labels are deleted while the next epoch begins. */
  deleting: Promise<void> = Promise.resolve();
  /** The last ply of conversions, and how many turns there are. */
  private readonly lastConversion: number;
  private readonly lastTurn: number;
  /** Null where rounds never change hands. */
  private readonly handOver: HandOver | null;
  /** The crew whose partitions have rounds open. */
  private opened: Crew | null = null;

  /** Of the epoch at hand: its rounds, and those that took turns. */
  private rounds: RoundDone[] = [];
  private turned: number[] = [];

  constructor(
    private readonly work: SliceWork,
    private readonly input: RoundsInput,
  ) {
    const { crew, index } = work;
    const { events, turns = [] } = input.converted;
    this.lastConversion = Math.max(0, ...events.map((run) => (run.rows > 0 ? run.last : 0)));
    this.lastTurn = Math.max(0, ...turns.map((run) => run.last));
    this.handOver = crew.handsOver ? new HandOver(this.pace, index.size, crew.partitions.length) : null;
  }

  get labels(): LabelRuns {
    return this.last?.labels ?? this.input.enumerated.labels;
  }

  /** Everything that was labelled. */
  get events(): EventRun[] {
    return [...this.input.enumerated.mates, ...this.epochs.flatMap((epoch) => epoch.frontier)];
  }

  /** The last ply at which anything was labelled. */
  get longest(): number {
    return this.rounds.findLast((round) => labelledIn(round) > 0)?.ply ?? this.last?.longest ?? 0;
  }

  /** The rounds that took turns. */
  get turns(): number[] {
    return [...this.epochs.flatMap((epoch) => epoch.turned ?? []), ...this.turned];
  }

  /** How many rounds were done. */
  get count(): number {
    return this.from - 1 + this.rounds.length;
  }

  private get last(): RoundsManifest | undefined {
    return this.epochs.at(-1);
  }

  private get isDone(): boolean {
    return this.last?.done === true;
  }

  /** The first ply of the epoch at hand. */
  private get from(): number {
    return this.last?.to ?? 1;
  }

  private get pace() {
    return this.work.options.pace ?? PACE;
  }

  /** Nothing was labelled in the last round. */
  private get isIdle(): boolean {
    const round = this.rounds.at(-1) ?? this.last?.rounds.at(-1);
    return round !== undefined && labelledIn(round) === 0;
  }

  /** The name of the manifest of the epoch at hand. */
  private get manifest(): string {
    return stepAt(this.work.folder, { name: 'commit', ply: this.from }).manifest;
  }

  /** Does all rounds that are not committed. */
  async run(): Promise<void> {
    const { crew, options } = this.work;
    for (let found = crew.durable; found && !this.isDone; ) {
      const epoch = await readManifest(options.store, this.manifest, RoundsManifest);
      found = epoch !== null;
      if (epoch !== null) this.add(epoch);
    }
    const { legal } = this.input.enumerated;
    if (!this.isDone) this.work.tellPhase('rounds', legal[0] + legal[1]);
    try {
      while (!this.isDone) await this.nextEpoch();
    } catch (error) {
      // Open partitions hold a file in the store, and space in scratch.
      await this.close().catch(() => {});
      throw error;
    }
    await this.close();
    if (crew.durable && options.keepRuns !== true)
      await crew.deleteShare(this.input.edges.map(({ name }) => name));
  }

  private add(epoch: RoundsManifest): void {
    this.work.add(epoch);
    this.epochs.push(epoch);
    this.rounds = [];
    this.turned = [];
  }

  private async close(): Promise<void> {
    await this.opened?.each((partition) => partition.closeRounds());
    this.opened = null;
  }

  /** Does an epoch, or waits for the partition that does it for all. */
  private async nextEpoch(): Promise<void> {
    const { crew, options } = this.work;
    const { labels } = this;
    const isAlone = this.handOver !== null && this.last?.few === true;
    await this.deleting;
    if (this.opened === null || (this.opened === crew) === isAlone) await this.open(isAlone);
    this.add(
      this.opened === null
        ? await crew.awaited!(this.manifest, RoundsManifest)
        : await this.doEpoch(this.opened, isAlone),
    );
    if (!crew.durable || options.keepRuns === true) return;
    this.deleting = crew.deleteShare(runsOnlyIn(labels, this.labels));
    // A failure is reported where it is awaited.
    this.deleting.catch(() => {});
  }

  private async open(isAlone: boolean): Promise<void> {
    const { converted, edges } = this.input;
    const { labels, events } = this;
    await this.close();
    this.opened = isAlone ? await this.work.crew.alone!() : this.work.crew;
    const { events: conversions, turns = [] } = converted;
    const state = { labels, events, conversions, turns, edges, nextPly: this.from };
    await this.opened?.each((partition) => partition.openRounds(state));
  }

  /** Does rounds by a crew until labels are to be committed, and commits them. */
  private async doEpoch(crew: Crew, isAlone: boolean): Promise<RoundsManifest> {
    const { from, work, handOver } = this;
    const by = { crew, counters: newCounters() };
    handOver?.beginEpoch(isAlone);
    let sent = await this.send(by, 'expand', (partition, again) => partition.expand(from, again));
    const passed = [...sent];
    for (;;) {
      const coming = sumField(sent, 'rows');
      const changesHands = handOver?.isDue(coming) === true;
      // It must be known beforehand which round is the last: it makes no requests.
      const ends = changesHands || this.isFull(coming);
      const round = await this.round(by, sent, ends);
      handOver?.addRound(round);
      sent = round.sent;
      passed.push(...sent);
      const isLast = this.isIdle && round.ply >= this.lastConversion && this.turns.length === this.lastTurn;
      if (!ends && !isLast) continue;
      const committed = await this.commit(by, isLast, changesHands !== isAlone);
      if (work.options.keepRuns !== true) await crew.deleteShare(passed.flatMap(objectOf));
      return committed;
    }
  }

  /** Whether labels are to be committed behind the next round, in which so many requests are worked off. */
  private isFull(coming: number): boolean {
    const { options, index } = this.work;
    if (options.keepRuns === true || this.rounds.length + 1 >= this.pace.commitRounds) return true;
    return sumField(this.rounds, 'requests') + coming >= commitRequestsOf(this.pace, index);
  }

  /** A step of the next round in which every partition sends rows, and nothing else. */
  private async send(
    by: Doing,
    name: StepName,
    call: (partition: Partition, again: boolean) => Promise<Parcel>,
  ): Promise<readonly Parcel[]> {
    return (await this.work.step({ name, ply: this.count + 1 }, sending(call), by)).sent;
  }

  /** The next round. @param ends whether it is the last of the epoch: its labels make no requests yet. */
  private async round(by: Doing, requests: readonly Parcel[], ends: boolean): Promise<RoundManifest> {
    const { slice, metric, strategy, progress } = this.work.options;
    const ply = this.count + 1;
    const turn = this.isIdle && this.turns.length < this.lastTurn ? this.turns.length + 1 : null;
    let escapes: readonly Parcel[] = [];
    let asked: readonly Parcel[] = [];
    if (strategy === 'lookup') {
      asked = await this.send(by, 'ask', (partition, again) => partition.ask(ply, requests, again));
      escapes = await this.send(by, 'answer', (partition, again) => partition.answer(ply, asked, again));
    }
    const received = { requests, escapes, expand: !ends, turn };
    // Rounds that end an epoch have names of their own: they send nothing, and must not be taken for others.
    const round = await this.work.step(
      { name: ends ? 'last' : 'round', ply },
      {
        kind: 'passing',
        part: RoundPart,
        whole: RoundManifest,
        run: (partition, again) => partition.round(ply, received, again),
        join(parts) {
          const stayed = sumField(parts, 'stayed');
          return {
            ply,
            sent: parts.flatMap(({ sent }) => sent ?? []),
            stayed,
            requests: sumField(requests, 'rows') + sumField(asked, 'rows') + stayed,
            won: sumSides(parts, 'won'),
            lost: sumSides(parts, 'lost'),
          };
        },
      },
      by,
    );
    const won = round.won[0] + round.won[1];
    const lost = round.lost[0] + round.lost[1];
    if (won + lost > 0) requirePlies(slice, metric, ply);
    if (turn !== null) this.turned.push(ply);
    this.rounds.push({ ply, won, lost, requests: round.requests });
    progress({ type: 'round', slice, ply, requests: round.requests, labelled: won + lost, won });
    return round;
  }

  private commit({ crew, counters }: Doing, done: boolean, few: boolean): Promise<RoundsManifest> {
    const { from, rounds, turned, longest } = this;
    const to = this.count + 1;
    return this.work.step(
      { name: 'commit', ply: from, to },
      {
        kind: 'labels',
        part: CommittedPart,
        whole: RoundsManifest,
        before: counters,
        run: (partition) => partition.commit(to, done),
        join: (parts) => ({
          from,
          to,
          done,
          longest,
          few,
          requests: sumField(rounds, 'requests'),
          rounds,
          ...(turned.length === 0 ? {} : { turned }),
          labels: joinLabelRuns(parts.map((part) => part.labels)),
          frontier: parts.flatMap((part) => part.frontier),
        }),
      },
      { crew, counters },
    );
  }
}

const labelledIn = ({ won, lost }: RoundDone): number => won + lost;

/** The object of a parcel, if it has one. */
function objectOf(parcel: Parcel): string[] {
  return 'runs' in parcel && parcel.runs !== null ? [parcel.runs.name] : [];
}
