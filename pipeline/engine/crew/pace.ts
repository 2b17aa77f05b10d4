/** When rounds are committed, and when one partition does them for all. */
import type { SliceIndex } from '../../game/game.js';
import type { RoundManifest } from '../../game/step-manifests.js';

export interface Pace {
  /** Requests after which labels are committed; or so many for each position of a side, where that is more. */
  readonly commitRequests: number;
  readonly commitRequestsPerPosition: number;
  /** Rounds after which labels are committed, however few their requests. */
  readonly commitRounds: number;
  /** One partition does rounds for all only while they have fewer requests than this. */
  readonly fewRequests: number;
  /** Milliseconds that one partition is taken to need for a request, and to take over the labels of a position. */
  readonly requestMs: number;
  readonly positionMs: number;
  /** It gives the rounds back before one that has more requests than this. */
  readonly manyRequests: number;
}

/**
 * The pace of all solves; only tests have others. Small slices are one step, and an interruption loses a few seconds of work. A commit
 * of a large slice writes all of its labels: by the times below, the requests of its epoch cost thirty times as much. The times are
 * those of the cost model, rounded.
 */
export const PACE: Pace = {
  commitRequests: 2 ** 30,
  commitRequestsPerPosition: 2,
  commitRounds: 256,
  fewRequests: 2 ** 21,
  requestMs: 3e-5,
  positionMs: 2e-6,
  manyRequests: 2 ** 24,
};

/** Requests after which a slice of so many positions a side is committed. */
export function commitRequestsOf(pace: Pace, { size }: Pick<SliceIndex, 'size'>): number {
  return Math.max(pace.commitRequests, pace.commitRequestsPerPosition * size);
}

/**
 * Decides which rounds one partition does for all. A round with few requests may cost less than its barrier. One partition takes the
 * rounds over when it would have saved as much in those before as it costs to hand over the labels, and gives them back by the same
 * rule. The number of rounds to come is unknown, so this costs at most twice as much as with that knowledge (ski rental: Karlin et
 * al. 1988, Competitive snoopy caching).
 */
export class HandOver {
  /** Milliseconds to commit the labels, and to open them elsewhere. */
  private readonly costMs: number;
  /** Whether one partition does the epoch at hand. */
  private isHandedOver = false;
  /** The shortest time from barrier to barrier in the last epoch by all. */
  private barrierMs = Number.POSITIVE_INFINITY;
  /** What changing hands would have saved in the rounds before; null if those would not have been handed over. */
  private savedMs: number | null = null;

  /** @param size positions of a side. */
  constructor(
    private readonly pace: Pace,
    size: number,
    private readonly partitions: number,
  ) {
    this.costMs = 2 * size * pace.positionMs;
  }

  beginEpoch(isHandedOver: boolean): void {
    this.isHandedOver = isHandedOver;
    this.savedMs = null;
    if (!isHandedOver) this.barrierMs = Number.POSITIVE_INFINITY;
  }

  /** Whether the round that is next, with so many requests, is the last before rounds change hands. */
  isDue(coming: number): boolean {
    const { requestMs, fewRequests, manyRequests } = this.pace;
    if (!this.isHandedOver)
      return this.savedMs !== null && this.savedMs >= this.costMs && coming < fewRequests;
    this.save(coming * requestMs * (1 - 1 / this.partitions) - this.barrierMs);
    return coming > manyRequests || this.savedMs! > this.costMs;
  }

  addRound({ requests, ran }: Pick<RoundManifest, 'requests' | 'ran'>): void {
    if (this.isHandedOver) return;
    // From the barrier before the round to the one after it, by times in the manifest, which all ranks see.
    const ofRanks = new Map<number, number>();
    for (const { rank, wallMs } of ran) ofRanks.set(rank, (ofRanks.get(rank) ?? 0) + wallMs);
    const cycleMs = Math.max(0, ...ofRanks.values());
    this.barrierMs = Math.min(this.barrierMs, cycleMs);
    if (requests < this.pace.fewRequests) this.save(cycleMs - requests * this.pace.requestMs);
    else this.savedMs = null;
  }

  private save(ms: number): void {
    this.savedMs = Math.max(0, (this.savedMs ?? 0) + ms);
  }
}
