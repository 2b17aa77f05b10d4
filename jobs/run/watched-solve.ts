/** A solve of a command: its scratch, its claims on slices, what people see of it, and what the store records of it. */
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { prepareRun, watchRun } from '../engines/watched-run.js';
import { newDisplay } from '../progress/display.js';
import { openRecorder, type RecorderOptions } from '../progress/recorder.js';
import { claimed } from './claimed.js';
import type { ClaimOptions } from './claims.js';

interface WatchedSolve extends Pick<ClaimOptions, 'undone'> {
  /** URI of the store. */
  readonly store: string;
  readonly scratch: string | undefined;
  /** In the order in which they are begun, about. */
  readonly slices: readonly string[];
  /** Machine-readable output was asked for. */
  readonly quiet: boolean;
  readonly recorded: Omit<RecorderOptions, 'store' | 'intervalMs' | 'kind' | 'solves'>;
}

/** Does the work while no other process works at any of the undone slices. Ranks share theirs with any other process that is asked for the same. */
export async function watchedSolve<T>(
  { store, scratch: asked, slices, quiet, recorded, undone }: WatchedSolve,
  work: (listen: ProgressListener, scratchFolder: string) => Promise<T>,
): Promise<T> {
  const { game, engine, workers } = recorded;
  const isLocal = engine === 'local';
  const scratch = prepareRun(store, asked);
  const display = await newDisplay(slices, quiet, workers);
  const recorder = openRecorder(store, { ...recorded, kind: 'solve', solves: isLocal });
  try {
    return await claimed(store, { game: game.name, undone, isShared: !isLocal }, () =>
      watchRun({ display, recorder }, (listen) => work(listen, scratch.folder)),
    );
  } finally {
    scratch.release();
  }
}
