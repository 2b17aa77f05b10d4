/** Objects of a bucket: looked up, read and listed. */
import { crc32 } from 'node:zlib';
import type { GetObjectCommandOutput, HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { lookAgain } from './doubted-absence.js';
import { PassingFault } from './retry.js';
import { isAbsent, s3Error, s3Status } from './s3-errors.js';
import { pageOf, readPages } from './s3-pages.js';
import type { S3Requests } from './s3-requests.js';

/**
 * Metadata of objects put by one request: the CRC-32 of their bytes, checked when they are read by one. Manifests,
 * which have no checksum of their own, are read so. (Uploads need none: S3's signatures cover their bytes.)
 */
export const CRC = 'mergemate-crc32';

export interface S3Reading {
  /** Null: there is no such object. */
  head(name: string): Promise<HeadObjectCommandOutput | null>;
  /** Bytes of the object; null: there is no such object. */
  size(name: string): Promise<number | null>;
  /** All bytes of the object, by one request; null: there is no such object. */
  whole(name: string): Promise<Uint8Array | null>;
  /** Fetches bytes from `offset` on into `into`, as far as the object goes; returns how many there were. */
  fetch(name: string, offset: number, into: Uint8Array): Promise<number>;
  /** Whether the object, which must be there, has these bytes and no others. */
  hasBytes(name: string, bytes: Uint8Array): Promise<boolean>;
  /** The names that begin with `prefix`, ascending. */
  list(prefix: string): Promise<string[]>;
  /** Makes the smallest request about the store as a whole. */
  anyName(): Promise<void>;
}

/** @param sized takes the size of each object that is looked up. */
export function newS3Reading(requests: S3Requests, sized: (name: string, size: number) => void): S3Reading {
  const { ask, target } = requests;
  let bucketIsThere = false;

  /** Asks by a listing what is wrong, because an answer to HEAD has no body that says it. */
  async function explain(name: string): Promise<void> {
    const Prefix = requests.prefix + name;
    await ask(name, 'look up', ({ sdk, client }) =>
      client.send(new sdk.ListObjectsV2Command({ Bucket: requests.bucket, Prefix, MaxKeys: 1 })),
    );
    bucketIsThere = true;
  }

  async function head(name: string): Promise<HeadObjectCommandOutput | null> {
    try {
      const answer = await requests.attempt(({ sdk, client }) =>
        client.send(new sdk.HeadObjectCommand(target(name))),
      );
      sized(name, answer.ContentLength!);
      return answer;
    } catch (error) {
      if (!isAbsent(error)) {
        const status = s3Status(error);
        if (status !== undefined && status < 500) await explain(name);
        throw s3Error(requests.object(name), 'look up', error);
      }
      // No object, or no bucket: the answers are the same.
      if (!bucketIsThere) await explain(name);
      return null;
    }
  }

  function fetch(name: string, offset: number, into: Uint8Array): Promise<number> {
    const Range = `bytes=${offset}-${offset + into.length - 1}`;
    return ask(name, 'read', async ({ sdk, client }) => {
      try {
        const answer = await client.send(new sdk.GetObjectCommand({ ...target(name), Range }));
        return await received(answer, Range, offset, into);
      } catch (error) {
        if (s3Status(error) !== 416) throw error;
        return 0; // it begins behind the end
      }
    });
  }

  async function whole(name: string): Promise<Uint8Array | null> {
    // The answer to a request for a range has the size of the object, whatever arrives of it.
    const Range = 'bytes=0-';
    try {
      return await requests.attempt(async ({ sdk, client }) => {
        try {
          const answer = await client.send(new sdk.GetObjectCommand({ ...target(name), Range }));
          const found = new Uint8Array(totalOf(answer, Range, 0));
          await receive(answer, found);
          return found;
        } catch (error) {
          if (s3Status(error) !== 416) throw error;
          return new Uint8Array(0); // it is empty
        }
      });
    } catch (error) {
      if (!isAbsent(error)) throw s3Error(requests.object(name), 'read', error);
      return null;
    }
  }

  return {
    head,
    whole,
    size: async (name) => (await head(name))?.ContentLength ?? null,
    fetch,
    async hasBytes(name, bytes) {
      const found = await lookAgain(() => whole(name));
      return found !== null && Buffer.compare(found, bytes) === 0;
    },
    list: (prefix) => listed(requests, prefix),
    anyName: () => explain(''),
  };
}

/** Copies the body of the answer to a request for `range` into `into`; what is not as asked for is a PassingFault. */
async function received(
  answer: GetObjectCommandOutput,
  range: string,
  offset: number,
  into: Uint8Array,
): Promise<number> {
  const total = totalOf(answer, range, offset);
  const wanted = into.subarray(0, Math.min(into.length, total - offset));
  await receive(answer, wanted, wanted.length === total);
  return wanted.length;
}

/** The size of the object whose bytes from `offset` on are answered. */
function totalOf(answer: GetObjectCommandOutput, range: string, offset: number): number {
  const place = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.ContentRange ?? '');
  if (place !== null && Number(place[1]) === offset) return Number(place[2]);
  (answer.Body as { destroy?(): void }).destroy?.();
  throw new PassingFault(`the server answered with ${answer.ContentRange ?? 'all'}, not ${range}`);
}

/** Copies the body of an answer into `into`, which it must fill. `isWhole`: it is a whole object, whose CRC-32 is checked. */
async function receive(answer: GetObjectCommandOutput, into: Uint8Array, isWhole = true): Promise<void> {
  let got = 0;
  for await (const bytes of answer.Body as AsyncIterable<Uint8Array>) {
    if (got + bytes.length > into.length) throw new PassingFault(`more than ${into.length} bytes arrived`);
    into.set(bytes, got);
    got += bytes.length;
  }
  if (got < into.length) throw new PassingFault(`only ${got} of ${into.length} bytes arrived`);
  const crc = answer.Metadata?.[CRC];
  if (isWhole && crc !== undefined && crc !== crc32(into).toString(16))
    throw new PassingFault('what arrived has another CRC-32 than what was written');
}

async function listed({ ask, bucket, prefix, uri }: S3Requests, prefixOfNames: string): Promise<string[]> {
  const names = new Set<string>();
  const at = `${uri}/${prefixOfNames}`;
  await readPages<string>(at, async (ContinuationToken) => {
    const asked = { Bucket: bucket, Prefix: prefix + prefixOfNames, ContinuationToken };
    const answer = await ask(prefixOfNames, 'list', ({ sdk, client }) =>
      client.send(new sdk.ListObjectsV2Command(asked)),
    );
    const before = names.size;
    for (const { Key } of answer.Contents ?? []) names.add(Key!.slice(prefix.length));
    return pageOf(
      answer.IsTruncated,
      answer.NextContinuationToken,
      answer.Contents?.length ?? 0,
      names.size - before,
    );
  });
  return [...names].sort();
}
