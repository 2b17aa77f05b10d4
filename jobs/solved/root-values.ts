/** The values of the positions where a keyed game or a graph begins, a line for each. */
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import type { StoredKeyedProber } from '../../pipeline/graph/keyed-prober.js';
import { valueJson } from '../positions/value.js';
import { winnerText } from '../ui/keyed-text.js';
import { count } from '../ui/numbers.js';
import type { OpenedKeyed } from './keyed.js';
import { winnerOf } from './solved.js';

/** Roots that are printed. */
const MOST_ROOTS = 20;

export interface StoredPositions extends OpenedKeyed<unknown> {
  readonly prober: StoredKeyedProber<unknown>;
}

/** The first few roots. */
export async function rootValues({
  writing,
  prober,
}: StoredPositions): Promise<{ text: string; json: object[] }> {
  const { players, words } = writing;
  const json: object[] = [];
  let text = '';
  for (const root of writing.starts()) {
    if (json.length === MOST_ROOTS) {
      text += '… "mergemate probe" without a position tells of all roots\n';
      break;
    }
    const value = await prober.value(root);
    json.push({
      position: writing.format(root),
      id: writing.id(root),
      mover: players[value.mover],
      over: value.isOver,
      winner: winnerOf({ players }, value.mover, value.wdl),
      ...valueJson(value, prober.metric),
    });
    const distance = value.plies === null ? '' : count(value.plies, words.ply, words.plies);
    text += `${writing.format(root)}: ${winnerText(players, value, distance)}\n`;
  }
  return { text, json };
}

/** Looks positions up that were solved as `name`; of a graph in JSON if there is no game. */
export async function openStored(
  game: KeyedRules | null,
  name: string,
  store: Store,
  metric: Metric,
): Promise<StoredPositions> {
  const { nodesAsMoves, writingOf } = await import('./keyed.js');
  if (game === null) {
    const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
    return nodesAsMoves(await openGraphProber(store, name, metric)) as StoredPositions;
  }
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  return { writing: writingOf(game), prober: await openKeyedProber(game, store, metric, { name }) };
}
