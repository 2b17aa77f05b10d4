/**
 * Strategy `lookup`: losses as Lipton & Regan (2010) find them. A position that might be lost requests the labels of all its successors. The
 * requests (successor | asker) are sorted by successor and joined with the labels, and the answers are sorted by asker. Askers
 * without an escape are lost (the escape set of Wendroff et al. 1993, section 4). Rows are keys.
 *
 * A count is one more than the conversions not yet known to be won by the opponent: it shows whether one of them might save a
 * position, and is zero once the position is lost.
 */

import type { Interval } from '../../../operators/core/interval.js';
import { dedupe } from '../../../operators/dedupe.js';
import { type ExpandKernel, expand } from '../../../operators/expand.js';
import { join } from '../../../operators/join.js';
import type { Spool } from '../../../operators/runs/spool.js';
import type { Batch, Cursor, DenseBatch, DenseCursor, Rows } from '../../../operators/runs/types.js';
import { semiJoin } from '../../../operators/semi-join.js';
import { FLOWS, LOSS_FLOWS, sideOf } from '../../game/events.js';
import type { Census, Slice } from '../../game/game.js';
import { bitBytes, hasBit, MAX_COUNT } from '../../game/labels.js';
import { firstMajor, majorsOf, partOf, sideOfMajor } from '../../game/majors.js';
import type { Parcel } from '../../game/step-manifests.js';
import { EXPAND_ROWS } from '../memory/context.js';
import { type Close, KeyLabels } from '../memory/keys-as-rows.js';
import { moveKernel, movesBehind, putAskers } from '../memory/rows.js';
import { type Received, type RoundMoves, Rounds } from './rounds.js';

/** Turns the counts of a census, whose conversions were wanted, into those that the rounds begin with. */
export function countSuccessorsOnce({ counts, conversions, open }: Census, length: number): void {
  for (let i = 0; i < length; i++) if (hasBit(open, i)) counts[i] = 1 + conversions![i];
}

/** The labels of a part, in which positions that might be lost are found before they are lost. */
export class LookupLabels extends KeyLabels {
  protected override readonly closeLost = closeLost;

  /** Turns to a part: what is struck is labelled if it might be lost, and nothing changes. */
  turnToDoubtful(counts: Uint8Array, unwon: Uint8Array): void {
    this.labels = counts;
    this.strike = (labels, keys, length, out) => selectDoubtful(labels, unwon, keys, length, out);
  }
}

export interface LookupMoves extends RoundMoves {
  readonly labels: LookupLabels;
  /** Has positions ask for the values of their successors. */
  readonly ask: ExpandKernel;
}

export class LookupRounds extends Rounds<LookupMoves> {
  /** Questions and answers. */
  protected override readonly otherShipments = 2;
  /** The positions that might be lost in this round. */
  private candidates: Spool | undefined;
  /**
   * A copy of the bits of one part. Loading the part's counts may overwrite the bits, because all label pages that do not fit in memory
   * share one buffer.
   */
  private readonly unwon = new Uint8Array(bitBytes(this.opened.context.slice.width));

  override async ask(ply: number, requests: readonly Parcel[], again: boolean): Promise<Parcel> {
    this.candidates = await this.select(ply, requests);
    const { ask } = this.opened.moves;
    const asked = expand(this.candidates.cursor(), ask, { rows: EXPAND_ROWS, payload: 2 });
    const columns = ['asker-major', 'asker-minor'];
    return this.send(
      { what: `asked-${ply}`, buffer: 'asked', units: 2, columns, byMajor: false },
      asked,
      again,
    );
  }

  private async select(ply: number, requests: readonly Parcel[]): Promise<Spool> {
    const { context, conversions, frontiers, moves, planes } = this.opened;
    const { labels } = moves;
    const kept = this.unwon;
    const selected = frontiers.empty();
    for (const flowNumber of LOSS_FLOWS) {
      const counts = planes.counts[sideOf(flowNumber)];
      const unwon = planes.unwon[sideOf(flowNumber)];
      for await (const batch of conversions.cursor(ply, flowNumber, context.parts)) {
        countConversions(await counts.load(batch.major), batch.minor, batch.length);
        counts.dirty();
      }
      const first = firstMajor(context.slice, flowNumber);
      await this.strikeParts(flowNumber, await this.strikesOf(flowNumber, { requests, event: ply }), {
        async enter(part) {
          kept.set(await unwon.load(part));
          labels.turnToDoubtful(await counts.load(part), kept);
        },
        async leave(part) {
          while (labels.hasLabelled()) {
            const { length, minor } = labels.drain();
            await selected.append(first + part, length, minor, []);
          }
        },
      });
    }
    await selected.seal();
    return selected;
  }

  override answer(ply: number, asked: readonly Parcel[], again: boolean): Promise<Parcel> {
    const { context, exchange, planes } = this.opened;
    const { slice, parts, counters } = context;
    // A row is a bit here: a batch has as many rows as the part has positions.
    async function* unwonOf({ from, to }: Interval): DenseCursor {
      for (let major = from; major < to; major++) {
        const part = partOf(slice, major);
        const bits = await planes.unwon[sideOfMajor(slice, major)].load(part);
        yield { major, first: 0, length: slice.partSize(part), columns: [bits] };
      }
    }
    async function* ownRequests(): Cursor {
      for (const side of [0, 1]) yield* await exchange.receive(asked, majorsOf(slice, side, parts), 2);
    }
    const escapes = join(ownRequests(), unwonOf, escapeKernel, { rows: EXPAND_ROWS, payload: 0, counters });
    const units = FLOWS.length;
    return this.send(
      { what: `answers-${ply}`, buffer: 'answers', units, columns: [], byMajor: false },
      escapes,
      again,
    );
  }

  /** The positions that might be lost, and have no escape. */
  protected override async losing(flowNumber: number, { escapes }: Received) {
    const { context, exchange } = this.opened;
    const range = majorsOf(context.slice, flowNumber, context.parts);
    const escaping = dedupe(await exchange.receive(escapes, range, 0));
    const batches = semiJoin(this.candidates!.cursor(range), escaping, {
      keep: 'unmatched',
      counters: context.counters,
    });
    return [{ batches, shift: -firstMajor(context.slice, flowNumber) }];
  }

  override async label(ply: number, received: Received) {
    const labelled = await super.label(ply, received);
    await this.dispose();
    return labelled;
  }

  override async close(): Promise<void> {
    await this.dispose();
    await super.close();
  }

  private async dispose(): Promise<void> {
    await this.candidates?.dispose();
    this.candidates = undefined;
  }
}

/** Requests (successor | asker's flow and part, asker's key) of positions that might be lost, for their successors in the slice. */
export function askKernel(slice: Slice): ExpandKernel {
  return moveKernel(slice, movesBehind(slice), putAskers);
}

/** An asker escapes by a successor that the opponent is not known to win. */
function escapeKernel(requests: Batch, from: number, to: number, dense: DenseBatch, out: Rows): number {
  const unwon = dense.columns[0] as Uint8Array;
  const [askerMajor, askerKey] = requests.payload as [Uint32Array, Uint32Array];
  const { length: room } = out.minor;
  let n = out.length;
  let i = from;
  for (; i < to && n < room; i++) {
    if (!hasBit(unwon, requests.minor[i])) continue;
    out.major[n] = askerMajor[i];
    out.minor[n] = askerKey[i];
    n++;
  }
  out.length = n;
  return i;
}

/** Counts conversions down to 1, which is no loss yet. */
function countConversions(counts: Uint8Array, keys: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) {
    const count = counts[keys[i]];
    if ((count - 2) >>> 0 < MAX_COUNT - 1) counts[keys[i]] = count - 1;
  }
}

/** Selects keys that might be lost: not known to be won, and without a conversion that might save them. */
function selectDoubtful(
  counts: Uint8Array,
  unwon: Uint8Array,
  keys: Uint32Array,
  length: number,
  out: Uint32Array,
): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    if (counts[key] === 1 && hasBit(unwon, key)) out[n++] = key;
  }
  return n;
}

/** Sets the counts of keys[0..length) to zero: lost. All of them go to `out`. */
const closeLost: Close = (counts, keys, length, out) => {
  for (let i = 0; i < length; i++) counts[keys[i]] = 0;
  out.set(keys.subarray(0, length));
  return length;
};
