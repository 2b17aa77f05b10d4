/** `mergemate status`: how far the work in a store has come. */

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import { needGraph } from '../../pipeline/graph/manifest.js';
import { type GraphSurvey, surveyGraphs } from '../../pipeline/graph/survey.js';
import { ManifestReader } from '../../pipeline/tables/records/slices.js';
import { type SurveyScope, surveyStore } from '../../pipeline/tables/records/survey.js';
import { Defaults } from '../cli/bounds.js';
import { errorText } from '../cli/error-text.js';
import { complain, sayWhenInterrupted } from '../cli/exit.js';
import { anyEndingOf, type CommonOptions } from '../cli/options.js';
import { print, printData, printJson } from '../cli/output.js';
import { findGame, gameNames, storedGames } from '../registry.js';
import { storeToRead } from '../stores.js';
import { statusText } from '../ui/status-text.js';
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
  const view = await viewOf(flags.store, words, flags.syzygy);
  const look = async (): Promise<string | object> => {
    if (view === null) return lookAtSet(flags.syzygy!, flags.json === true);
    const now = Date.now();
    const slices = await surveyStore(view, now);
    const graphs = await graphsOf(view, now);
    const { uri } = view.store;
    return flags.json ? { store: uri, at: now, slices, graphs } : statusText(uri, slices, graphs);
  };
  const show = async (shown: string | object, before = '') => {
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
    await show(shown, process.stdout.isTTY ? `${REDRAW}${time}` : `\n${time}`);
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

/** The ledger of a set of Syzygy files, and what is at work there. Throws UserError if none is made there. */
async function lookAtSet(uri: string, isJson: boolean): Promise<string | object> {
  const { readSet, setBlocks } = await import('../sets/ledger-page.js');
  const set = await readSet(storeToRead(uri));
  if (set.progress === null)
    throw new UserError(`--syzygy ${uri}: no set is made there ("solve --to" makes one)`);
  const { documentText } = await import('../ui/document.js');
  return isJson ? set : `${set.uri}\n\n${documentText(setBlocks(set))}`;
}

/** Slices that the view has. Throws UserError for a slice that the store does not know. */
async function graphsOf(view: SurveyScope, now: number): Promise<GraphSurvey[]> {
  const { store, game, slices } = view;
  if (game !== undefined && game !== GRAPH) return [];
  const all = await surveyGraphs(view, now);
  if (slices === undefined) return all;
  const asked = all.filter(({ graph }) => slices.includes(graph));
  if (asked.length === 0) await needGraph(store, slices[0]);
  return asked;
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
    throw new UserError(`--watch: ${JSON.stringify(watch)} is no number of seconds`);
  return { seconds, words: given };
}

/** Null for a set of Syzygy files, which has no store of its own. */
async function viewOf(
  uri: string,
  [gameName, ending, ...more]: readonly string[],
  syzygy: string | undefined,
): Promise<SurveyScope | null> {
  if (syzygy !== undefined) {
    if (gameName !== undefined)
      throw new UserError('--syzygy goes without a game: the set is shown as a whole');
    return null;
  }
  if (more.length > 0) throw new UserError(`${more.join(' ')}: one ending at a time, or all`);
  const game = gameName === undefined ? null : gameName === GRAPH ? graphs : await findGame(gameName);
  const slices = game === null || ending === undefined ? undefined : anyEndingOf(game, ending).slices;
  const store = storeToRead(uri);
  const common = { store, games: await storedGames(), reader: new ManifestReader(store) };
  if (game === null) return common;
  return { ...common, game: game.name, ...(slices && { slices }) };
}
