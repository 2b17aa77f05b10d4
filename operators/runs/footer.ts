/**
 * A run's description of itself, in the custom metadata of the schema in its Arrow footer: strings, arrays as base64 of
 * little-endian values. It includes the run's name, so that a whole run in the place of another is refused. Before the footer
 * stands a seal of 8 bytes, "MMR1" and the CRC-32 of all that follows the last record batch. A flatbuffer with a flipped bit
 * must not even be decoded. Arrow readers find the footer from the end of the file and skip the seal.
 */
import { fromBase64, toBase64 } from '../core/bytes-as-text.js';
import { hex } from '../core/checksum.js';
import type { Key, RunSpec } from './schema.js';
import type { Segments } from './segments.js';

const VERSION = '3';
export const SEAL_BYTES = 8;
const SEAL = Uint8Array.of(0x4d, 0x4d, 0x52, 0x31);

/** The footer's facts, beside the columns (they are the Arrow schema's). */
export interface RunFacts {
  readonly spec: Omit<RunSpec, 'columns'>;
  /** The object that it was written as, in its store. */
  readonly name: string;
  /** The byte of that object at which it begins: 0 but in a bundle. */
  readonly begins: number;
  /** The minors are packed. */
  readonly compact: boolean;
  readonly rows: number;
  /** Rows of every record batch but the last. */
  readonly batchRows: number;
  readonly least: Key | null;
  readonly greatest: Key | null;
  readonly segments: Segments;
  /** CRC-32 of the bytes of each record batch: its metadata, columns and padding. */
  readonly batchCrcs: Uint32Array;
  /** Digest of the content, whatever the size of the batches. */
  readonly crc: string;
}

/** Puts the facts into a schema's metadata. */
export function describe(metadata: Map<string, string>, facts: RunFacts): void {
  const { spec } = facts;
  const put = (name: string, value: string) => metadata.set(name, value);
  put('run.version', VERSION);
  put('run.name', facts.name);
  if (facts.begins > 0) put('run.begins', String(facts.begins));
  put('run.packed', String(facts.compact));
  put('run.kind', spec.kind);
  put('run.dense', String(spec.dense));
  put('run.strict', String(spec.strict));
  put('run.rows', String(facts.rows));
  put('run.batch-rows', String(facts.batchRows));
  if (facts.least !== null) put('run.least', keyText(facts.least));
  if (facts.greatest !== null) put('run.greatest', keyText(facts.greatest));
  put('run.majors', base64(facts.segments.majors));
  put('run.starts', base64(facts.segments.starts));
  put('run.batch-crcs', base64(facts.batchCrcs));
  put('run.crc', facts.crc);
  for (const [name, value] of Object.entries(spec.meta)) put(`meta.${name}`, value);
}

/** The facts in a schema's metadata, or a string that says why this program cannot read them. */
export function parseFacts(metadata: ReadonlyMap<string, string>): RunFacts | string {
  const version = metadata.get('run.version');
  if (version === undefined) return 'is an Arrow file, but no run: its schema has no run.version';
  if (version !== VERSION) {
    return `is a run of format version ${version}; this program reads version ${VERSION}`;
  }
  const text = (name: string) => metadata.get(`run.${name}`) ?? '';
  const meta: Record<string, string> = {};
  for (const [name, value] of metadata) if (name.startsWith('meta.')) meta[name.slice(5)] = value;
  return {
    spec: { kind: text('kind'), dense: text('dense') === 'true', strict: text('strict') === 'true', meta },
    name: text('name'),
    begins: Number(text('begins')),
    compact: text('packed') === 'true',
    rows: Number(text('rows')),
    batchRows: Number(text('batch-rows')),
    least: parseKey(text('least')),
    greatest: parseKey(text('greatest')),
    segments: {
      majors: new Uint32Array(fromBase64(text('majors')).buffer),
      starts: new Float64Array(fromBase64(text('starts')).buffer),
    },
    batchCrcs: new Uint32Array(fromBase64(text('batch-crcs')).buffer),
    crc: text('crc'),
  };
}

/** The seal with this CRC-32. */
export function sealBytes(crc: number): Uint8Array {
  const bytes = new Uint8Array(SEAL_BYTES);
  bytes.set(SEAL);
  new DataView(bytes.buffer).setUint32(4, crc, true);
  return bytes;
}

/** What is wrong with a seal whose bytes have this CRC-32, or null. */
export function sealFault(seal: Uint8Array, crc: number): string | null {
  for (let i = 0; i < SEAL.length; i++) {
    if (seal[i] !== SEAL[i]) return 'there is no run seal before the footer: no run, or damaged';
  }
  const sealed = new DataView(seal.buffer, seal.byteOffset).getUint32(4, true);
  return sealed === crc
    ? null
    : `the footer is damaged: its CRC-32 is ${hex(crc)}, its seal says ${hex(sealed)}`;
}

function keyText(key: Key): string {
  return `${key.major} ${key.minor}`;
}

function parseKey(text: string): Key | null {
  if (text === '') return null;
  const [major, minor] = text.split(' ').map(Number);
  return { major, minor };
}

function base64(values: Uint32Array | Float64Array): string {
  return toBase64(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}
