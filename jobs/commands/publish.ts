/** `mergemate publish`: compressed tables of wins, draws and losses, for programs that probe. */

import type { CodecName } from '../../pipeline/table/published/codec.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { publication } from '../publication.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';

interface PublishFlags extends MetricOptions {
  readonly to: string;
  readonly codec: CodecName;
  readonly pieces?: number;
  readonly oneSide?: boolean;
  readonly verify: boolean;
  readonly verifyBy: 'moves' | 'tables';
}

export async function runPublish(gameName: string, names: string[], flags: PublishFlags): Promise<void> {
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slices, askedWords(names, flags.pieces));
  const { codec, oneSide = false, to } = flags;
  const verify = flags.verify ? flags.verifyBy : null;
  const asked = { slices, metric, store: flags.store, to, codec, oneSide, verify };
  await publication(game, asked, flags.json === true);
}
