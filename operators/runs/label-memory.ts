/**
 * Memory that several sets of labels share (dense-blocks.ts). A *tenant* is what comes and goes at once. It stays from its
 * first use on as long as there is room. That is the best policy where all are swept again and again. Least-recently-used
 * would always drop the tenant that is needed next but one, and hit nothing. A tenant that was not used in the last {@link
 * KEPT_TURNS} turns gives way, so sweeps over few labels end up in memory. What finds no room passes through one place, one
 * tenant at a time.
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

export interface LabelMemory {
  readonly content: Uint8Array;
  /** Begins a turn: a round that may look at labels of all sets. */
  turn(): void;
  /** Gives the tenant a place if it has none. Its content is then undefined. Returns whether it had one. */
  use(tenant: Tenant): boolean;
  /** Frees the tenant's place without saving its content. */
  remove(tenant: Tenant): void;
}

export interface LabelMemoryOptions {
  /** Bytes for all that stays or passes; more if the largest tenant has more. */
  readonly bytes: number;
  /** At least the bytes of all tenants together, and those of the largest. */
  readonly all: number;
  readonly largest: number;
  /** Memory of so many bytes, whatever it holds; of the heap unless given. */
  readonly allocate?: ((bytes: number) => Uint8Array) | undefined;
}

/** Bytes that {@link newLabelMemory} allocates. */
export function labelMemoryBytes({ bytes, all, largest }: LabelMemoryOptions): number {
  return Math.min(all, Math.max(bytes, largest));
}

export function newLabelMemory(options: LabelMemoryOptions): LabelMemory {
  const { all, largest, allocate = (bytes) => new Uint8Array(bytes) } = options;
  const content = allocate(labelMemoryBytes(options));
  /** Tenants in memory, by address. */
  const tenants: Tenant[] = [];
  const first = all > content.length ? largest : 0;
  let passing: Tenant | null = null;
  let now = 0;
  /** Tenants of at least so many bytes find no room in this turn. */
  let hopeless = Number.POSITIVE_INFINITY;

  function isKept({ used }: Tenant): boolean {
    return now - used <= KEPT_TURNS;
  }

  function vacate(tenant: Tenant): void {
    tenant.leave();
    tenant.at = -1;
  }

  /** Puts the tenant behind all others, or else where only tenants are that give way; returns whether there was room. */
  function settle(tenant: Tenant): boolean {
    const behind =
      tenants.length === 0 ? first : tenants[tenants.length - 1].at + tenants[tenants.length - 1].bytes;
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
        for (let t = from; t < i; t++) vacate(tenants[t]);
        tenants.splice(from, i - from, tenant);
        tenant.at = start;
        return true;
      }
      if (i === tenants.length || !isKept(tenants[i])) continue;
      start = tenants[i].at + tenants[i].bytes;
      from = i + 1;
    }
    return false;
  }

  return {
    content,
    turn() {
      now++;
      hopeless = Number.POSITIVE_INFINITY;
    },
    use(tenant) {
      const had = tenant.at >= 0;
      tenant.used = now;
      if (had) return true;
      if (tenant.bytes < hopeless && settle(tenant)) return false;
      hopeless = Math.min(hopeless, tenant.bytes);
      assert(tenant.bytes <= first, 'what does not fit is no larger than the largest');
      if (passing !== null) vacate(passing);
      passing = tenant;
      tenant.at = 0;
      return false;
    },
    remove(tenant) {
      if (tenant.at < 0) return;
      tenant.at = -1;
      if (passing === tenant) passing = null;
      else tenants.splice(tenants.indexOf(tenant), 1);
      hopeless = Number.POSITIVE_INFINITY;
    },
  };
}
