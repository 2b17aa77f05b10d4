/**
 * A Store in object storage that speaks S3. Requests fail in passing all the time there, so each is repeated with
 * growing random waits (s3-retry.ts). Bytes that arrive damaged are asked for again (`distrust`).
 *
 * A process that is killed in the middle of a large object leaves the parts of a multipart upload. They are no object, and no
 * listing shows them; a bucket's rule to abort incomplete uploads removes them.
 */
import { crc32 } from 'node:zlib';
import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { ABSENT, StorageError } from '../core/errors.js';
import { tooShort } from './memory.js';
import { checkName, objectName } from './names.js';
import { newReadAhead } from './read-ahead.js';
import { newConnector, type S3Connection } from './s3-client.js';
import { isAbsent, s3Code, s3Error, s3Status } from './s3-errors.js';
import { backOff, PassingFault, retried } from './s3-retry.js';
import { unfinishedUploads } from './s3-unfinished.js';
import { type UploadRequests, uploadSink } from './s3-upload.js';
import type { S3Place } from './s3-uri.js';
import type { Store } from './store.js';

/** How often an object whose bytes are wrong is read again. */
const REREADS = 4;
/** Names of objects that were seen: an answer that one of these is not there is doubted. */
const REMEMBERED = 4096;
/**
 * Metadata of objects put by one request: the CRC-32 of their bytes, checked when they are read by one. Manifests,
 * which have no checksum of their own, are read so. (On the way there, S3's signatures vouch for the bytes.)
 */
const CRC = 'mergemate-crc32';

/** How a bucket is read and written. */
export interface S3StoreOptions {
  /** Memory for reading ahead; each object that is being written takes up to 16 MiB beside. */
  readonly readAheadBytes: number;
}

/** Opens the store; no request is made, and the SDK not loaded, before it is used. */
export function s3Store(place: S3Place, { readAheadBytes }: S3StoreOptions): Store {
  const { bucket, prefix } = place;
  const uri = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  const at = { uri };
  const connect = newConnector(place);
  const ahead = newReadAhead(readAheadBytes, fetch);
  const seen = new Set<string>();
  let bucketIsThere = false;
  /** The server has no conditional requests. */
  let unconditional = false;

  const target = (name: string) => ({ Bucket: bucket, Key: prefix + name });

  function remember(name: string): void {
    seen.delete(name);
    seen.add(name);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
  }

  /** Makes a request about `name`, again while its failure may pass; what fails for good is a StorageError. */
  async function ask<T>(
    name: string,
    action: string,
    request: (connection: S3Connection, attempt: number) => Promise<T>,
  ): Promise<T> {
    try {
      return await attempt(name, request);
    } catch (error) {
      throw s3Error(name === '' ? uri : objectName(at, name), action, error);
    }
  }

  /** As `ask`, with the SDK's errors. */
  async function attempt<T>(
    name: string,
    request: (connection: S3Connection, attempt: number) => Promise<T>,
  ): Promise<T> {
    const connection = await connect();
    return retried(
      (number) => request(connection, number),
      (error) => isAbsent(error) && seen.has(name),
    );
  }

  /** Answers to HEAD have no body that says what is wrong; those to a listing have. */
  async function explain(name: string): Promise<void> {
    await ask(name, 'look up', ({ sdk, client }) =>
      client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + name, MaxKeys: 1 })),
    );
    bucketIsThere = true;
  }

  async function size(name: string): Promise<number | null> {
    return (await head(name))?.ContentLength ?? null;
  }

  /** Null: there is no such object. */
  async function head(name: string): Promise<HeadObjectCommandOutput | null> {
    try {
      const answer = await attempt(name, ({ sdk, client }) =>
        client.send(new sdk.HeadObjectCommand(target(name))),
      );
      remember(name);
      ahead.sized(name, answer.ContentLength!);
      return answer;
    } catch (error) {
      if (!isAbsent(error)) {
        const status = s3Status(error);
        if (status !== undefined && status < 500) await explain(name);
        throw s3Error(objectName(at, name), 'look up', error);
      }
      // No object, or no bucket: the answers are the same.
      if (!bucketIsThere) await explain(name);
      seen.delete(name);
      return null;
    }
  }

  function fetch(name: string, offset: number, into: Uint8Array): Promise<number> {
    const range = `bytes=${offset}-${offset + into.length - 1}`;
    return ask(name, 'read', async ({ sdk, client }) => {
      try {
        const answer = await client.send(new sdk.GetObjectCommand({ ...target(name), Range: range }));
        const place = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.ContentRange ?? '');
        const body = answer.Body as AsyncIterable<Uint8Array>;
        if (place === null || Number(place[1]) !== offset) {
          (answer.Body as { destroy?(): void }).destroy?.();
          throw new PassingFault(`the server answered with ${answer.ContentRange ?? 'all'}, not ${range}`);
        }
        const total = Number(place[2]);
        const wanted = Math.min(into.length, total - offset);
        let got = 0;
        for await (const chunk of body) {
          if (got + chunk.length > wanted) throw new PassingFault(`more than ${wanted} bytes arrived`);
          into.set(chunk, got);
          got += chunk.length;
        }
        if (got < wanted) throw new PassingFault(`only ${got} of ${wanted} bytes arrived`);
        const crc = answer.Metadata?.[CRC];
        if (got === total && crc !== undefined && crc !== crc32(into.subarray(0, got)).toString(16)) {
          throw new PassingFault('what arrived has another CRC-32 than what was written');
        }
        return got;
      } catch (error) {
        if (s3Status(error) !== 416) throw error;
        return 0; // it begins behind the end
      }
    });
  }

  async function hasBytes(name: string, bytes: Uint8Array): Promise<boolean> {
    const found = new Uint8Array(bytes.length + 1);
    const got = await fetch(name, 0, found);
    return Buffer.compare(found.subarray(0, got), bytes) === 0;
  }

  const put = (name: string, bytes: Uint8Array, condition: { IfNoneMatch?: string } = {}) =>
    ask(name, 'write', async ({ sdk, client }, number) => {
      try {
        const Metadata = { [CRC]: crc32(bytes).toString(16) };
        await client.send(new sdk.PutObjectCommand({ ...target(name), Body: bytes, Metadata, ...condition }));
        return { won: true, number };
      } catch (error) {
        if (condition.IfNoneMatch === undefined) throw error;
        if (s3Status(error) === 412) return { won: false, number };
        if (s3Status(error) !== 501) throw error;
        unconditional = true;
        return { won: false, number };
      }
    });

  function uploadOf(name: string): UploadRequests {
    const upload = target(name);
    return {
      object: objectName(at, name),
      put: async (bytes) => {
        await put(name, bytes);
      },
      begin: () =>
        ask(name, 'begin to write', async ({ sdk, client }) => {
          const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(upload));
          if (UploadId === undefined) throw new PassingFault('the server gave no upload id');
          return UploadId;
        }),
      part: (UploadId, PartNumber, Body) =>
        ask(name, 'write', async ({ sdk, client }) => {
          const part = { ...upload, UploadId, PartNumber, Body };
          const { ETag } = await client.send(new sdk.UploadPartCommand(part));
          if (ETag === undefined) throw new PassingFault('the server gave no ETag');
          return ETag;
        }),
      complete: (UploadId, etags, bytes) =>
        ask(name, 'publish', async ({ sdk, client }, number) => {
          const Parts = etags.map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
          const complete = { ...upload, UploadId, MultipartUpload: { Parts } };
          try {
            await client.send(new sdk.CompleteMultipartUploadCommand(complete));
          } catch (error) {
            // The answer to an earlier attempt was lost, and that attempt has done it.
            if (s3Code(error) !== 'NoSuchUpload' || number === 1 || (await size(name)) !== bytes) throw error;
          }
        }),
      abort: (UploadId) =>
        ask(name, 'give up', async ({ sdk, client }) => {
          try {
            await client.send(new sdk.AbortMultipartUploadCommand({ ...upload, UploadId }));
          } catch (error) {
            if (s3Code(error) !== 'NoSuchUpload') throw error;
          }
        }),
    };
  }

  return {
    uri,
    async read(name, offset, into) {
      checkName(at, name);
      const got = await ahead.read(name, offset, into);
      if (got === into.length) return;
      const total = await size(name);
      if (total === null) throw new StorageError(objectName(at, name), ABSENT);
      throw tooShort(objectName(at, name), offset, into.length, total);
    },
    async size(name) {
      checkName(at, name);
      return size(name);
    },
    async modified(name) {
      checkName(at, name);
      return (await head(name))?.LastModified?.getTime() ?? null;
    },
    unfinished: (below) =>
      unfinishedUploads({ bucket, prefix }, below, (action, request) => ask(below, action, request)),
    async create(name) {
      checkName(at, name);
      const sink = uploadSink(uploadOf(name));
      return {
        ...sink,
        async close() {
          ahead.forget(name);
          await sink.close();
          remember(name);
        },
      };
    },
    /**
     * By `If-None-Match: *`, which servers carry out atomically. On a server without it, the store looks and then puts, and
     * two writers may both believe to be the first. That does no harm to manifests of steps, which are published this way:
     * both say the same in other words, and each names runs of its own that are there. The same holds for a server that
     * ignores the condition and overwrites.
     */
    async putIfAbsent(name, bytes) {
      checkName(at, name);
      ahead.forget(name);
      if (!unconditional) {
        const { won, number } = await put(name, bytes, { IfNoneMatch: '*' });
        if (!unconditional) {
          remember(name);
          if (won || number === 1) return won;
          // The answer to an earlier attempt may have been lost: then it was us.
          return hasBytes(name, bytes);
        }
      }
      if ((await size(name)) !== null) return false;
      await put(name, bytes);
      remember(name);
      return true;
    },
    async list(prefixOfNames) {
      const folder = prefixOfNames.slice(0, prefixOfNames.lastIndexOf('/') + 1);
      if (folder !== '') checkName(at, folder.slice(0, -1));
      const names: string[] = [];
      for (let next: string | undefined, more = true; more; ) {
        const answer = await ask(prefixOfNames, 'list', ({ sdk, client }) =>
          client.send(
            new sdk.ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix + prefixOfNames,
              ContinuationToken: next,
            }),
          ),
        );
        for (const { Key } of answer.Contents ?? []) names.push(Key!.slice(prefix.length));
        next = answer.NextContinuationToken;
        more = answer.IsTruncated === true && next !== undefined;
      }
      return names.sort();
    },
    async delete(name) {
      checkName(at, name);
      ahead.forget(name);
      seen.delete(name);
      await ask(name, 'delete', ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(target(name))));
    },
    async distrust(name, times) {
      if (times > REREADS) return false;
      ahead.forget(name);
      await backOff(times);
      return true;
    },
  };
}
