/**
 * The S3 server of tests: the real one that MERGEMATE_TEST_S3 names (test/servers/ceph-up.sh starts one and prints its
 * setting), else a minimal one in this process.
 */
import { parseS3Uri, type S3Place } from '../../operators/storage/s3-uri.js';
import { startMemoryS3 } from './memory-s3.js';

const real = process.env.MERGEMATE_TEST_S3;
// Any will do for the server in this process, and no library shall look for others.
process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
let stores = 0;

/** Why tests do not run against a real server, or null if they do. */
export const noServer = real === undefined ? 'no S3 server: see test/servers/ceph-up.sh' : null;

export interface S3Server {
  readonly endpoint: string;
  /** The URI of a store that nobody else uses; through `endpoint` if given. */
  newUri(endpoint?: string): string;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const { bucket, endpoint, close } = real === undefined ? await inProcess() : settings(parseS3Uri(real));
  return {
    endpoint,
    newUri: (through = endpoint) =>
      `s3://${bucket}/test-${process.pid}-${Date.now()}-${stores++}?endpoint=${through}&region=us-east-1`,
    close,
  };
}

function settings({ bucket, endpoint }: S3Place) {
  if (endpoint === undefined) throw new Error('MERGEMATE_TEST_S3 has no endpoint');
  return { bucket, endpoint, close: async () => {} };
}

async function inProcess() {
  const bucket = 'bucket';
  return { bucket, ...(await startMemoryS3({ bucket, conditional: true, page: 50 })) };
}
