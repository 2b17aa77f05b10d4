/** Requests to a bucket, made again while a failure of them may pass. */
import { objectName } from './object-names.js';
import { newConnector, type S3Connection } from './s3-client.js';
import { s3Error } from './s3-errors.js';
import { retried } from './s3-retry.js';
import type { S3Place } from './s3-uri.js';

/** Makes one request; `attempt` is 1 the first time. */
export type S3Request<T> = (connection: S3Connection, attempt: number) => Promise<T>;

export interface S3Requests {
  readonly uri: string;
  readonly bucket: string;
  /** All keys of the store begin with it. */
  readonly prefix: string;
  /** The parameters that name the object in a request. */
  target(name: string): { readonly Bucket: string; readonly Key: string };
  /** The whole name of the object, for messages. */
  object(name: string): string;
  /** Makes a request about `name`, again while its failure may pass; what fails for good is a StorageError. */
  ask<T>(name: string, action: string, request: S3Request<T>): Promise<T>;
  /** As `ask`, with the SDK's errors. */
  attempt<T>(request: S3Request<T>): Promise<T>;
}

export function newS3Requests(place: S3Place): S3Requests {
  const { bucket, prefix } = place;
  const uri = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
  const connect = newConnector(place);
  const object = (name: string) => objectName({ uri }, name);

  async function attempt<T>(request: S3Request<T>): Promise<T> {
    const connection = await connect();
    return retried((number) => request(connection, number));
  }

  return {
    uri,
    bucket,
    prefix,
    target: (name) => ({ Bucket: bucket, Key: prefix + name }),
    object,
    async ask(name, action, request) {
      try {
        return await attempt(request);
      } catch (error) {
        throw s3Error(name === '' ? uri : object(name), action, error);
      }
    },
    attempt,
  };
}
