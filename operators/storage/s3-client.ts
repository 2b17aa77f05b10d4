import type * as Sdk from '@aws-sdk/client-s3';
import type { S3Place } from './s3-uri.js';

/** Milliseconds until an attempt to connect is repeated. */
const CONNECT_MS = 2000;
/** Milliseconds without traffic after which a socket is closed. */
const IDLE_MS = 30_000;
const CONNECTIONS = 16;

export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/**
 * Returns a function that gives the client for `place`. The SDK is loaded when it is first called. It takes tens of MB of
 * memory, which solves on local disks need not spend. Credentials come from the SDK's chain: environment, profile, roles.
 */
export function newConnector(place: S3Place): () => Promise<S3Connection> {
  let connection: Promise<S3Connection> | undefined;

  async function connect(): Promise<S3Connection> {
    const sdk = await import('@aws-sdk/client-s3');
    const { endpoint, region, pathStyle } = place;
    const client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      forcePathStyle: pathStyle,
      // Servers that are not AWS's do not all know the newer checksums. Runs have their own, of every batch.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // retry.ts repeats requests, bodies included.
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: IDLE_MS,
        httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      },
      // Keeps the SDK's notices about its own future off stderr, which is for the user.
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    return { sdk, client };
  }

  return () => (connection ??= connect());
}
