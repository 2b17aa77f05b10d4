/** `mergemate check`: checks whether a game keeps the contract of games. */

import { setImmediate as pause } from 'node:timers/promises';
import { UserError } from '../../operators/core/errors.js';
import { checkGame } from '../../pipeline/check/check-game.js';
import { checkKeyed } from '../../pipeline/check/check-keyed.js';
import { describeViolation } from '../../pipeline/check/violation.js';
import { smallestEndings } from '../../pipeline/game/plan.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { forwardRulesOf } from '../../pipeline/games/yours/numbered/forward.js';
import { Bounds } from '../cli/bounds.js';
import { complain, ExitCode, endWith, sayWhenInterrupted } from '../cli/exit.js';
import { askEndings, slicesOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { newDisplay } from '../progress/display.js';
import { findGame } from '../registry.js';
import { checkKeyedText, checkText, foundNone, ruleName } from '../ui/check-text.js';
import { findKeyedGame } from '../user-game.js';

interface CheckFlags {
  readonly pieces?: number;
  readonly positions: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly store?: string;
}

export async function runCheck(gameName: string, names: string[], flags: CheckFlags): Promise<void> {
  if (flags.store !== undefined)
    throw new UserError(
      `check reads no tables, so --store has no effect: "mergemate verify ${gameName} --store ${flags.store}" derives those of a store again`,
    );
  const keyed = await findKeyedGame(gameName);
  if (keyed !== null) {
    if (names.length > 0 || flags.pieces !== undefined)
      throw new UserError(
        `${keyed.name} is a keyed game, which has no endings: it is checked from its roots on`,
      );
    return checkForward(keyed, flags);
  }
  const game = await findGame(gameName);
  const asked = names.length > 0 || flags.pieces !== undefined;
  const smallest = () =>
    game.whole === undefined ? smallestEndings(game, ENOUGH, Bounds.pieces.most) : [game.whole];
  const slices = slicesOf(asked ? askEndings(game, names, flags.pieces) : smallest());
  const forward = forwardRulesOf(game, slices);
  if (forward !== null) return checkForward(forward, flags);
  if (slices.length === 0)
    throw new UserError(`${game.name} has no endings of few pieces: name those to be checked`);
  sayWhenInterrupted('nothing was changed');
  const display = await newDisplay(slices, flags.json === true);
  let failed = true;
  try {
    const { positions, seed } = flags;
    const report = await checkGame(game, { slices, positions, seed, progress: display.listen, pause });
    failed = report.violations.length > 0;
    await display.close(failed);
    if (flags.json) await printJson({ game: game.name, positions, ...report });
    else await print(checkText(game, report));
    if (!failed && foundNone(report.slices))
      throw new UserError(
        `${game.name}: none of the indices looked at is a position, so nothing was checked${report.slices.every(({ size, indices }) => indices === size) ? '' : ' (--positions N looks at more)'}`,
      );
    for (const violation of report.violations) complain(describeViolation(violation, game.colours));
    if (failed) endWith(ExitCode.no);
  } catch (error) {
    await display.close(true);
    throw error;
  }
}

/** Checks a game of forward moves: keyed games and numbered ones. */
async function checkForward(game: KeyedRules, flags: CheckFlags): Promise<void> {
  const { positions, seed } = flags;
  sayWhenInterrupted('nothing was changed');
  const { name } = game;
  const display = await newDisplay([name], flags.json === true);
  display.listen({ type: 'slice', slice: name, number: 1, of: 1 });
  display.listen({ type: 'phase', slice: name, phase: 'check', total: null });
  const report = await checkKeyed(game, {
    positions,
    seed,
    pause,
    report: (done) => display.listen({ type: 'work', slice: name, done }),
  }).catch(async (error) => {
    await display.close(true);
    throw error;
  });
  display.listen({ type: 'finished', slice: name });
  await display.close(report.violations.length > 0);
  if (flags.json) await printJson({ game: game.name, ...report });
  else await print(checkKeyedText(game, report));
  for (const { rule, message } of report.violations) complain(`${ruleName(game, rule)}: ${message}`);
  if (report.violations.length > 0) endWith(ExitCode.no);
}

/** Slices that are enough to begin with. */
const ENOUGH = 8;
