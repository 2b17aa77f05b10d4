/** `mergemate verify FOLDER`: derives what Syzygy's files say again, whoever made them. */

import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { DamageError, UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { Auditor, type Wrong } from '../../pipeline/audit/audit.js';
import { fileName, MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { type Material, materialNamed } from '../../pipeline/games/chess/syzygy/material.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { errorText } from '../cli/error-text.js';
import { complain, ExitCode, endWith, sayWhenInterrupted } from '../cli/exit.js';
import { breathe, note, print, printJson } from '../cli/output.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { openStore, scratchParent } from '../stores.js';
import { tableText } from '../ui/document.js';
import { whole } from '../ui/numbers.js';

interface VerifyFlags {
  readonly memory: number;
  readonly scratch?: string;
  readonly json?: boolean;
}

/** Findings about a file: about its positions, and if nothing is wrong with them, about the rest. */
interface Verified {
  readonly name: string;
  readonly positions: number;
  readonly wrong: Wrong | null;
  readonly problem: string | null;
}

/** Bytes that are kept of files besides the memory. */
const CACHE = 16 << 20;

const KINDS = ['wdl', 'dtz'] as const;

export async function runVerify(uri: string, names: readonly string[], flags: VerifyFlags): Promise<void> {
  const store = openStore(uri);
  const materials = await materialsIn(store, names);
  sayWhenInterrupted('files were only read');
  const folder = claimScratch(flags.scratch ?? scratchBeside(uri));
  const all: Verified[] = [];
  try {
    const scratch = scratchIn(folder.folder, 'audit');
    const tables = openSyzygyTables(store, CACHE);
    const auditor = new Auditor({ tables, memory: flags.memory, scratch, pause: breathe });
    for (const [i, material] of materials.entries()) {
      if (!flags.json) note(`${material.name} [${i + 1}/${materials.length}]`);
      all.push(...(await verifyEnding(store, auditor, material)));
      auditor.keepFor(materials.slice(i + 1));
    }
  } finally {
    folder.release();
  }
  if (flags.json) await printJson({ uri, files: all });
  else await print(summary(uri, all));
  const bad = all.filter(({ wrong, problem }) => wrong !== null || problem !== null).length;
  if (bad === 0) return;
  complain(`${uri}: ${bad} of ${all.length} files are wrong or could not be verified`);
  endWith(ExitCode.no);
}

/** The folder of the files if it can be written to, else the temporary one. */
function scratchBeside(uri: string): string {
  const folder = scratchParent(uri, undefined);
  try {
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return tmpdir();
  }
}

/** Findings about both files of an ending: where one is wrong, the other is not verified. */
async function verifyEnding(store: Store, auditor: Auditor, material: Material): Promise<Verified[]> {
  const damaged = await damagedFiles(store, material);
  const found =
    damaged.length > 0 ? damaged : await auditor.audit(material).catch((error) => problemOf(material, error));
  return KINDS.map((kind) => {
    const name = fileName(material, kind);
    const own = found.find((one) => one.name === name);
    return { problem: null, ...(own ?? unverified(name, found[0])) };
  });
}

/** A file that was not verified because of the findings about the other one of its ending. */
function unverified(name: string, other: Omit<Verified, 'problem'> & Partial<Verified>): Verified {
  const why = other.problem ?? 'has wrong values';
  // What an ending needs of other files is no problem of this one.
  const subject = why.includes('.rtb') ? '' : `${other.name} `;
  return { name, positions: 0, wrong: null, problem: `was not verified: ${subject}${why}` };
}

/** The endings of files that are there, fewer men and pawns first, or those that are named. Throws UserError. */
async function materialsIn(store: Store, names: readonly string[]): Promise<Material[]> {
  const there = new Map<string, Material>();
  for (const name of await store.list('K')) {
    const [, ending] = /^([KQRBNPv]+)\.rtb[wz]$/.exec(name) ?? [];
    const material = ending === undefined ? null : materialNamed(ending);
    if (material !== null) there.set(material.name, material);
  }
  for (const name of names) {
    if (!there.has(name))
      throw new UserError(`${store.uri} has no files of ${name}: endings are named as files are, KQvKR`);
  }
  if (there.size === 0) throw new UserError(`${store.uri} has no Syzygy files`);
  const pawns = ({ leadingPawns, otherPawns }: Material) => leadingPawns.length + otherPawns.length;
  const asked = [...there.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  return asked.sort(
    (a, b) => a.men.length - b.men.length || pawns(a) - pawns(b) || (a.name < b.name ? -1 : 1),
  );
}

/** The files of an ending that are no whole files. */
async function damagedFiles(store: Store, material: Material): Promise<Verified[]> {
  const found: Verified[] = [];
  for (const kind of KINDS) {
    const name = fileName(material, kind);
    const checked = await checkFile(store, kind, material);
    const problem = checked === null ? 'is missing' : checked.isSound ? null : problemIn(checked.damage);
    if (problem !== null) found.push({ name, positions: 0, wrong: null, problem });
  }
  return found;
}

/** What is wrong with a file, without its name, which stands beside. */
const problemIn = ({ object, message }: DamageError): string => message.slice(object.length + 2);

function problemOf(material: Material, error: unknown): Verified[] {
  if (!(error instanceof MissingFileError || error instanceof DamageError)) throw error;
  return [{ name: fileName(material, 'wdl'), positions: 0, wrong: null, problem: errorText(error) }];
}

function summary(uri: string, files: readonly Verified[]): string {
  const rows = files.map(({ name, positions, wrong, problem }) => [
    name,
    whole(positions),
    problem ??
      (wrong === null ? 'right' : `${wrong.fen}: the file says ${wrong.says}, its moves ${wrong.derived}`),
  ]);
  return `${uri}\n\n${tableText({ columns: ['file', 'positions', ''], rows })}\n`;
}
