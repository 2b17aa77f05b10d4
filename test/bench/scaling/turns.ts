/**
 * Runs the ranks of a job one after another in one process. Says how long the ranks would take at the same time on machines of
 * their own. Each rank has a clock that advances while the rank works. A rank that finds an object sets its clock to the time
 * at which the object was made, if that is later. So a barrier ends with the last of its parts, and the time of all is the sum
 * of the longest parts. The rank whose clock is least goes on next, so claims are won in the order of the clocks.
 */
export interface Turns {
  /** Waits for the first turn of a rank. */
  begin(rank: number): Promise<void>;
  /** Lets ranks go first whose clocks show less. */
  give(rank: number): Promise<void>;
  /** Waits until another rank has made something. To look in vain takes no time on the rank's clock. */
  wait(rank: number): Promise<void>;
  /** The rank has made the object. */
  made(rank: number, name: string): void;
  /** The rank has found the object. */
  found(rank: number, name: string): void;
  end(rank: number): void;
  /** The clock of the rank, whose turn it is. */
  read(rank: number): number;
  /** The clocks, in the unit of `now`. */
  clocks(): number[];
}

interface Rank {
  clock: number;
  /** Time to which the clock returns if nothing comes of this turn. */
  vain: number | null;
  state: 'new' | 'ready' | 'asleep' | 'ended';
  resume: () => void;
}

/** Calls by which a call of the clock is timed. */
const CALLS = 1000;

/** @param now the clock to measure with, e.g. CPU seconds of this process. What its calls take is no work of the ranks. */
export function newTurns(count: number, now: () => number): Turns {
  const before = now();
  for (let i = 1; i < CALLS; i++) now();
  const call = (now() - before) / CALLS;
  const ranks: Rank[] = Array.from({ length: count }, () => ({
    clock: 0,
    vain: null,
    state: 'new',
    resume: () => {},
  }));
  const madeAt = new Map<string, number>();
  let since = 0;

  /** Adds the rank's work to its clock. */
  function charge(rank: Rank): void {
    const time = now();
    rank.clock += Math.max(0, time - since - call);
    since = time;
  }

  function next(): void {
    if (ranks.some(({ state }) => state === 'new')) return;
    const awake = ranks.filter(({ state }) => state === 'ready');
    const choice = awake.length > 0 ? awake : ranks.filter(({ state }) => state === 'asleep');
    if (choice.length === 0) return;
    const rank = choice.reduce((a, b) => (b.clock < a.clock ? b : a));
    since = now();
    rank.resume();
  }

  function rest(rank: Rank, state: 'ready' | 'asleep'): Promise<void> {
    rank.state = state;
    return new Promise((resolve) => {
      rank.resume = resolve;
      next();
    });
  }

  return {
    begin: (number) => rest(ranks[number], 'ready'),
    async give(number) {
      const rank = ranks[number];
      charge(rank);
      await rest(rank, 'ready');
    },
    async wait(number) {
      const rank = ranks[number];
      charge(rank);
      if (rank.vain !== null) rank.clock = rank.vain;
      await rest(rank, 'asleep');
      rank.vain = rank.clock;
    },
    made(number, name) {
      const rank = ranks[number];
      charge(rank);
      rank.vain = null;
      madeAt.set(name, rank.clock);
      for (const each of ranks) if (each.state === 'asleep') each.state = 'ready';
    },
    found(number, name) {
      const rank = ranks[number];
      const at = madeAt.get(name) ?? 0;
      // To ask what time it is takes longer than most of what ranks find; a clock is never late.
      if (at <= rank.clock) return;
      charge(rank);
      if (at <= rank.clock) return;
      rank.vain ??= rank.clock;
      rank.clock = at;
    },
    end(number) {
      const rank = ranks[number];
      charge(rank);
      rank.state = 'ended';
      next();
    },
    read(number) {
      const rank = ranks[number];
      charge(rank);
      return rank.clock;
    },
    clocks: () => ranks.map(({ clock }) => clock),
  };
}
