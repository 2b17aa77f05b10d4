/** A solve that people watch: its preparations, and the listeners of its progress and its end. */

import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import { errorText } from '../cli/error-text.js';
import { haltAtSignal, sayWhenInterrupted } from '../cli/exit.js';
import type { Display } from '../progress/display.js';
import type { Recorder } from '../progress/recorder.js';
import { openStore, scratchParent, storeFolder } from '../stores.js';
import { claimScratch, type ScratchFolder, tidyParts } from './scratch-folder.js';

/** Claims scratch; removes remains of dead processes, there and in the store. */
export function prepareRun(uri: string, scratch: string | undefined): ScratchFolder {
  const claimed = claimScratch(scratchParent(uri, scratch));
  const folder = storeFolder(uri);
  if (folder !== null) tidyParts(folder);
  sayWhenInterrupted(
    `all finished steps are kept in ${openStore(uri).uri}: the same command continues from there`,
  );
  return claimed;
}

/**
 * Does the work, and reports it to the display and the recorder. It also reports its end: whether it is done, fails or is
 * stopped by a signal.
 */
export async function watchRun<T>(
  { display, recorder }: { readonly recorder: Recorder; readonly display?: Display },
  work: (listen: ProgressListener) => Promise<T>,
): Promise<T> {
  const halted = haltAtSignal(() => recorder.close('stopped'));
  let done = false;
  try {
    const result = await work((progress: Progress) => {
      display?.listen(progress);
      recorder.listen(progress);
    });
    done = true;
    await recorder.close('done');
    return result;
  } catch (error) {
    await recorder.close('failed', errorText(error));
    throw error;
  } finally {
    halted();
    await display?.close(!done);
  }
}
