import { allOf } from '../core/all-of.js';
import { StorageError } from '../core/errors.js';
import type { Sink } from './store.js';

/** Bytes of a part of a multipart upload; S3 takes 10,000 of them, so that an object may have 78 GiB. */
const PART_BYTES = 8 << 20;
/** Parts in memory, and on their way at once. */
const CONCURRENT_PARTS = 2;
const MOST_PARTS = 10_000;
const FIRST_BYTES = 64 << 10;

/** The requests that make up an upload, each of them repeated until it is done. */
export interface UploadRequests {
  /** For messages. */
  readonly object: string;
  /** Uploads a whole small object. */
  put(bytes: Uint8Array): Promise<void>;
  /** Begins a multipart upload; returns its id. */
  begin(): Promise<string>;
  /** Uploads part `number`, from 1 on; returns its ETag. */
  part(upload: string, number: number, bytes: Uint8Array): Promise<string>;
  /** Completes the upload, which makes the object of `bytes` bytes visible. */
  complete(upload: string, etags: readonly string[], bytes: number): Promise<void>;
  /** Removes all parts; no error if there is no such upload. */
  abort(upload: string): Promise<void>;
}

/**
 * A sink that holds at most 16 MiB: bytes are copied into two parts. When both are full, they are uploaded side by side
 * while the writer waits. No request is in flight while the writer computes: a writer that computes for minutes would not answer the
 * events of the connection, and server and client would time out. An object of up to one part is put by a single request.
 */
export function uploadSink(requests: UploadRequests): Sink {
  const parts: Uint8Array[] = Array.from({ length: CONCURRENT_PARTS }, () => new Uint8Array(0));
  const etags: string[] = [];
  /** Bytes in `parts`, and in all that was uploaded before. */
  let filled = 0;
  let uploaded = 0;
  let upload: string | undefined;
  let ended = false;

  /** Copies from `bytes` into the part that is being filled; returns how many were copied. */
  function copy(bytes: Uint8Array): number {
    const k = Math.floor(filled / PART_BYTES);
    const at = filled % PART_BYTES;
    const count = Math.min(bytes.length, PART_BYTES - at);
    if (parts[k].length < at + count) {
      // Grown in steps, so that small objects cost little. A later part of an object is seldom a small one.
      const size = k > 0 ? PART_BYTES : Math.max(at + count, 2 * parts[k].length, FIRST_BYTES);
      const larger = new Uint8Array(Math.min(PART_BYTES, size));
      larger.set(parts[k].subarray(0, at));
      parts[k] = larger;
    }
    parts[k].set(bytes.subarray(0, count), at);
    filled += count;
    return count;
  }

  /** Uploads all that is in `parts`. */
  async function flush(): Promise<void> {
    const id = (upload ??= await requests.begin());
    const pieces = parts
      .map((part, k) => part.subarray(0, Math.max(0, Math.min(PART_BYTES, filled - k * PART_BYTES))))
      .filter((piece) => piece.length > 0);
    if (etags.length + pieces.length > MOST_PARTS) {
      throw new StorageError(requests.object, 'is longer than a multipart upload may be (78 GiB)');
    }
    const first = etags.length + 1;
    // Both are waited for even if one fails: an abort must not overtake a part.
    etags.push(...(await allOf(pieces.map((piece, k) => requests.part(id, first + k, piece)))));
    uploaded += filled;
    filled = 0;
  }

  async function abort(): Promise<void> {
    if (ended) return;
    ended = true;
    if (upload !== undefined) await requests.abort(upload);
  }

  return {
    async write(chunks) {
      for (const chunk of chunks) {
        for (let done = 0; done < chunk.length; ) {
          if (filled === CONCURRENT_PARTS * PART_BYTES) await flush();
          done += copy(chunk.subarray(done));
        }
      }
    },
    async close() {
      try {
        if (upload === undefined && filled <= PART_BYTES) await requests.put(parts[0].subarray(0, filled));
        else {
          if (filled > 0) await flush();
          await requests.complete(upload!, etags, uploaded);
        }
        ended = true;
      } catch (error) {
        // The first error is the one to report, not that of the clean-up.
        await abort().catch(() => {});
        throw error;
      }
    },
    abort,
  };
}
