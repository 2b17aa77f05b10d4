/** `mergemate publish`: compressed tables of wins, draws and losses, for programs that probe. */

import { UserError } from '../../operators/core/errors.js';
import type { CodecName } from '../../pipeline/tables/codec/codec.js';
import { askEndings, metricOf, slicesOf } from '../options.js';
import { type PublishFlags, publication } from '../publication.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { findGraph } from './asked-graph.js';

const DEFAULT_CODEC: CodecName = 'rows';

export async function runPublish(gameName: string, names: string[], flags: PublishFlags): Promise<void> {
  const graph = await findGraph(gameName);
  if (graph !== null) return (await import('./graph-publish.js')).publishAsked(graph, names, flags);
  if (flags.page === true)
    throw new UserError('--page is for keyed games and graphs: "mergemate serve --export" is for others');
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slices, askedWords(names, flags.pieces));
  const { codec = DEFAULT_CODEC, oneSide = false, to } = flags;
  const verify = flags.verify ? (flags.verifyBy ?? 'moves') : null;
  const asked = { slices, metric, store: flags.store, to, codec, oneSide, verify };
  await publication(game, asked, flags.json === true);
}
