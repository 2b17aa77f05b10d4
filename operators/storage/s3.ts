/**
 * A Store in object storage that speaks S3. Transient failures are normal there, so each request is repeated with
 * growing random waits (retry.ts). Bytes that arrive damaged are requested again (`distrust`).
 *
 * A process that is killed in the middle of a large object leaves the parts of a multipart upload. They are not an object, and no
 * listing shows them; a bucket's rule to abort incomplete uploads removes them.
 */
import { ABSENT, StorageError } from '../core/errors.js';
import { doubtingAbsence } from './doubted-absence.js';
import { tooShort } from './memory.js';
import { checkName } from './object-names.js';
import { newReadAhead } from './read-ahead.js';
import { pause } from './retry.js';
import { newS3Reading } from './s3-reading.js';
import { newS3Requests, waitMs } from './s3-requests.js';
import { unfinishedUploads } from './s3-unfinished.js';
import { uploadSink } from './s3-upload.js';
import type { S3Place } from './s3-uri.js';
import { newPutIfAbsent, uploadOf } from './s3-writing.js';
import type { Store } from './store.js';

/** How often an object whose bytes are wrong is read again. */
const REREADS = 4;

/** How a bucket is read and written. */
export interface S3StoreOptions {
  /** Memory for reading ahead; each object that is being written takes up to 16 MiB beside. */
  readonly readAheadBytes: number;
}

/** Opens the store; no request is made, and the SDK not loaded, before it is used. */
export function s3Store(place: S3Place, { readAheadBytes }: S3StoreOptions): Store {
  const requests = newS3Requests(place);
  const { uri, ask, target } = requests;
  const at = { uri };
  const reading = newS3Reading(requests, (name, size) => ahead.sized(name, size));
  const ahead = newReadAhead(readAheadBytes, reading.fetch);
  const putIfAbsent = newPutIfAbsent(requests, reading);

  return doubtingAbsence({
    uri,
    async read(name, offset, into) {
      checkName(at, name);
      const got = await ahead.read(name, offset, into);
      if (got === into.length) return;
      const total = await reading.size(name);
      if (total === null) throw new StorageError(requests.object(name), ABSENT);
      throw tooShort(requests.object(name), offset, into.length, total);
    },
    async size(name) {
      checkName(at, name);
      return reading.size(name);
    },
    async readWhole(name) {
      checkName(at, name);
      return reading.whole(name);
    },
    async state(name) {
      checkName(at, name);
      const found = await reading.head(name);
      if (found === null) return null;
      const { ContentLength, ETag, LastModified } = found;
      return { size: ContentLength!, version: `${ContentLength} ${ETag} ${LastModified?.getTime()}` };
    },
    async modified(name) {
      checkName(at, name);
      return (await reading.head(name))?.LastModified?.getTime() ?? null;
    },
    async clockAhead() {
      if ((await requests.clockAhead()) === null) await reading.anyName();
      return (await requests.clockAhead()) ?? 0;
    },
    unfinished: (below) =>
      unfinishedUploads({ ...place, uri }, below, (action, request) => ask(below, action, request)),
    async create(name) {
      checkName(at, name);
      const sink = uploadSink(uploadOf(requests, reading, name));
      return {
        ...sink,
        async close() {
          ahead.forget(name);
          await sink.close();
        },
      };
    },
    async putIfAbsent(name, bytes) {
      checkName(at, name);
      ahead.forget(name);
      return putIfAbsent(name, bytes);
    },
    async list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      if (folder !== '') checkName(at, folder.slice(0, -1));
      return reading.list(prefix);
    },
    async delete(name) {
      checkName(at, name);
      ahead.forget(name);
      await ask(name, 'delete', ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(target(name))));
    },
    async distrust(name, times) {
      if (times > REREADS) return false;
      ahead.forget(name);
      await pause(waitMs(times));
      return true;
    },
  });
}
