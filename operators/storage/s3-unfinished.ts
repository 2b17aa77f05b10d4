/** Multipart uploads that were begun and neither completed nor given up: their parts take space that is paid for. */
import type { S3Connection } from './s3-client.js';
import { s3Code } from './s3-errors.js';
import { pageOf, readPages } from './s3-pages.js';
import type { Unfinished } from './store.js';

type Ask = <T>(action: string, request: (connection: S3Connection) => Promise<T>) => Promise<T>;

/**
 * The uploads of the store at `place` to names that start with `below`.
 * @param ask makes a request, again while its failure may pass; what fails for good is a StorageError.
 */
export async function unfinishedUploads(
  place: { readonly uri: string; readonly bucket: string; readonly prefix: string },
  below: string,
  ask: Ask,
): Promise<Unfinished[]> {
  const uploads = new Map<string, { readonly upload: Upload; readonly initiated: number }>();
  await readPages<{ KeyMarker: string; UploadIdMarker: string | undefined }>(
    `${place.uri}/${below}`,
    async (from) => {
      const asked = { Bucket: place.bucket, Prefix: place.prefix + below, ...from };
      const answer = await ask('list the uploads', ({ sdk, client }) =>
        client.send(new sdk.ListMultipartUploadsCommand(asked)),
      );
      const before = uploads.size;
      for (const { Key, UploadId, Initiated } of answer.Uploads ?? []) {
        const upload = { Bucket: place.bucket, Key: Key!, UploadId: UploadId! };
        uploads.set(UploadId!, { upload, initiated: Initiated?.getTime() ?? 0 });
      }
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = answer;
      const next = KeyMarker === undefined ? undefined : { KeyMarker, UploadIdMarker };
      return pageOf(answer.IsTruncated, next, answer.Uploads?.length ?? 0, uploads.size - before);
    },
  );
  const found: Unfinished[] = [];
  for (const { upload, initiated } of uploads.values()) {
    const parts = await partsOf(upload, ask);
    if (parts === null) continue;
    found.push({
      name: upload.Key.slice(place.prefix.length),
      bytes: parts.bytes,
      at: Math.max(initiated, parts.at),
      writer: null,
      remove: () => giveUp(upload, ask),
    });
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
  const parts = new Map<number, { readonly bytes: number; readonly at: number }>();
  let isGone = false;
  await readPages<string>(upload.Key, async (PartNumberMarker) => {
    const answer = await ask('look up an upload', async ({ sdk, client }) => {
      try {
        return await client.send(new sdk.ListPartsCommand({ ...upload, PartNumberMarker }));
      } catch (error) {
        if (s3Code(error) !== 'NoSuchUpload') throw error;
        return null;
      }
    });
    isGone = answer === null;
    const before = parts.size;
    for (const { PartNumber, Size, LastModified } of answer?.Parts ?? [])
      parts.set(PartNumber ?? before, { bytes: Size ?? 0, at: LastModified?.getTime() ?? 0 });
    return pageOf(
      answer?.IsTruncated,
      answer?.NextPartNumberMarker,
      answer?.Parts?.length ?? 0,
      parts.size - before,
    );
  });
  if (isGone) return null;
  const all = [...parts.values()];
  return {
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    at: all.reduce((latest, { at }) => Math.max(latest, at), 0),
  };
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
