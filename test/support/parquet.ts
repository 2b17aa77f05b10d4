/** What hyparquet needs for Parquet that is compressed by gzip. */
import { gunzipSync } from 'node:zlib';

export const compressors = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) };
