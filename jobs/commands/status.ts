/** `mergemate status`: how far the work in a store has come. */

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import { needGraph } from '../../pipeline/graph/manifest.js';
import { Defaults } from '../cli/bounds.js';
import { errorText } from '../cli/error-text.js';
import { complain, sayWhenInterrupted } from '../cli/exit.js';
import { io } from '../cli/io.js';
import { anyEndingOf, type CommonOptions } from '../cli/options.js';
import { print, printData, printJson } from '../cli/output.js';
import { newLookout } from '../progress/look.js';
import type { Progress } from '../progress/model.js';
import { newSetLookout } from '../progress/set.js';
import { statusText } from '../progress/status-text.js';
import { findGame, gameNames, storedGames } from '../registry.js';
import { storeToRead } from '../stores.js';
import { isGameModule } from '../user-game.js';

interface StatusFlags extends CommonOptions {
  /** True: the default number of seconds. */
  readonly watch?: string | true;
  /** A folder of Syzygy files: the set that is made there, in place of the store. */
  readonly syzygy?: string;
}

/** Cursor to the upper left corner; erase all below it. */
const REDRAW = '\x1b[H\x1b[J';

export async function runStatus(
  first: string | undefined,
  second: string | undefined,
  flags: StatusFlags,
): Promise<void> {
  const { seconds, words } = readWatch(flags.watch, [first, second]);
  const look = flags.syzygy === undefined ? await lookAtStore(flags, words) : lookAtSet(flags, words);
  const show = async (shown: string | Progress, before = '') => {
    if (typeof shown !== 'string') return printJson(shown);
    await printData(before);
    return print(shown);
  };

  sayWhenInterrupted('nothing that is being solved is disturbed');
  let shown = await look();
  if (seconds === null) return show(shown);
  for (;;) {
    // People who scroll back, and files, want to know when it was.
    const time = `${new Date().toISOString()}\n`;
    await show(shown, io.out.isTTY ? `${REDRAW}${time}` : `\n${time}`);
    for (let again = true; again; ) {
      await pause(1000 * seconds);
      try {
        shown = await look();
        again = false;
      } catch (error) {
        // A view that is open for hours outlives a server that is away for minutes.
        if (!(error instanceof StorageError)) throw error;
        complain(errorText(error));
      }
    }
  }
}

/** `--watch chess` means the game: nothing in the option's place is a number then. */
function readWatch(
  watch: StatusFlags['watch'],
  words: readonly (string | undefined)[],
): { seconds: number | null; words: readonly string[] } {
  const given = words.filter((word) => word !== undefined);
  if (watch === undefined) return { seconds: null, words: given };
  if (watch === true) return { seconds: Defaults.watchSeconds, words: given };
  if ([...gameNames, GRAPH].includes(watch) || isGameModule(watch))
    return { seconds: Defaults.watchSeconds, words: [watch, ...given] };
  const seconds = Number(watch);
  if (!/^\d+(\.\d+)?$/.test(watch) || seconds <= 0)
    throw new UserError(`--watch: ${JSON.stringify(watch)} is not a number of seconds`);
  return { seconds, words: given };
}

type Look = () => Promise<string | Progress>;

/** Looks at the set of endings that becomes Syzygy's files. Throws UserError if none is made there. */
function lookAtSet({ syzygy: uri, json }: StatusFlags, words: readonly string[]): Look {
  if (words.length > 0) throw new UserError('--syzygy shows the whole set: leave out the game');
  const files = storeToRead(uri!);
  const look = newSetLookout(files);
  return async () => {
    const at = Date.now();
    const set = await look(at);
    if (set === null) throw new UserError(`--syzygy ${uri}: no set is made there ("solve --to" makes one)`);
    if (json) return { store: files.uri, at, runs: [], slices: [], graphs: [], set };
    const { setBlocks } = await import('../sets/ledger-page.js');
    const { documentText } = await import('../ui/document.js');
    return `${files.uri}\n\n${documentText(setBlocks(set))}`;
  };
}

/** Looks at a store: at all of it, a game or an ending. Throws UserError for a graph that the store does not know. */
async function lookAtStore(
  { store: uri, json }: StatusFlags,
  [gameName, ending, ...more]: readonly string[],
): Promise<Look> {
  if (more.length > 0) throw new UserError(`${more.join(' ')}: give one ending, or none for all`);
  const game = gameName === undefined ? null : gameName === GRAPH ? graphs : await findGame(gameName);
  const slices = game === null || ending === undefined ? undefined : anyEndingOf(game, ending).slices;
  const store = storeToRead(uri);
  const withGraphs = game === null || game.name === GRAPH;
  const look = newLookout({ store, games: await storedGames(), game: game?.name, slices, withGraphs });
  return async () => {
    const progress = await look(Date.now());
    const isUnknown = game?.name === GRAPH && slices !== undefined && progress.graphs.length === 0;
    if (isUnknown && progress.slices.length === 0) await needGraph(store, slices[0]);
    return json ? progress : statusText(progress);
  };
}
