/**
 * A clock that stands still while anything runs, and then goes on to the next event. Between two events all promises settle
 * that can. So the same events come in the same order whenever the program does nothing behind the clock's back.
 */

export interface Clock {
  /** Milliseconds since the beginning. */
  now(): number;
  /** Events so far. */
  events(): number;
  /** Calls `act` after this many milliseconds. */
  in(milliseconds: number, act: () => void): void;
  /** Lets time pass until the promise is settled, and returns its value. Throws {@link Hang}. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
}

/** Nothing is due though something is waited for, or more events came than any sound run has. */
export class Hang extends Error {}

interface Due {
  readonly at: number;
  readonly number: number;
  readonly act: () => void;
}

/** Turns of Node's event loop without an event after which nothing will come any more. */
const IDLE = 1000;

export function newClock(mostEvents: number): Clock {
  /** A binary heap: the first is due next. */
  const queue: Due[] = [];
  let now = 0;
  let number = 0;
  let events = 0;

  const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.number < b.number);

  function put(due: Due): void {
    let at = queue.push(due) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(due, queue[above])) break;
      queue[at] = queue[above];
      at = above;
    }
    queue[at] = due;
  }

  function take(): Due | undefined {
    const first = queue[0];
    const last = queue.pop();
    if (first === undefined || last === undefined || queue.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= queue.length) break;
      if (below + 1 < queue.length && isBefore(queue[below + 1], queue[below])) below++;
      if (!isBefore(queue[below], last)) break;
      queue[at] = queue[below];
      at = below;
    }
    queue[at] = last;
    return first;
  }

  return {
    now: () => now,
    events: () => events,
    in: (milliseconds, act) => put({ at: now + milliseconds, number: number++, act }),
    async runUntil(promise) {
      let isSettled = false;
      const settled = () => {
        isSettled = true;
      };
      promise.then(settled, settled);
      for (let idle = 0; ; ) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isSettled) return promise;
        const due = take();
        if (due === undefined) {
          if (++idle > IDLE) throw new Hang('nothing is due, and not all has ended');
          continue;
        }
        idle = 0;
        if (++events > mostEvents) throw new Hang(`not all has ended after ${mostEvents} events`);
        now = due.at;
        due.act();
      }
    },
  };
}
