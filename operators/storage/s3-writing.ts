/** Objects of a bucket: put by one request, or by the parts of an upload. */
import { crc32 } from 'node:zlib';
import { StorageError } from '../core/errors.js';
import { lookAgain } from './doubted-absence.js';
import { PassingFault } from './retry.js';
import { s3Code, s3Status } from './s3-errors.js';
import { CRC, type S3Reading } from './s3-reading.js';
import type { S3Requests } from './s3-requests.js';
import type { UploadRequests } from './s3-upload.js';

/** Puts an object by one request. */
async function putObject(requests: S3Requests, name: string, bytes: Uint8Array): Promise<void> {
  const Metadata = metadataOf(bytes);
  await requests.ask(name, 'write', ({ sdk, client }) =>
    client.send(new sdk.PutObjectCommand({ ...requests.target(name), Body: bytes, Metadata })),
  );
}

const metadataOf = (bytes: Uint8Array) => ({ [CRC]: crc32(bytes).toString(16) });

/**
 * Returns the store's `putIfAbsent`. It puts by `If-None-Match: *`, which servers carry out atomically. On a server without
 * it, the store looks first and then puts, so two writers may both succeed. That does no harm to manifests of
 * steps, which are published this way: both describe the same result, and each names runs that its writer has put. The
 * same holds for a server that ignores the condition and overwrites.
 */
export function newPutIfAbsent(
  requests: S3Requests,
  reading: S3Reading,
): (name: string, bytes: Uint8Array) => Promise<boolean> {
  /** The server has no conditional requests. */
  let unconditional = false;

  const putFirst = (name: string, bytes: Uint8Array) =>
    requests.ask(name, 'write', async ({ sdk, client }, number) => {
      const object = { ...requests.target(name), Body: bytes, Metadata: metadataOf(bytes) };
      try {
        await client.send(new sdk.PutObjectCommand({ ...object, IfNoneMatch: '*' }));
        return { won: true, number };
      } catch (error) {
        if (s3Status(error) === 412) return { won: false, number };
        if (s3Status(error) !== 501) throw error;
        unconditional = true;
        return { won: false, number };
      }
    });

  return async (name, bytes) => {
    if (!unconditional) {
      const { won, number } = await putFirst(name, bytes);
      if (!unconditional) {
        if (won || number === 1) return won;
        // The object may be ours: an earlier attempt can have succeeded and its answer been lost.
        return reading.hasBytes(name, bytes);
      }
    }
    if ((await reading.size(name)) !== null) return false;
    await putObject(requests, name, bytes);
    return true;
  };
}

/** The requests that write the object `name`. */
export function uploadOf(requests: S3Requests, reading: S3Reading, name: string): UploadRequests {
  const { ask } = requests;
  const upload = requests.target(name);
  return {
    object: requests.object(name),
    put: (bytes) => putObject(requests, name, bytes),
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
          // The answer to an earlier attempt may have been lost, and that attempt has done it.
          if (s3Code(error) !== 'NoSuchUpload' || number === 1) throw error;
        }
        const size = await lookAgain(() => reading.size(name));
        if (size === bytes) return;
        // A server that loses a part says nothing of it. Nobody names the object yet: the step that wrote it is done again.
        await client.send(new sdk.DeleteObjectCommand(requests.target(name)));
        throw new StorageError(
          requests.object(name),
          `the server lost a part of it: it has ${size ?? 'no'} bytes of the ${bytes} that were uploaded`,
        );
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
