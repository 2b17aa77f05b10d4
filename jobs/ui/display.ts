/** How the progress of a job is shown. */
import type { ProgressListener } from '../../pipeline/game/progress.js';

export interface Display {
  readonly listen: ProgressListener;
  /** Leaves the last state on the screen. `failed`: the run did not reach its end. */
  close(failed: boolean): Promise<void>;
}
