/** Positions of keyed games, looked up for commands. */

import { resolve } from 'node:path';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import type { KeyedProber, ProbedPosition } from '../../pipeline/graph/keyed-prober.js';
import { requireSameRules } from '../../pipeline/graph/same-rules.js';
import { moduleDigest } from '../game-module/module-digest.js';
import type { CommonOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { storeToRead } from '../stores.js';
import { type AskedKeyed, graphMetric, type NodeFlags, solvedGraph } from './asked-graph.js';

/** A prober that reads a few blocks for each position. */
export async function keyedProber(
  asked: AskedKeyed,
  { published, ...flags }: NodeFlags,
): Promise<KeyedProber<unknown>> {
  const { game } = asked;
  if (published !== undefined) {
    const { openPublishedKeyed } = await import('../../pipeline/tables/publish/keyed/published-keyed.js');
    const store = storeToRead(published);
    const prober = await openPublishedKeyed(game, store, graphMetric(asked, flags.metric));
    const { game: name, rules, fingerprint } = prober.header;
    requireSameRules(game, { name, rules }, store, fingerprint === moduleDigest(resolve(asked.path)));
    return prober;
  }
  const { metric } = await solvedGraph(asked, flags);
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  return openKeyedProber(game, storeToRead(flags.store), metric);
}

export async function probeOne(asked: AskedKeyed, text: string | undefined, flags: NodeFlags): Promise<void> {
  const { game } = asked;
  const { probedPositionJson, probedPositionText, rootLine } = await import('../ui/keyed-text.js');
  const position = text === undefined ? null : game.parse(text);
  const prober = await keyedProber(asked, flags);
  if (text !== undefined) {
    const probed = await prober.probe(position);
    if (flags.json) await printJson({ metric: prober.metric, ...probedPositionJson(game, position, probed) });
    else await print(probedPositionText(game, position, probed));
    return;
  }
  const roots = [...game.starts()];
  const probed: ProbedPosition<unknown>[] = [];
  for (const root of roots) probed.push(await prober.probe(root));
  if (flags.json)
    return printJson({
      metric: prober.metric,
      roots: roots.map((root, i) => probedPositionJson(game, root, probed[i])),
    });
  if (roots.length === 1) return print(probedPositionText(game, roots[0], probed[0]));
  await print(roots.map((root, i) => rootLine(game, root, probed[i])).join(''));
}

export async function answersOf(
  asked: AskedKeyed,
  flags: NodeFlags,
): Promise<(text: string) => Promise<object>> {
  const { game } = asked;
  const { probedPositionJson } = await import('../ui/keyed-text.js');
  const prober = await keyedProber(asked, flags);
  return async (text) => {
    const position = game.parse(text);
    return {
      fen: text,
      metric: prober.metric,
      ...probedPositionJson(game, position, await prober.probe(position)),
    };
  };
}

export async function printLine(
  asked: AskedKeyed,
  text: string | undefined,
  flags: NodeFlags,
): Promise<void> {
  const { game } = asked;
  const position = text === undefined ? [...game.starts()][0] : game.parse(text);
  const prober = await keyedProber(asked, flags);
  const { keyedLine } = await import('../../pipeline/graph/keyed-line.js');
  const { keyedLineJson, keyedLineText } = await import('../ui/keyed-text.js');
  const line = await keyedLine(prober, position);
  if (flags.json) await printJson(keyedLineJson(game, position, line, prober.metric));
  else await print(keyedLineText(game, position, line));
}

/** Roots that are printed when a game is solved. */
const MOST_ROOTS = 20;

/** Winners from the first few roots of a game that was solved as `name`. */
export async function solvedRoots(
  game: KeyedRules,
  name: string,
  { store, metric }: CommonOptions & { readonly metric: Metric },
): Promise<{ text: string; json: object[] }> {
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  const { rootJson, rootLine } = await import('../ui/keyed-text.js');
  const prober = await openKeyedProber(game, storeToRead(store), metric, { name });
  const json: object[] = [];
  let text = '';
  for (const root of game.starts()) {
    if (json.length === MOST_ROOTS) {
      text += '… "mergemate probe" without a position tells of all roots\n';
      break;
    }
    const probed = await prober.value(root);
    json.push(rootJson(game, root, probed));
    text += rootLine(game, root, probed);
  }
  return { text, json };
}
