import { expect, test } from 'vitest';
import { splitStoreUri, storeUriOf } from '../../jobs/store-uri.js';

const NAME = 'chess/dtm/KRK/step-1';
const AT = /[a-z]+\/(wdl|dtm|dtc)\//;

test.each([
  ['tables', 'tables/chess/dtm/KRK/step-1'],
  ['./tables', './tables/chess/dtm/KRK/step-1'],
  ['/', '/chess/dtm/KRK/step-1'],
  ['/data/what?/tables', '/data/what?/tables/chess/dtm/KRK/step-1'],
  ['/data/chess/dtm/tables', '/data/chess/dtm/tables/chess/dtm/KRK/step-1'],
  ['file:tables', 'file:tables/chess/dtm/KRK/step-1'],
  ['file:///data/tables', 'file:///data/tables/chess/dtm/KRK/step-1'],
  ['s3://bucket', 's3://bucket/chess/dtm/KRK/step-1'],
  ['s3://bucket/a/b', 's3://bucket/a/b/chess/dtm/KRK/step-1'],
  ['s3://bucket?region=here', 's3://bucket/chess/dtm/KRK/step-1?region=here'],
  [
    's3://bucket/a?endpoint=http://host:7480/x/dtm/y',
    's3://bucket/a/chess/dtm/KRK/step-1?endpoint=http://host:7480/x/dtm/y',
  ],
])('an object of %s and back', (store, uri) => {
  expect(storeUriOf(store, NAME)).toBe(uri);
  expect(splitStoreUri(uri, AT)).toEqual({ store, name: NAME });
});

test('slashes at the end of a store do not count', () => {
  expect(storeUriOf('tables//', 'x')).toBe('tables/x');
  expect(storeUriOf('s3://bucket/a/?region=here', 'x')).toBe('s3://bucket/a/x?region=here');
  expect(storeUriOf('s3://bucket/', 'x')).toBe('s3://bucket/x');
});

test('a relative name alone lies in this folder', () => {
  expect(splitStoreUri('chess/dtm/KRK', AT)).toEqual({ store: '.', name: 'chess/dtm/KRK' });
});

test.each(['tables/KRK', 's3://dtm/x/y', 's3://bucket/a?endpoint=http://h/x/dtm/y', ''])(
  'there is no object in %j',
  (uri) => expect(splitStoreUri(uri, AT)).toBeNull(),
);

test('the name begins where a part of the path begins', () => {
  expect(splitStoreUri('tables/chess/dtm/KRK', /s\/dtm/)).toBeNull();
});
