import type { WritingCrew } from '../../pipeline/games/chess/syzygy/files.js';
import type { EndingWriter } from '../../pipeline/games/chess/syzygy/tasks.js';

/** A crew of this thread alone, which does one task after the other; none after one that fails. */
export function crewOf(writer: EndingWriter): WritingCrew {
  let last: Promise<unknown> = Promise.resolve();
  return {
    do(task) {
      const result = last.then(() => writer.do(task));
      last = result;
      last.catch(() => {});
      return result;
    },
  };
}
