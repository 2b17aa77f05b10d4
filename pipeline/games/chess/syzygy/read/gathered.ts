/** Reads that are asked for at about the same time; those that lie close together become one: over a network each costs time. */
import type { Store } from '../../../../../operators/storage/store.js';

export type Read = (name: string, offset: number, length: number) => Promise<Uint8Array>;

interface Wanted {
  readonly offset: number;
  readonly length: number;
  done(bytes: Uint8Array): void;
  failed(error: unknown): void;
}

/** @param gap bytes between two reads that are read along rather than skipped. */
export function gatheredReads(store: Store, gap: number): Read {
  const waiting = new Map<string, Wanted[]>();

  function start(name: string): Wanted[] {
    const all: Wanted[] = [];
    waiting.set(name, all);
    // All that is asked for until then is known together: probes ask for the values of all moves at once.
    setTimeout(() => {
      waiting.delete(name);
      for (const some of neighbours(all, gap)) void readTogether(name, some);
    }, 0);
    return all;
  }

  async function readTogether(name: string, wanted: readonly Wanted[]): Promise<void> {
    const [{ offset }] = wanted;
    const end = Math.max(...wanted.map(endOf));
    const bytes = new Uint8Array(end - offset);
    try {
      await store.read(name, offset, bytes);
      for (const each of wanted) each.done(bytes.slice(each.offset - offset, endOf(each) - offset));
    } catch (error) {
      for (const each of wanted) each.failed(error);
    }
  }

  return (name, offset, length) =>
    new Promise((done, failed) => {
      const all = waiting.get(name) ?? start(name);
      all.push({ offset, length, done, failed });
    });
}

const endOf = ({ offset, length }: Wanted): number => offset + length;

/** Groups in order, between whose members lie no more bytes than the gap. */
function neighbours(wanted: readonly Wanted[], gap: number): Wanted[][] {
  const groups: Wanted[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const each of wanted.toSorted((a, b) => a.offset - b.offset)) {
    if (each.offset - end <= gap) groups.at(-1)!.push(each);
    else groups.push([each]);
    end = Math.max(end, endOf(each));
  }
  return groups;
}
