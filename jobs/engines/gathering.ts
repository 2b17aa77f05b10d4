/** Gathers progress on its way between threads for a moment: a message costs more than its content. */
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import { type Stamped, timeOfProgress } from '../progress/follow.js';

const SEND_MS = 50;

interface Gathering {
  readonly listen: ProgressListener;
  /** Sends all that is gathered. */
  flush(): void;
}

export function newGathering(send: (progress: readonly Progress[]) => void): Gathering {
  let gathered: Stamped[] = [];
  let sent = 0;

  function flush(): void {
    sent = performance.now();
    if (gathered.length > 0) send(gathered);
    gathered = [];
  }

  return {
    listen(progress) {
      const last = gathered.at(-1);
      if (progress.type === 'work' && last?.type === 'work' && last.slice === progress.slice) {
        gathered[gathered.length - 1] = { ...last, done: last.done + progress.done };
      } else gathered.push({ ...progress, at: timeOfProgress(progress) });
      if (performance.now() - sent >= SEND_MS) flush();
    },
    flush,
  };
}
