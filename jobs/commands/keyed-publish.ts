/** `mergemate publish` of keyed games: one file from keys to values, and the page that reads it. */
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { publishKeyed } from '../../pipeline/publish/keyed/publish-keyed.js';
import { Defaults } from '../bounds.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { sayWhenInterrupted } from '../exit.js';
import { pageScript } from '../game-module/page-script.js';
import { print, printJson } from '../output.js';
import type { PublishFlags } from '../publication.js';
import { parseMemory } from '../sizes.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { bytes, whole } from '../ui/numbers.js';
import { type AskedKeyed, requireNone, solvedMetric } from './asked-keyed.js';
import { budgetOf } from './graph-options.js';
import { pageFolder, writePage } from './page-beside.js';

export async function publishKeyedGame(
  asked: AskedKeyed,
  names: readonly string[],
  { to, verify, page, codec, pieces, oneSide, verifyBy, ...flags }: PublishFlags,
): Promise<void> {
  requireNone(asked, names, { codec, pieces, oneSide, verifyBy });
  const metric = await solvedMetric(asked, flags);
  const folder = page === true ? pageFolder(to) : null;
  const script = folder === null ? '' : pageScript(asked.path, { metric });
  const claimed = claimScratch(scratchParent(flags.store, undefined));
  sayWhenInterrupted(`nothing was published: the same command begins again`);
  try {
    const { header, name, ...file } = await publishKeyed({
      store: storeToRead(flags.store),
      name: asked.game.name,
      metric,
      to: openStore(to),
      scratch: newScratch(localStore(claimed.folder, { durable: false }), 'publish'),
      budget: budgetOf(parseMemory(Defaults.memory, 'default')),
      verify,
    });
    if (folder !== null) writePage(folder, script);
    const { positions, values } = header;
    if (flags.json) {
      const found = { positions, values: values.length, bytes: file.bytes, verified: file.verified };
      return printJson({ game: header.game, metric, published: to, file: name, ...found, page: folder });
    }
    const each = ((8 * file.bytes) / positions).toFixed(1);
    await print(
      `${to}/${name}: ${whole(positions)} positions, ${values.length} values, ${bytes(file.bytes)}, ${each} bits a position\n` +
        (file.verified ? 'all keys give their values, and the file is read as it was written\n' : '') +
        (folder === null ? '' : `${to}/index.html shows the game, from any web server\n`),
    );
  } finally {
    claimed.release();
  }
}
