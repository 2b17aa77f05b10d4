import { UserError } from '../core/errors.js';

/** Where a store in object storage is, and how to reach it; the SDK's usual chain decides undefined fields. */
export interface S3Place {
  readonly bucket: string;
  /** In front of every object's key: "" or ending in a slash. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly pathStyle: boolean;
}

const KEYS = ['endpoint', 'region', 'path-style'];
const FORM = 's3://bucket/prefix?endpoint=http://host:7480&region=us-east-1&path-style=true';

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&path-style=…`. All settings are in the URI, because the URI is what
 * threads and machines that share a store are started with. Credentials are never part of it. Path style is the default where an endpoint is given.
 * Throws UserError.
 */
export function parseS3Uri(uri: string): S3Place {
  const [, bucket, path, , query = ''] = /^s3:\/\/([^/?]*)([^?]*)(\?(.*))?$/is.exec(uri) ?? [];
  // The query is not repeated in messages: it may hold a password.
  const refuse = (what: string): never => {
    throw new UserError(`store ${uri.replace(/\?.*/s, '')}: ${what} (as in ${FORM})`);
  };
  if (!bucket) return refuse('the bucket is missing');
  if (!/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(bucket)) refuse(`"${bucket}" is not a valid bucket name`);
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.some((part) => part === '.' || part === '..')) refuse('the prefix has a part "." or ".."');

  const settings = new URLSearchParams(query);
  for (const key of settings.keys()) {
    if (!KEYS.includes(key)) refuse(`unknown setting ${JSON.stringify(key)} (known: ${KEYS.join(', ')})`);
    if (settings.getAll(key).length > 1) refuse(`the setting ${key} is given twice`);
    if (settings.get(key) === '') refuse(`the setting ${key} is empty`);
  }
  const endpoint = settings.get('endpoint') ?? undefined;
  if (endpoint !== undefined) {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : refuse('the endpoint must be a URL');
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      refuse('the endpoint must be an http or https URL');
    if (url.username !== '' || url.password !== '') {
      refuse('credentials must not be in the URI: they are taken from the environment or a profile');
    }
    if (url.search !== '' || url.hash !== '') refuse('the endpoint has a query or a fragment');
  }
  const style = settings.get('path-style');
  if (style !== null && style !== 'true' && style !== 'false') refuse('path-style must be true or false');
  return {
    bucket,
    prefix: parts.map((part) => `${part}/`).join(''),
    endpoint,
    region: settings.get('region') ?? undefined,
    pathStyle: style === null ? endpoint !== undefined : style === 'true',
  };
}
