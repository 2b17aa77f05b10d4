/**
 * The S3 server that tests run against: the real one of which MERGEMATE_TEST_S3 (see test/servers/ceph-up.sh) tells.
 */
const uri = process.env.MERGEMATE_TEST_S3;
let prefixes = 0;

/** Why there is no real server, or null. */
export const noServer =
  uri === undefined ? 'no S3 server: start one with test/servers/ceph-up.sh and set MERGEMATE_TEST_S3' : null;

/** The URI of a store of the real server that nobody else uses. */
export function newServerUri(): string {
  return (uri ?? 's3://none').replace(/(\?|$)/, `/test-${process.pid}-${Date.now()}-${prefixes++}$1`);
}
