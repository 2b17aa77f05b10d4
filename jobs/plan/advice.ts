/** Adds the cost of a solve to errors that advise one. */
import { newOnce } from '../../operators/core/once.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { remedyOf } from '../../pipeline/game/remedy.js';
import type { Metric } from '../../pipeline/game/value.js';
import { noteCost } from '../cli/error-text.js';
import { findGame, gameNames } from '../registry.js';

/** CPU that a forecast for advice may take; advice that waits longer is worth less than advice without a cost. */
const ADVICE_MS = 1500;

/** ": 297 slices, 28 CPU minutes, 22.3 GiB", or nothing if the forecast takes too long. */
export async function costOfAdvice(
  game: Game,
  slices: readonly string[],
  metric: Metric,
  store: Store,
): Promise<string> {
  if (!gameNames.includes(game.name)) return '';
  const { costOf, costText, solvedIn } = await import('./cost.js');
  const solved = await solvedIn(store, game.name, metric);
  const cost = await costOf(game, slices, { metric, solved, cpuMs: ADVICE_MS });
  return cost === null ? '' : `: ${costText(cost)}`;
}

const MOST_KNOWN = 1000;
/** Costs by game, metric and slice, as if nothing were solved yet: smaller endings that are there already would cost little. */
const costs = newOnce<string, string | null>({ most: MOST_KNOWN });

/**
 * Adds to an error the cost of the solve that it advises. A process forecasts each slice once.
 * @param cpuMs after which the cost is left out.
 */
export async function noteCostOf(error: unknown, cpuMs = ADVICE_MS): Promise<void> {
  const remedy = error instanceof Error ? remedyOf(error) : null;
  if (remedy?.task !== 'solve' || !gameNames.includes(remedy.game)) return;
  const { game: name, metric, slice } = remedy;
  const key = `${name}/${metric}/${slice}`;
  const text = await costs(key, async () => {
    try {
      const [{ costOf, costText }, game] = await Promise.all([import('./cost.js'), findGame(name)]);
      const cost = await costOf(game, [slice], { metric, solved: new Set(), cpuMs });
      return cost === null ? null : costText(cost);
    } catch {
      // The error for which the cost is wanted explains what is wrong.
      return null;
    }
  });
  if (text !== null) noteCost(error as Error, text);
}
