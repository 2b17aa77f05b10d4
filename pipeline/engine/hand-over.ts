/**
 * Decides which rounds one partition does for all. A round with few requests may cost less than its barrier. One partition takes the
 * rounds over when it would have saved as much in those before as it costs to hand over the labels, and gives them back by the same
 * rule. Nobody knows how many rounds are to come, so this costs at most twice as much as with that knowledge (ski rental: Karlin et
 * al. 1988, Competitive snoopy caching).
 */
import type { RoundManifest } from '../game/step-manifests.js';
import type { Pace } from './pace.js';

export class HandOver {
  /** Milliseconds to commit the labels, and to open them elsewhere. */
  private readonly costMs: number;
  /** Whether one partition does the epoch at hand. */
  private isAlone = false;
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

  beginEpoch(isAlone: boolean): void {
    this.isAlone = isAlone;
    this.savedMs = null;
    if (!isAlone) this.barrierMs = Number.POSITIVE_INFINITY;
  }

  /** Whether the round that is next, with so many requests, is the last before rounds change hands. */
  isDue(coming: number): boolean {
    const { requestMs, fewRequests, manyRequests } = this.pace;
    if (!this.isAlone) return this.savedMs !== null && this.savedMs >= this.costMs && coming < fewRequests;
    this.save(coming * requestMs * (1 - 1 / this.partitions) - this.barrierMs);
    return coming > manyRequests || this.savedMs! > this.costMs;
  }

  addRound({ requests, ran }: Pick<RoundManifest, 'requests' | 'ran'>): void {
    if (this.isAlone) return;
    // From the barrier before the round to the one behind it, as the manifest shows all ranks.
    const ofRanks = new Map<number, number>();
    for (const { rank, wallMs } of ran) ofRanks.set(rank, (ofRanks.get(rank) ?? 0) + wallMs);
    const cycleMs = Math.max(0, ...ofRanks.values());
    this.barrierMs = Math.min(this.barrierMs, cycleMs);
    if (requests < this.pace.fewRequests) this.save(cycleMs - requests * this.pace.requestMs);
    else this.savedMs = null;
  }

  private save(ms: number): void {
    this.savedMs = this.savedMs === null ? 0 : Math.max(0, this.savedMs + ms);
  }
}
