/** `mergemate publish`: what is solved, in forms that others use: compact tables, Syzygy files, a web site. */

import { UserError } from '../../operators/core/errors.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { codecsFor } from '../../pipeline/tables/published/columns.js';
import { askedWords, needTables } from '../asked/tables.js';
import { FORMS, type Form } from '../cli/bounds.js';
import { askEndings, metricOf, slicesOf } from '../cli/options.js';
import { findGame } from '../registry.js';
import { type PublishFlags, publication } from '../run/publication.js';
import { findGraph } from '../solved/asked-graph.js';
import { storeToRead } from '../stores.js';
import type { SiteFlags } from './publish-site.js';
import type { SyzygyFlags } from './publish-syzygy.js';

type Flags = Omit<PublishFlags, 'to'> &
  Omit<SyzygyFlags, 'to'> &
  Omit<SiteFlags, 'to'> & { readonly as: Form; readonly to?: string };

export async function runPublish(gameName: string | undefined, names: string[], given: Flags): Promise<void> {
  const { as } = given;
  const flags = { ...given, to: given.to ?? FORMS[as] };
  const graph = gameName === undefined ? null : await findGraph(gameName, flags.store);
  if (graph !== null) {
    if (as === 'syzygy')
      throw new UserError(`Syzygy files are of chess: --as syzygy is not for ${graph.name}`);
    return (await import('./graph-publish.js')).publishAsked(graph, names, flags, as === 'site');
  }
  if (gameName === 'chess') await refuseRoots(names, as);
  if (as === 'site') return (await import('./publish-site.js')).publishSite(gameName, names, flags);
  if (gameName === undefined)
    throw new UserError(`name the game that is published: only --as site takes all of a store`);
  if (as === 'syzygy') {
    if (gameName !== 'chess')
      throw new UserError(`Syzygy files are of chess: --as syzygy is not for ${gameName}`);
    return (await import('./publish-syzygy.js')).publishSyzygy(names, flags);
  }
  const found = await findGame(gameName, flags.store);
  const metric = metricOf(found, flags.metric);
  const game = namedFor(found, metric);
  const codecs = codecsFor(metric);
  if (flags.codec !== undefined && !codecs.includes(flags.codec))
    throw new UserError(
      `--codec ${flags.codec} cannot be combined with --metric ${metric}, whose tables take ${codecs.join(', ')}`,
    );
  const endings = askEndings(game, names, flags.pieces);
  const slices = slicesOf(endings);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slices, askedWords(names, flags.pieces));
  const { codec = codecs[0], oneSide = false, to } = flags;
  const verify = flags.verify ? (flags.verifyBy ?? 'moves') : null;
  const asked = { slices, metric, store: flags.store, to, codec, oneSide, verify };
  await publication(game, asked, flags.json === true);
}

/** A site has roots, but no parts of them. */
async function refuseRoots(names: readonly string[], as: Form): Promise<void> {
  const { rootIn } = await import('../../pipeline/games/chess/root-slices.js');
  for (const name of names) {
    const root = rootIn(name.replace(/\+$/, ''));
    if (root === null || (as === 'site' && name === root)) continue;
    throw new UserError(
      as === 'site'
        ? `${name}: a site has the tables of a whole root: name ${root}`
        : `${name}: published files are of whole endings, and this has some of the positions of one; --as site takes it`,
    );
  }
}
