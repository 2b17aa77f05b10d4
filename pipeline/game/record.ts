/**
 * Records: small objects of JSON. Each is sealed: it has its own name and a checksum of its content. So reading one
 * detects that it was changed, or that it lies in the place of another. Only this module reads and
 * writes them.
 */
import type { z } from 'zod';
import { toHex } from '../../operators/core/bytes-as-text.js';
import { DamageError, StorageError } from '../../operators/core/errors.js';
import { sha256 } from '../../operators/core/sha256.js';
import { objectName } from '../../operators/storage/object-names.js';
import { readAll, readSoundly, type Store } from '../../operators/storage/store.js';

/** A sound record is in the place of another: `writtenAs` is its own name in its store. */
export class MisplacedError extends DamageError {
  constructor(
    object: string,
    what: string,
    readonly writtenAs: string,
  ) {
    super(object, `is another ${what}: it was written as ${writtenAs}`);
  }
}

/** Fields that the seal adds to a record: its name in the store, and the digest of all but the digest. */
interface Seal {
  readonly object: string;
  readonly checksum: string;
}

/**
 * The canonical form of a JSON value: keys in the order of their code units, no spaces, nothing that is undefined. However a
 * record was printed, its canonical form is the same.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = value as Readonly<Record<string, unknown>>;
  let text = '';
  // A loop, for ranks read and write manifests all the time: to filter, sort and map entries takes twice as long.
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(field)}`;
  }
  return `{${text}}`;
}

/** SHA-256 of the canonical form, in hexadecimal. */
export function digestOf(value: object): string {
  return toHex(sha256(new TextEncoder().encode(canonical(value))));
}

/** The bytes of the record that is to be the object `name`. */
export function sealRecord(name: string, record: object): Uint8Array {
  const named = { ...record, object: name };
  const sealed: Seal = { ...named, checksum: digestOf(named) };
  return new TextEncoder().encode(`${JSON.stringify(sealed)}\n`);
}

/** Puts a record into a store. False: there was one of this name, and it is unchanged. */
export function putRecord(store: Store, name: string, record: object): Promise<boolean> {
  return store.putIfAbsent(name, sealRecord(name, record));
}

/** The shape of a record, with the versions that are read. */
export type RecordShape<T> = z.ZodType<T> & {
  readonly shape: { readonly version: { readonly values: ReadonlySet<unknown> } };
};

/**
 * Reads and checks a record; null if there is none. `what` it is, for messages.
 * @throws DamageError if it is not as it was written, or was written as another object; StorageError for a version that its shape lacks.
 */
export function readRecord<T>(
  store: Store,
  name: string,
  shape: RecordShape<T>,
  what: string,
): Promise<T | null> {
  return readSoundly(store, name, async () => {
    const bytes = await readAll(store, name);
    if (bytes === null) return null;
    const object = objectName(store, name);
    const json = openSeal(bytes, { name, object, what }, shape.shape.version.values);
    const result = shape.safeParse(json);
    if (result.success) return result.data;
    const first = result.error.issues[0];
    throw new DamageError(object, `damaged ${what}: ${first.path.join('..')}: ${first.message}`);
  });
}

/** The JSON of a record of any kind; null if there is none. Throws DamageError as {@link readRecord}. */
export function readSealed(store: Store, name: string): Promise<unknown> {
  return readSoundly(store, name, async () => {
    const bytes = await readAll(store, name);
    return bytes === null ? null : openSeal(bytes, { name, object: objectName(store, name), what: 'record' });
  });
}

/** The JSON in a sealed record, which is the object `name` of its store and called `object` in messages. */
function openSeal(
  bytes: Uint8Array,
  { name, object, what }: { name: string; object: string; what: string },
  versions?: ReadonlySet<unknown>,
): unknown {
  let json: unknown;
  let digest: string;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const { checksum: _, ...rest } = (json ?? {}) as Partial<Seal>;
    digest = digestOf(rest);
  } catch (error) {
    // Also a value that is nested so deeply that `digestOf` overflows the stack; no record is.
    const why = (error as Error).message.replace(/\s+/g, ' ');
    throw new DamageError(object, `damaged ${what}: ${why}`, { cause: error });
  }
  const { checksum, ...named } = (json ?? {}) as Partial<Seal> & { version?: unknown };
  if (versions !== undefined && !versions.has(named.version)) {
    const read = [...versions].join(', ').replace(/, (?=\d+$)/, ' and ');
    const found = `written in format ${String(named.version)}, this program reads format ${read}`;
    throw new StorageError(
      object,
      `${found}: make it again in another place, or use the program that wrote it`,
    );
  }
  if (checksum !== digest)
    throw new DamageError(object, `damaged ${what}: its checksum is ${digest}, recorded is ${checksum}`);
  if (named.object !== name) throw new MisplacedError(object, what, String(named.object));
  return json;
}
