/**
 * Holds what a store has of a user's game against the module that it is asked about by.
 *
 * Two things are compared: the text of the module with its relative imports, and a sample of the rules
 * (pipeline/games/yours/examiner/sample-rules.ts). A sample that differs refuses the tables, even where the text is the same: a module may
 * read a variable of the environment. Where the text alone differs, a comment was edited, or a rule that matters in positions
 * outside the sample. So the tables are taken, with a line on stderr unless the sample was the whole game.
 *
 * A keyed game has both in the manifest of its graph. All tables of another game lie in one folder, and belong to one record:
 *
 *   GAME/rules.json    written before the first solve of the game begins, deleted after the last of its tables
 */
import { resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { putRecord, readRecord } from '../../pipeline/game/record.js';
import { RulesSample } from '../../pipeline/game/rules-sample.js';
import { metrics } from '../../pipeline/game/value.js';
import { samplerOf } from '../../pipeline/games/yours/examiner/sample-rules.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { requireSameRules } from '../../pipeline/graph/same-rules.js';
import { ChangedRulesError } from '../../pipeline/tables/table-guard.js';
import { complain } from '../cli/exit.js';
import { fileDigest, moduleDigest } from './module-digest.js';

const VERSION = 1;
const RulesRecord = z.object({
  version: z.literal(VERSION),
  game: z.string(),
  /** moduleDigest of the module. */
  text: z.string(),
  sample: RulesSample,
});
type RulesRecord = z.infer<typeof RulesRecord>;

/** A game with the module that it was loaded from. */
export interface Loaded<Rules> {
  readonly game: Rules;
  /** Of the module, as it was given. */
  readonly path: string;
}

/**
 * Compares a keyed game with what is solved of it. Prints a note where the text of the module was changed and its sample was not.
 * @throws UserError, with the command that solves it again, if the rules differ.
 */
export function requireSameKeyed(
  { game, path }: Loaded<KeyedRules>,
  { name, fingerprint, rules, players }: GraphManifest,
  store: Pick<Store, 'uri'>,
): void {
  const text = moduleDigest(resolve(path));
  if (players.some((each, side) => each !== game.colours[side]))
    note(
      `${path} calls the players ${game.colours.join(' and ')}, and ${name} in ${store.uri} ${players.join(' and ')} ("mergemate solve ${path} --again" makes it anew)`,
    );
  if (rules !== undefined) {
    try {
      requireSameRules(game, { name, rules }, store, text === fingerprint);
    } catch (error) {
      throw error instanceof ChangedRulesError ? changed({ name, path, store }) : error;
    }
    if (text !== fingerprint && !rules.whole) noteEdit({ name, path, store }, rules);
    return;
  }
  // Earlier releases kept the digest of the module's own file; programs that called the pipeline, the name of the game.
  if (fingerprint === text || fingerprint === game.name) return;
  if (fingerprint !== fileDigest(resolve(path)))
    throw new ChangedRulesError(
      `${path} was edited since an earlier release solved ${name} in ${store.uri}, which recorded nothing of its moves: run "mergemate solve ${path} --again"`,
    );
  note(
    `${name} in ${store.uri} was solved by an earlier release, which recorded nothing of what ${path} imports, so that was not compared ("mergemate solve ${path} --again" makes it anew)`,
  );
}

/**
 * The fingerprint by which a solve of the game goes on with what the store has of it: that of the finished graph if its rules are the
 * same, else the digest of the module. @throws UserError as {@link requireSameKeyed}.
 */
export async function keyedFingerprint(
  loaded: Loaded<KeyedRules>,
  store: Store,
  name: string,
): Promise<string> {
  const found = await readGraphManifest(store, name);
  if (found === null) return moduleDigest(resolve(loaded.path));
  requireSameKeyed(loaded, found, store);
  return found.fingerprint;
}

/** The name of the record of a game's rules in a store. */
export function rulesRecordName(game: string): string {
  return `${game}/rules.json`;
}

/** As {@link requireSameKeyed}, for all tables of a game by slices. Tables of earlier releases are taken, with a note. */
export async function requireSameGame({ game, path }: Loaded<Game>, store: Store): Promise<void> {
  const { name } = game;
  const kept = await readRules(store, name);
  if (kept === null)
    return note(
      `tables of ${name} in ${store.uri} have no record of their rules, so ${path} was not compared with them ("mergemate solve ${path} --again" makes them anew)`,
    );
  const isSameText = kept.text === textOf({ game, path });
  if (!samplerOf(game).matches(kept.sample, isSameText)) throw changed({ name, path, store });
  if (!isSameText && !kept.sample.whole) noteEdit({ name, path, store }, kept.sample);
}

/** Compares the game with its tables in a store, or records its rules there if there are none. To be called before a solve begins. */
export async function recordRules(loaded: Loaded<Game>, store: Store): Promise<void> {
  const { name } = loaded.game;
  const isNew =
    (await readRules(store, name)) === null &&
    (await Promise.all(metrics.map((metric) => store.list(`${name}/${metric}/`)))).flat().length === 0;
  if (isNew) {
    const sample = samplerOf(loaded.game).full();
    const record: RulesRecord = { version: VERSION, game: name, text: textOf(loaded), sample };
    if (await putRecord(store, rulesRecordName(name), record)) return;
  }
  await requireSameGame(loaded, store);
}

/** Whether the store has tables of the game that were solved by this very text of its module, and these rules. */
export async function isSameText(loaded: Loaded<Game>, store: Store): Promise<boolean> {
  const kept = await readRules(store, loaded.game.name);
  return kept !== null && kept.text === textOf(loaded) && samplerOf(loaded.game).matches(kept.sample, true);
}

function readRules(store: Store, game: string): Promise<RulesRecord | null> {
  return readRecord(store, rulesRecordName(game), RulesRecord, 'record of rules');
}

const texts = new WeakMap<Game, string>();

/** Read once: later reads may find another text than that of the rules that were loaded. */
function textOf({ game, path }: Loaded<Game>): string {
  let text = texts.get(game);
  if (text === undefined) texts.set(game, (text = moduleDigest(resolve(path))));
  return text;
}

interface Solved {
  readonly name: string;
  readonly path: string;
  readonly store: Pick<Store, 'uri'>;
}

function noteEdit({ name, path, store }: Solved, { positions }: RulesSample): void {
  note(
    `${path} was edited since ${name} was solved in ${store.uri}; the moves of ${positions} sampled positions are the same ("mergemate solve ${path} --again" makes sure of the others)`,
  );
}

function changed({ name, path, store }: Solved): ChangedRulesError {
  return new ChangedRulesError(
    `${path} has other rules than ${name} in ${store.uri} was solved by: run "mergemate solve ${path} --again"`,
  );
}

const noted = new Set<string>();

/** Once in a process, by the thread that talks to people. */
function note(line: string): void {
  if (!isMainThread || noted.has(line)) return;
  noted.add(line);
  complain(line);
}
