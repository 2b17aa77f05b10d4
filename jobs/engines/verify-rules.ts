/** Compares the stored moves of a keyed game with those that its module gives, in the coordinating thread. */
import { join } from 'node:path';
import { assert } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { type VerifiedRules, verifyRules } from '../../pipeline/graph/verify-rules.js';
import { openStore } from '../stores.js';
import { findKeyedGame } from '../user-game.js';
import type { RulesTask } from './protocol.js';
import { scratchIn } from './scratch-store.js';

export async function runRules(task: RulesTask, progress: ProgressListener): Promise<VerifiedRules> {
  const { path, name, scratchFolder, budget } = task;
  const game = await findKeyedGame(path);
  assert(game !== null, 'only keyed games have their rules verified apart');
  return verifyRules({
    game,
    name,
    budget,
    progress,
    store: openStore(task.store),
    again: localStore(join(scratchFolder, 'rules'), { durable: false }),
    scratch: scratchIn(scratchFolder, 'graph'),
  });
}
