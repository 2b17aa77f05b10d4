/**
 * Memory that several sets of labels share (dense-blocks.ts). A *tenant* is a page of labels, which is in memory as a whole or not at all. It
 * stays from its first use on as long as there is room. That is the best policy where all are swept again and again. Least-recently-used
 * would always drop the tenant that is needed next but one, and hit nothing. A tenant that was not used in the last {@link
 * KEPT_TURNS} turns may be evicted, so sweeps over few labels end up in memory. A tenant that finds no room goes to a buffer for one, which the
 * next such tenant takes over.
 */
import { assert } from '../core/errors.js';

/** A turn may look at one half of the labels, and the next turn at the other half. */
const KEPT_TURNS = 2;

export interface Tenant {
  readonly bytes: number;
  /** Where it begins in memory; -1 if it is not there. The memory sets it. */
  at: number;
  /** The turn of its last use. The memory sets it. */
  used: number;
  /** Saves the content, which is still in place, before another tenant takes it. */
  leave(): void;
}

export interface LabelMemoryOptions {
  /** Bytes of the memory; more if the largest tenant has more. */
  readonly bytes: number;
  /** At least the bytes of all tenants together, and those of the largest. */
  readonly all: number;
  readonly largest: number;
  /** Memory of so many bytes, whatever it holds; of the heap unless given. */
  readonly allocate?: ((bytes: number) => Uint8Array) | undefined;
}

/** Bytes that a {@link LabelMemory} allocates. */
export function labelMemoryBytes({ bytes, all, largest }: LabelMemoryOptions): number {
  return Math.min(all, Math.max(bytes, largest));
}

export class LabelMemory {
  readonly content: Uint8Array;
  /** Tenants in memory, by address, without the one in the buffer. */
  private readonly tenants: Tenant[] = [];
  /** Where tenants begin: behind the buffer, if not all of them fit. */
  private readonly first: number;
  /** The tenant in the buffer. */
  private passing: Tenant | null = null;
  private now = 0;
  /** Tenants of at least so many bytes find no room in this turn. */
  private hopeless = Number.POSITIVE_INFINITY;

  constructor(options: LabelMemoryOptions) {
    const { all, largest, allocate = (bytes) => new Uint8Array(bytes) } = options;
    this.content = allocate(labelMemoryBytes(options));
    this.first = all > this.content.length ? largest : 0;
  }

  /** Begins a turn: a round that may look at labels of all sets. */
  turn(): void {
    this.now++;
    this.hopeless = Number.POSITIVE_INFINITY;
  }

  /** Gives the tenant a place if it has none. Its content is then undefined. Returns whether it had one. */
  use(tenant: Tenant): boolean {
    const had = tenant.at >= 0;
    tenant.used = this.now;
    if (had) return true;
    if (tenant.bytes < this.hopeless && this.settle(tenant)) return false;
    this.hopeless = Math.min(this.hopeless, tenant.bytes);
    assert(tenant.bytes <= this.first, 'a tenant without room is no larger than the largest');
    if (this.passing !== null) evict(this.passing);
    this.passing = tenant;
    tenant.at = 0;
    return false;
  }

  /** Frees the tenant's place without saving its content. */
  remove(tenant: Tenant): void {
    if (tenant.at < 0) return;
    tenant.at = -1;
    if (this.passing === tenant) this.passing = null;
    else this.tenants.splice(this.tenants.indexOf(tenant), 1);
    this.hopeless = Number.POSITIVE_INFINITY;
  }

  /** Puts the tenant behind all others, or where only tenants are that may be evicted; returns whether there was room. */
  private settle(tenant: Tenant): boolean {
    const { tenants, first, content } = this;
    const last = tenants.at(-1);
    const behind = last === undefined ? first : last.at + last.bytes;
    if (content.length - behind >= tenant.bytes) {
      tenants.push(tenant);
      tenant.at = behind;
      return true;
    }
    let start = first;
    let from = 0;
    for (let i = 0; i <= tenants.length; i++) {
      const end = i < tenants.length ? tenants[i].at : content.length;
      if (end - start >= tenant.bytes) {
        for (let t = from; t < i; t++) evict(tenants[t]);
        tenants.splice(from, i - from, tenant);
        tenant.at = start;
        return true;
      }
      if (i === tenants.length || this.now - tenants[i].used > KEPT_TURNS) continue;
      start = tenants[i].at + tenants[i].bytes;
      from = i + 1;
    }
    return false;
  }
}

function evict(tenant: Tenant): void {
  tenant.leave();
  tenant.at = -1;
}
