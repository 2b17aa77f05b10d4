/** Multipart uploads that were begun and neither completed nor given up: their parts take space that is paid for. */
import type { S3Connection } from './s3-client.js';
import { s3Code } from './s3-errors.js';
import type { Unfinished } from './store.js';

type Ask = <T>(action: string, request: (connection: S3Connection) => Promise<T>) => Promise<T>;

/**
 * The uploads of the store at `place` to names that start with `below`.
 * @param ask makes a request, again while its failure may pass; what fails for good is a StorageError.
 */
export async function unfinishedUploads(
  place: { readonly bucket: string; readonly prefix: string },
  below: string,
  ask: Ask,
): Promise<Unfinished[]> {
  const found: Unfinished[] = [];
  let KeyMarker: string | undefined;
  let UploadIdMarker: string | undefined;
  for (let more = true; more; ) {
    const asked = { Bucket: place.bucket, Prefix: place.prefix + below, KeyMarker, UploadIdMarker };
    const answer = await ask('list the uploads', ({ sdk, client }) =>
      client.send(new sdk.ListMultipartUploadsCommand(asked)),
    );
    for (const { Key, UploadId, Initiated } of answer.Uploads ?? []) {
      const upload = { Bucket: place.bucket, Key: Key!, UploadId: UploadId! };
      const parts = await partsOf(upload, ask);
      if (parts === null) continue;
      found.push({
        name: Key!.slice(place.prefix.length),
        bytes: parts.bytes,
        at: Math.max(Initiated?.getTime() ?? 0, parts.at),
        pid: null,
        remove: () => giveUp(upload, ask),
      });
    }
    KeyMarker = answer.NextKeyMarker;
    UploadIdMarker = answer.NextUploadIdMarker;
    more = answer.IsTruncated === true && KeyMarker !== undefined;
  }
  return found;
}

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

/** Bytes of the upload so far, and when the last part came; null if it has ended meanwhile. */
async function partsOf(upload: Upload, ask: Ask): Promise<{ bytes: number; at: number } | null> {
  const sum = { bytes: 0, at: 0 };
  let PartNumberMarker: string | undefined;
  for (let more = true; more; ) {
    const asked = { ...upload, PartNumberMarker };
    const answer = await ask('look up an upload', async ({ sdk, client }) => {
      try {
        return await client.send(new sdk.ListPartsCommand(asked));
      } catch (error) {
        if (s3Code(error) !== 'NoSuchUpload') throw error;
        return null;
      }
    });
    if (answer === null) return null;
    for (const { Size, LastModified } of answer.Parts ?? []) {
      sum.bytes += Size ?? 0;
      sum.at = Math.max(sum.at, LastModified?.getTime() ?? 0);
    }
    PartNumberMarker = answer.NextPartNumberMarker;
    more = answer.IsTruncated === true && PartNumberMarker !== undefined;
  }
  return sum;
}

async function giveUp(upload: Upload, ask: Ask): Promise<void> {
  await ask('give up an upload', async ({ sdk, client }) => {
    try {
      await client.send(new sdk.AbortMultipartUploadCommand(upload));
    } catch (error) {
      if (s3Code(error) !== 'NoSuchUpload') throw error;
    }
  });
}
