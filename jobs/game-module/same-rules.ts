/**
 * Holds what a store has of a user's game against the module that it is asked about by.
 *
 * Two things are compared: the text of the module with its relative imports, and a sample of the rules
 * (pipeline/games/sample-rules.ts). A sample that differs refuses the tables, even where the text is the same: a module may
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
import type { Game } from '../../pipeline/contract/game.js';
import { putRecord, readRecord } from '../../pipeline/formats/record.js';
import { RulesSample } from '../../pipeline/formats/rules-sample.js';
import { metrics } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { sampleGame, sampleKeyed } from '../../pipeline/games/sample-rules.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { ChangedRulesError } from '../../pipeline/table/table-guard.js';
import { complain } from '../exit.js';
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
  { name, fingerprint, rules }: GraphManifest,
  store: Pick<Store, 'uri'>,
): void {
  const text = moduleDigest(resolve(path));
  if (rules !== undefined) {
    requireSame(
      { text: fingerprint, sample: rules },
      { text, sample: sampleKeyed(game) },
      { name, path, store },
    );
    return;
  }
  // Earlier releases kept the digest of the module's own file; programs that call the pipeline, the name of the game.
  if ([text, fileDigest(resolve(path)), game.name].includes(fingerprint)) return;
  throw changed({ name, path, store });
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
export async function requireSameGame(loaded: Loaded<Game>, store: Store): Promise<void> {
  const { game, path } = loaded;
  const kept = await readRules(store, game.name);
  if (kept !== null) return requireSame(kept, rulesOf(loaded), { name: game.name, path, store });
  note(
    `tables of ${game.name} in ${store.uri} have no record of their rules, so ${path} was not compared with them ("mergemate solve ${path} --again" makes them anew)`,
  );
}

/** Compares the game with its tables in a store, or records its rules there if there are none. To be called before a solve begins. */
export async function recordRules(loaded: Loaded<Game>, store: Store): Promise<void> {
  const { name } = loaded.game;
  const isNew =
    (await readRules(store, name)) === null &&
    (await Promise.all(metrics.map((metric) => store.list(`${name}/${metric}/`)))).flat().length === 0;
  if (isNew) {
    const record: RulesRecord = { version: VERSION, game: name, ...rulesOf(loaded) };
    if (await putRecord(store, rulesRecordName(name), record)) return;
  }
  await requireSameGame(loaded, store);
}

/** Whether the store has tables of the game that were solved by this very text of its module, and these rules. */
export async function isSameText(loaded: Loaded<Game>, store: Store): Promise<boolean> {
  const kept = await readRules(store, loaded.game.name);
  const now = rulesOf(loaded);
  return kept !== null && kept.text === now.text && kept.sample.digest === now.sample.digest;
}

function readRules(store: Store, game: string): Promise<RulesRecord | null> {
  return readRecord(store, rulesRecordName(game), RulesRecord, 'record of rules', VERSION);
}

type Rules = Pick<RulesRecord, 'text' | 'sample'>;

const known = new WeakMap<Game, Rules>();

function rulesOf({ game, path }: Loaded<Game>): Rules {
  let rules = known.get(game);
  if (rules === undefined) {
    rules = { text: moduleDigest(resolve(path)), sample: sampleGame(game) };
    known.set(game, rules);
  }
  return rules;
}

interface Solved {
  readonly name: string;
  readonly path: string;
  readonly store: Pick<Store, 'uri'>;
}

function requireSame(kept: Rules, now: Rules, solved: Solved): void {
  if (kept.sample.digest !== now.sample.digest) throw changed(solved);
  if (kept.text === now.text || now.sample.whole) return;
  const { name, path, store } = solved;
  note(
    `${path} was edited since ${name} was solved in ${store.uri}; the moves of ${now.sample.positions} sampled positions are the same ("mergemate solve ${path} --again" makes sure of the others)`,
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
