/** The store in object storage against a real server, where there is one; without one, see s3-faults.test.ts. */
import { describe, expect, it } from 'vitest';
import { s3Store } from '../../operators/storage/s3.js';
import { parseS3Uri } from '../../operators/storage/s3-uri.js';
import { newServerUri, noServer } from '../support/s3-server.js';
import { storeContract } from '../support/store-contract.js';

const MiB = 1 << 20;
const open = () => s3Store(parseS3Uri(newServerUri()), { readAheadBytes: 32 * MiB });

describe.skipIf(noServer !== null)(
  `a store of a real S3 server${noServer === null ? '' : ` (${noServer})`}`,
  () => {
    storeContract(open);
    },
);
