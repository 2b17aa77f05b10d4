/**
 * Does the rounds of a slice, from the last one that is committed on.
 *
 * Rounds are committed in epochs. An epoch begins with labels and frontiers that are committed, and ends with the next commit. The
 * requests of its first round are sent in a step of their own. Every later round labels and sends in one step, so that a round has one
 * barrier (two more under `lookup`). The last one sends nothing.
 */
import { newCounters } from '../../../operators/core/counters.js';
import { FORMAT_VERSION, SKIPPING_VERSION } from '../../game/format-version.js';
import {
  type ConvertManifest,
  type EnumerateManifest,
  type EventRun,
  type LabelRuns,
  type PartRun,
  type RoundDone,
  RoundsManifest,
  readManifest,
} from '../../game/manifest.js';
import { stepAt } from '../../game/slice-objects.js';
import {
  CommittedPart,
  objectOf,
  type Parcel,
  RoundManifest,
  RoundPart,
  runNamesIn,
  runsOnlyIn,
} from '../../game/step-manifests.js';
import { requirePlies } from '../../tables/writer.js';
import { joinLabelRuns } from '../memory/label-planes.js';
import { FrontierRule } from '../phases/frontier-rule.js';
import type { Crew } from './crew.js';
import { commitRequestsOf, HandOver } from './pace.js';
import { type SliceWork, sending, sumField, sumSides } from './slice-work.js';

/** The crew that does rounds, and what they cost since the last commit. */
type Doing = Pick<SliceWork, 'crew' | 'counters'>;

/**
 * The rounds of a slice: all that are done, and the epoch at hand. Rounds may change hands between epochs: a crew of one partition does
 * those with few requests (pace.ts).
 */
export class SliceRounds {
  /** Those that are committed. */
  readonly epochs: RoundsManifest[] = [];
  /** All rounds that were done. */
  readonly rounds: RoundDone[] = [];
  readonly rule: FrontierRule;
  /** Superseded labels are deleted while the next epoch begins. */
  deleting: Promise<void> = Promise.resolve();
  /** Null where rounds never change hands. */
  private readonly handOver: HandOver | null;
  /** The crew whose partitions have rounds open. */
  private opened: Crew | null = null;

  /** @param edges only for slices without unmoves. */
  constructor(
    private readonly work: SliceWork,
    private readonly enumerated: EnumerateManifest,
    private readonly converted: ConvertManifest,
    private readonly edges: readonly PartRun[],
  ) {
    const { crew, index, pace, options } = work;
    this.rule = new FrontierRule(options.metric, numbersOf(converted));
    this.handOver = crew.handsOver ? new HandOver(pace, index.size, crew.partitions.length) : null;
  }

  get labels(): LabelRuns {
    return this.epochs.at(-1)?.labels ?? this.enumerated.labels;
  }

  /** Everything that was labelled. */
  get events(): EventRun[] {
    return [...this.enumerated.mates, ...this.epochs.flatMap((epoch) => epoch.frontier)];
  }

  /** The last ply at which anything was labelled. */
  get longest(): number {
    return this.rounds.findLast((round) => labelledIn(round) > 0)?.ply ?? 0;
  }

  /** The ply of the last round that was done. */
  private get lastPly(): number {
    return this.rounds.at(-1)?.ply ?? 0;
  }

  /** Whether the last round labelled nothing. */
  private get isIdle(): boolean {
    const last = this.rounds.at(-1);
    return last !== undefined && labelledIn(last) === 0;
  }

  /** The rounds of the epoch at hand that were done. */
  private get roundsOfEpoch(): RoundDone[] {
    return this.rounds.filter(({ ply }) => ply >= this.from);
  }

  private get isDone(): boolean {
    return this.epochs.at(-1)?.done === true;
  }

  /** The first ply of the epoch at hand, and the name of its manifest. */
  private get from(): number {
    return this.epochs.at(-1)?.to ?? 1;
  }

  private get manifest(): string {
    return stepAt(this.work.folder, { name: 'commit', ply: this.from }).manifest;
  }

  /** Does all rounds that are not committed. */
  async run(): Promise<void> {
    const { crew, options } = this.work;
    for (let found = crew.durable; found && !this.isDone; ) {
      const epoch = await readManifest(options.store, this.manifest, RoundsManifest);
      if (epoch === null) found = false;
      else this.add(epoch);
    }
    const { legal } = this.enumerated;
    if (!this.isDone) this.work.reportPhase('rounds', legal[0] + legal[1]);
    try {
      while (!this.isDone) await this.nextEpoch();
    } catch (error) {
      // Open partitions hold a file in the store, and space in scratch.
      await this.close().catch(() => {});
      throw error;
    }
    await this.close();
    if (crew.durable && options.keepRuns !== true) await crew.deleteShare(runNamesIn(this.edges));
  }

  private add(epoch: RoundsManifest): void {
    this.work.add(epoch);
    this.epochs.push(epoch);
    const { lastPly } = this;
    this.rounds.push(...epoch.rounds.filter(({ ply }) => ply > lastPly));
    const { turned } = this.rule;
    turned.push(...(epoch.turned ?? []).filter((ply) => !turned.includes(ply)));
  }

  private async close(): Promise<void> {
    await this.opened?.each((partition) => partition.closeRounds());
    this.opened = null;
  }

  /** Does an epoch, or waits for the partition that does it for all. */
  private async nextEpoch(): Promise<void> {
    const { crew, options } = this.work;
    const { labels } = this;
    const isHandedOver = this.handOver !== null && this.epochs.at(-1)?.few === true;
    await this.deleting;
    if (this.opened === null || (this.opened === crew) === isHandedOver) await this.open(isHandedOver);
    this.add(
      this.opened === null
        ? await crew.awaited!(this.manifest, RoundsManifest)
        : await this.doEpoch(this.opened, isHandedOver),
    );
    if (!crew.durable || options.keepRuns === true) return;
    this.deleting = crew.deleteShare(runsOnlyIn(labels, this.labels));
    // A failure is reported where it is awaited.
    this.deleting.catch(() => {});
  }

  private async open(isHandedOver: boolean): Promise<void> {
    const { labels, events, edges, from: nextPly } = this;
    await this.close();
    this.opened = isHandedOver ? await this.work.crew.takeOver!() : this.work.crew;
    const state = { labels, events, conversions: this.converted.events, edges, nextPly };
    await this.opened?.each((partition) => partition.openRounds(state));
  }

  /** Does rounds by a crew until labels are to be committed, and commits them. */
  private async doEpoch(crew: Crew, isHandedOver: boolean): Promise<RoundsManifest> {
    const { work, handOver } = this;
    const { pace, index, options } = work;
    const mostRequests = commitRequestsOf(pace, index);
    const by = { crew, counters: newCounters() };
    handOver?.beginEpoch(isHandedOver);
    let sent = await this.send(by, 'expand', this.from, []);
    const passed = [...sent];
    for (;;) {
      const coming = sumField(sent, 'rows');
      const changesHands = handOver?.isDue(coming) === true;
      // It must be known beforehand which round is the last: it makes no requests.
      const ends =
        changesHands ||
        options.keepRuns === true ||
        this.roundsOfEpoch.length + 1 >= pace.commitRounds ||
        sumField(this.roundsOfEpoch, 'requests') + coming >= mostRequests;
      const round = await this.round(by, sent, ends);
      handOver?.addRound(round);
      sent = round.sent;
      passed.push(...sent);
      const done = this.isIdle && !this.rule.isAwaited(round.ply);
      if (!ends && !done) continue;
      const committed = await this.commit(by, done, changesHands !== isHandedOver);
      if (options.keepRuns !== true) await crew.deleteShare(passed.flatMap(objectOf));
      return committed;
    }
  }

  /** A step of a round in which every partition sends rows, and nothing else. */
  private async send(
    by: Doing,
    name: 'expand' | 'ask' | 'answer',
    ply: number,
    received: readonly Parcel[],
  ): Promise<readonly Parcel[]> {
    const step = sending((partition, again) => partition.send(name, ply, received, again));
    return (await this.work.step({ name, ply }, step, by)).sent;
  }

  /** The next round. @param ends whether it is the last of the epoch: its labels make no requests yet. */
  private async round(by: Doing, requests: readonly Parcel[], ends: boolean): Promise<RoundManifest> {
    const { slice, metric, strategy, progress } = this.work.options;
    const { ply, event } = this.rule.next(this.lastPly, this.isIdle);
    const isAsking = strategy === 'lookup';
    const asked = isAsking ? await this.send(by, 'ask', ply, requests) : [];
    const escapes = isAsking ? await this.send(by, 'answer', ply, asked) : [];
    const received = { requests, escapes, event };
    // Rounds that end an epoch have names of their own: they send nothing, and must not be taken for others.
    const round = await this.work.step(
      { name: ends ? 'last' : 'round', ply },
      {
        kind: 'passing',
        part: RoundPart,
        whole: RoundManifest,
        run: (partition, again) => partition.round(ply, received, !ends, again),
        join(parts) {
          const stayed = sumField(parts, 'stayed');
          return {
            ply,
            sent: parts.flatMap(({ sent }) => sent ?? []),
            stayed,
            requests: sumField(requests, 'rows') + sumField(asked, 'rows') + stayed,
            won: sumSides(parts, 'won'),
            lost: sumSides(parts, 'lost'),
            met: sumField(parts, 'met'),
            changed: sumField(parts, 'changed'),
          };
        },
      },
      by,
    );
    const won = round.won[0] + round.won[1];
    const lost = round.lost[0] + round.lost[1];
    if (won + lost > 0) requirePlies(slice, metric, ply);
    const { met, changed } = round;
    this.rounds.push({ ply, won, lost, requests: round.requests, met, changed });
    progress({ type: 'round', slice, ply, requests: round.requests, labelled: won + lost, won });
    return round;
  }

  private commit({ crew, counters }: Doing, done: boolean, few: boolean): Promise<RoundsManifest> {
    const { from, roundsOfEpoch: rounds } = this;
    const to = this.lastPly + 1;
    const version = rounds.length < to - from ? SKIPPING_VERSION : FORMAT_VERSION;
    const turned = this.rule.turned.filter((ply) => ply >= from);
    return this.work.step(
      { name: 'commit', ply: from, to },
      {
        kind: 'labels',
        part: CommittedPart,
        whole: RoundsManifest,
        before: counters,
        run: (partition) => partition.commit(to, done),
        join: (parts) => ({
          version,
          from,
          to,
          done,
          few,
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

/** The numbers of the events that conversions have brought. */
function numbersOf({ events, numbers }: ConvertManifest): readonly number[] {
  if (numbers !== undefined) return numbers;
  const last = Math.max(0, ...events.map((run) => (run.rows > 0 ? run.last : 0)));
  return Array.from({ length: last }, (_, before) => before + 1);
}

const labelledIn = ({ won, lost }: RoundDone): number => won + lost;
