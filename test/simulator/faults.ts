/** Kinds of faults, their effects, and the number of them that a run of the simulator meets. */

/** mergemate claims to survive these: the right tables come of it, and no finished step is lost. */
export const SURVIVED = [
  /** A process dies before its operation has an effect, or behind that. */
  'crash before',
  'crash after',
  /** A process dies, and its last operation has its effect later, when another has taken its place. */
  'late effect',
  /** A process is taken for dead, and goes on beside the one that takes its place. */
  'duplicate',
  /** A listing shows some of the changes of the last seconds, and others not. */
  'stale list',
  /** An object that was written in the last seconds is not found. */
  'stale read',
  /** A listing shows all objects that were deleted in the last seconds. */
  'vanishing',
  /** The server of the store gives the same continuation token again and again. */
  'repeated token',
  /** An operation takes seconds to minutes. */
  'slow',
  /** Nothing can be written for some seconds. */
  'full disk',
  /** An operation that opens a file cannot. */
  'out of files',
] as const;

/** These faults change written bytes: they end in a refusal that names an object, or in the right tables. */
export const DAMAGING = [
  /** An object that was published last has lost its tail when its process dies: its fsync was none. */
  'torn write',
  'bit rot',
  /** A read gets the bytes of another object. */
  'misdirected read',
  /** An object is put in the place of another, and is missing in its own. */
  'misdirected write',
] as const;

export const KINDS = [...SURVIVED, ...DAMAGING] as const;
export type FaultKind = (typeof KINDS)[number];
export type FaultTally = Record<FaultKind, number>;

export function newTally(): FaultTally {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as FaultTally;
}

/** Rates of faults: at most so many of a thousand operations meet one; each episode has lower rates of its own. */
const MOST: FaultTally = {
  'crash before': 20,
  'crash after': 20,
  'late effect': 20,
  duplicate: 10,
  'stale list': 500,
  'stale read': 300,
  vanishing: 500,
  'repeated token': 20,
  slow: 200,
  'full disk': 10,
  'out of files': 20,
  'torn write': 300,
  'bit rot': 10,
  'misdirected read': 60,
  'misdirected write': 20,
};

/** Faults that end a process or damage its store stop after this number: else no process comes to its end. */
const MOST_ENDINGS = 24;
const MOST_OF_ALL = 500;
const HARMLESS: readonly FaultKind[] = ['stale list', 'stale read', 'vanishing', 'slow'];

export interface Faults {
  /** Whether this kind of fault happens now; then it is counted. */
  strike(kind: FaultKind): boolean;
  /** Counts a fault that follows from one before. */
  count(kind: FaultKind): void;
  /** Faults so far, by kind. */
  readonly tally: FaultTally;
  /** From here on nothing happens. */
  stop(): void;
}

/**
 * Faults of an episode. About half of all kinds are on, each at a rate of its own. So some episodes meet one kind alone and
 * often, others many kinds.
 * @param often how many times the rates above.
 */
export function newFaults(
  dice: (below: number) => number,
  kinds: readonly FaultKind[],
  often: number,
): Faults {
  const tally = newTally();
  const rates = newTally();
  for (const kind of kinds)
    rates[kind] = dice(2) === 0 ? 0 : Math.min(MOST_OF_ALL, often * (1 + dice(MOST[kind])));
  let endings = 0;
  let isOver = false;
  return {
    tally,
    strike(kind) {
      if (isOver || rates[kind] === 0 || dice(1000) >= rates[kind]) return false;
      if (!HARMLESS.includes(kind) && endings++ >= MOST_ENDINGS) return false;
      tally[kind]++;
      return true;
    },
    count(kind) {
      tally[kind]++;
    },
    stop() {
      isOver = true;
    },
  };
}
