/** The slices that are left to be solved if published tables are taken for granted. */
import type { Game } from '../../pipeline/game/game.js';
import { planBeyond, type Unpacking } from '../../pipeline/share/publish/unpack.js';
import { openPublication, type Publication } from '../../pipeline/tables/published/publication.js';
import { openReadable } from '../stores.js';

/** @throws UserError if nothing is published at the URI. */
export async function planUnpacking(
  game: Game,
  slices: readonly string[],
  uri: string,
): Promise<Unpacking & { readonly publication: Publication }> {
  const publication = await openPublication(openReadable(uri), game);
  return { ...planBeyond(game, slices, publication), publication };
}
