/** Publishes tables and verifies publications, as a task of the coordinating thread. */
import { dirname } from 'node:path/posix';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { planSlices } from '../../pipeline/game/plan.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { MAX_MISMATCHES } from '../../pipeline/game/wrong-values.js';
import { publish } from '../../pipeline/share/publish/publish.js';
import { verifyByTable } from '../../pipeline/share/publish/verify-by-table.js';
import { newVerifiedFile, verifyPublished } from '../../pipeline/share/publish/verify-published.js';
import { newPublishedProber } from '../../pipeline/tables/probe/published-prober.js';
import { newPublishedProblems } from '../../pipeline/tables/probe/published-problems.js';
import {
  type CatalogueFile,
  deleteDraft,
  finishPublication,
} from '../../pipeline/tables/published/catalogue.js';
import { columnsOf } from '../../pipeline/tables/published/columns.js';
import { openPublication, type Publication } from '../../pipeline/tables/published/publication.js';
import { needTable } from '../../pipeline/tables/table.js';
import type { PublicationResult, PublicationTask } from './protocol.js';
import { removeRemains } from './remains.js';

/** Memory for decoded blocks, and for the values of single positions beside them. */
const CACHES = { cacheBytes: 64 << 20, positionBytes: 4 << 20 };

type PublicationWork = Pick<PublicationTask, 'slices' | 'metric' | 'codec' | 'oneSide' | 'verify'>;

/** Publishes the tables of `store` in the store `to`, unless they are there, and verifies the publication. */
export async function runPublication(
  { slices, metric, codec, oneSide, verify }: PublicationWork,
  asked: Game,
  { store, to }: { readonly store: Store; readonly to: Store },
  progress: ProgressListener,
): Promise<PublicationResult> {
  const game = namedFor(asked, metric);
  // Runs of solves, if the tables are there as well, lie deeper.
  if (codec !== null) await removeRemains(to, (name) => dirname(name) === game.name);
  const written =
    codec === null ? null : await publish({ game, slices, metric, store, to, codec, oneSide, progress });
  const publication = await openPublication(to, game, metric, written?.catalogue);
  const { catalogue } = publication;
  const isDraft = written?.finished === false;
  if (verify === null) {
    if (isDraft) await finishPublication(to, catalogue);
    return { catalogue, found: written?.found ?? true, verified: null };
  }

  const looked = { game, publication, ...CACHES };
  const prober = columnsOf(metric)[0] === 'wdl' ? newPublishedProber(looked) : newPublishedProblems(looked);
  const all = codec === null ? filesOf(game, publication, slices) : catalogue.files;
  // By moves, numbers are verified with their plies.
  const files = verify === 'moves' ? all.filter(({ column }) => column !== 'numbers') : all;
  const verified = newVerifiedFile();
  for (const [i, { slice, side, column }] of files.entries()) {
    progress({ type: 'slice', slice, number: i + 1, of: files.length });
    const file =
      verify === 'moves'
        ? await verifyPublished(game, publication, prober, slice, side, progress)
        : await verifyByTable(publication, await needTable(store, game, metric, slice), side, {
            game,
            store,
            column,
            progress,
          });
    progress({ type: 'finished', slice });
    verified.positions += file.positions;
    verified.wrong += file.wrong;
    verified.mismatches.push(...file.mismatches.slice(0, MAX_MISMATCHES - verified.mismatches.length));
  }
  if (isDraft)
    await (verified.wrong === 0 ? finishPublication(to, catalogue) : deleteDraft(to, game.name, metric));
  return { catalogue, found: written?.found ?? true, verified };
}

/** The files of slices, and of all that they convert to. Throws UserError if some are not published. */
function filesOf(game: Game, publication: Publication, slices: readonly string[]): CatalogueFile[] {
  const wanted = new Set(planSlices(game, slices).map(({ slice }) => slice));
  const missing = [...wanted].filter((slice) => game.ending(slice).pieces > 0 && !publication.has(slice));
  if (missing.length > 0) {
    throw new UserError(
      `${missing.length} of ${wanted.size} slices are not published in ${publication.where('')}, ${missing[0]} among them`,
    );
  }
  return publication.catalogue.files.filter(({ slice }) => wanted.has(slice));
}
