/** Rounds by keys. Unmoves that stay in their part strike its labels at once, if the game separates them. */
import type { Arrays } from '../../operators/core/arrays.js';
import { assert } from '../../operators/core/errors.js';
import { type ExpandKernel, expand } from '../../operators/expand.js';
import type { Batch, RowSource } from '../../operators/runs/types.js';
import { sideOf, unmoveFlow } from '../game/events.js';
import type { Emission, KeyEmission, PartKernels, Side, Slice } from '../game/game.js';
import { closeLost, closeWon, countDown, selectDoubtful } from '../game/labels.js';
import { firstMajor, groupOf, partOf } from '../game/majors.js';
import type { PartRun } from '../game/manifest.js';
import type { Context } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { PartKeySet } from './key-set.js';
import type { Excess, Frontier, RoundMoves, TakeLabelled } from './round-moves.js';
import { areSets, batchOfKeys } from './sets.js';

/** Labels keys[0..length) and puts those that are labelled now in `out`; returns how many. */
type Close = (labels: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array) => number;

export interface KeyMovesOptions {
  requests(frontier: Frontier, arrays: Arrays): RowSource;
  /** For unmoves that stay in their part, and are not among the requests. */
  readonly local?: PartKernels | undefined;
  /** For strategy `lookup` (lookup.ts): has positions ask for the values of their successors. */
  readonly ask?: ExpandKernel;
  /** Where positions may have more moves than a label counts. */
  readonly excess?: Excess;
}

/** A class, as core/keep-shape.ts explains. */
export class KeyMoves implements RoundMoves {
  readonly columns = [];
  readonly allocate = undefined;
  readonly staysWithin: boolean;
  readonly ask: ExpandKernel | undefined;
  readonly #options: KeyMovesOptions;
  readonly #closeLost: Close;
  readonly #labelled: PartKeySet;
  readonly #within: KeyEmission = { length: 0, minor: new Uint32Array(EXPAND_ROWS) };
  #close: Close = closeWon;
  #excess: Excess | undefined;
  #part = -1;
  #labels: Uint8Array = new Uint8Array(0);
  /** Room for the keys of a batch that are labelled, and for those that the excess leaves. */
  #out = new Uint32Array(0);
  #kept = new Uint32Array(0);

  constructor({ slice, strategy }: Context, options: KeyMovesOptions) {
    this.staysWithin = options.local !== undefined;
    this.ask = options.ask;
    this.#options = options;
    this.#closeLost = strategy === 'count' ? countDown : closeLost;
    this.#labelled = new PartKeySet(slice.width);
  }

  requests(frontier: Frontier, arrays: Arrays): RowSource {
    return this.#options.requests(frontier, arrays);
  }

  turnTo(kind: 'won' | 'lost', _side: Side, part: number, labels: Uint8Array): void {
    this.#part = part;
    this.#labels = labels;
    this.#close = kind === 'won' ? closeWon : this.#closeLost;
    this.#excess = kind === 'won' ? undefined : this.#options.excess;
  }

  /** Strategy `lookup`: what is struck is labelled if it might be lost, and `drain` hands it out. */
  turnToDoubtful(counts: Uint8Array, unwon: Uint8Array): void {
    this.#labels = counts;
    this.#close = (labels, keys, length, out) => selectDoubtful(labels, unwon, keys, length, out);
    this.#excess = undefined;
  }

  strike(batch: Batch): void {
    const { minor, length } = areSets(batch) ? batchOfKeys(batch) : batch;
    this.#strikeKeys(minor, length);
  }

  strikeWithin(side: Side, part: number, { minor, length }: Batch): number {
    const { local } = this.#options;
    assert(local !== undefined, 'unmoves may stay in their part');
    const out = this.#within;
    let struck = 0;
    for (let from = 0; from < length; ) {
      out.length = 0;
      from = local.unmovesWithin(side, part, minor, from, length, out);
      struck += out.length;
      this.#strikeKeys(out.minor, out.length);
    }
    return struck;
  }

  #strikeKeys(struck: Uint32Array, struckLength: number): void {
    let keys = struck;
    let length = struckLength;
    if (this.#excess !== undefined) {
      if (this.#kept.length < length) this.#kept = new Uint32Array(Math.ceil(length * 1.5));
      length = this.#excess.sift(this.#part, keys, length, this.#kept);
      keys = this.#kept;
    }
    if (this.#out.length < length) this.#out = new Uint32Array(Math.ceil(length * 1.5));
    this.#labelled.add(this.#out, this.#close(this.#labels, keys, length, this.#out));
  }

  hasLabelled(): boolean {
    return !this.#labelled.isEmpty;
  }

  drain(take: TakeLabelled): Promise<number> {
    return this.#labelled.drain((length, keys) => take(length, keys, []));
  }

  async commitExcess(ply: number): Promise<PartRun[]> {
    return (await this.#options.excess?.commit(ply)) ?? [];
  }

  close(): void {}
}

/** The unmoves of kernels by keys. @param slice has unmoves. */
export function unmovesOf(slice: Slice): KeyMovesOptions {
  const kernel = unmoveKernel(slice);
  return {
    local: slice.local,
    requests: (frontier) => expand(frontier.cursor(), kernel, { rows: EXPAND_ROWS, payload: 0 }),
  };
}

function unmoveKernel(slice: Slice): ExpandKernel {
  const source = new Uint32Array(0);
  const unmoves = slice.local?.unmovesBeyond ?? slice.unmoves;
  assert(unmoves !== undefined, `${slice.name} has unmoves`);
  return (batch, from, out) => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const origin = groupOf(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajor(slice, unmoveFlow(origin));
    const done = unmoves(sideOf(origin), part, batch.minor, from, batch.length, bias, emission);
    out.length = emission.length;
    return done;
  };
}
