/** `mergemate publish`: compressed tables of wins, draws and losses, for programs that probe. */
import { type Command, Option } from 'commander';
import { type CodecName, codecs } from '../../pipeline/table/published/codec.js';
import { askEndings, type MetricOptions, metricOf, slicesOf, withMetric, withPieces } from '../options.js';
import { publication } from '../publication.js';
import { findGame } from '../registry.js';
import { withStore } from '../store-option.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';

interface PublishFlags extends MetricOptions {
  readonly to: string;
  readonly codec: CodecName;
  readonly pieces?: number;
  readonly verify: boolean;
}

export const DEFAULT_PUBLICATION = './published';

export function addPublish(program: Command): void {
  withPieces(withMetric(withStore(program.command('publish <game> [endings...]'))))
    .summary('compress tables into small ones that programs can probe')
    .description(
      'Writes what solved endings, and all they convert to, say of wins, draws and losses, into files that are small and\n' +
        'fast to probe: one for each slice and side to move, of blocks of at most 1,024 bytes, each with a checksum. What a\n' +
        'short search can find is left out. The files are then verified by the moves of every position that they hold.',
    )
    .option('--to <uri>', 'where the files go: a folder or s3://bucket/prefix', DEFAULT_PUBLICATION)
    .addOption(
      new Option(
        '--codec <name>',
        'packed: five positions a byte and runs, as in 1994; huffman: run lengths, as in 2003; rows: runs by what is near in the index',
      )
        .choices(codecs)
        .default('rows'),
    )
    .option('--no-verify', 'do not verify the files')
    .action(runPublish);
}

async function runPublish(gameName: string, names: string[], flags: PublishFlags): Promise<void> {
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const slices = slicesOf(askEndings(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slices, askedWords(names, flags.pieces));
  const { codec, verify, to } = flags;
  await publication(game, { slices, metric, store: flags.store, to, codec, verify }, flags.json === true);
}
