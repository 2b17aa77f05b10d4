/**
 * Faults on the way to object storage change nothing of the bytes read and written. A proxy in front of the server (a real one
 * if there is one) loses, cuts and falsifies requests and answers. The tables are the same.
 */
import { afterAll, expect, test } from 'vitest';
import { s3Store } from '../../../operators/storage/s3.js';
import { parseS3Uri } from '../../../operators/storage/s3-uri.js';
import { readAll } from '../../../operators/storage/store.js';
import { faults, type ProxyFault, startFaultyProxy } from '../../support/faulty-proxy.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { noServer, startS3Server } from '../../support/s3-server.js';
import { digestsOf, solveChess } from '../../support/solving.js';

const MiB = 1 << 20;
/** The share of requests that fail. */
const RATE = 0.02;
/** Objects that are put by one request each. A fault takes a client's pause of some hundred milliseconds. */
const SMALL = LONGEST ? 100 : 30;
const server = await startS3Server();
afterAll(() => server.close());
const behind = noServer === null ? 'a real server' : 'the server of this process';
const met = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<ProxyFault, number>;

async function throughFaults<T>(seed: number, rate: number, use: (uri: string) => Promise<T>): Promise<T> {
  const proxy = await startFaultyProxy(server.endpoint, rate, seed);
  try {
    return await use(server.newUri(proxy.endpoint));
  } finally {
    for (const fault of faults) met[fault] += proxy.injected[fault];
    await proxy.close();
  }
}

const open = (uri: string) => s3Store(parseS3Uri(uri), { readAheadBytes: 32 * MiB });

test.skipIf(!LONG)(
  `objects arrive, by one request or in parts, and the first to publish is told so${ifShort}`,
  { timeout: 300_000 },
  () =>
    throughFaults(1, RATE, async (uri) => {
      const store = open(uri);
      for (let i = 0; i < SMALL; i++) {
        const bytes = Uint8Array.from({ length: 100 + i }, (_, k) => i + k);
        // The proxy loses answers: a client that does not look again would take its own object for another's.
        expect(await store.putIfAbsent(`small/${i}`, bytes)).toBe(true);
        expect(await store.putIfAbsent(`small/${i}`, Uint8Array.of(i))).toBe(false);
        expect(await readAll(store, `small/${i}`)).toEqual(bytes);
      }
      expect(await store.list('small/')).toHaveLength(SMALL);
      for (let i = 0; i < 2; i++) {
        const sink = await store.create(`large/${i}`);
        const piece = new Uint8Array(5 * MiB).fill(i);
        for (let k = 0; k < 4; k++) await sink.write([piece]);
        await sink.close();
        expect(await store.size(`large/${i}`)).toBe(20 * MiB);
      }
    }),
);

test.skipIf(!LONG)(`endings are solved and verified to the same values${ifShort}`, { timeout: 600_000 }, () =>
  throughFaults(2, RATE, async (uri) => {
    const store = open(uri);
    for (const { endings, verify } of [
      { endings: ['KRK', 'KQK'], verify: true },
      ...(LONGEST ? [{ endings: ['KBBK'], verify: false }] : []),
    ]) {
      const there = await solveChess(endings, { store, verify });
      const here = await solveChess(endings, { verify: false });
      expect(digestsOf(there.summaries)).toEqual(digestsOf(here.summaries));
    }
  }),
);

test.skipIf(!LONG)(`every kind of fault occurred${ifShort}`, () => {
  const counts = faults.map((fault) => `${fault} ${met[fault]}`).join(', ');
  process.stdout.write(`faults injected in front of ${behind}: ${counts}\n`);
  for (const fault of faults) expect(met[fault], fault).toBeGreaterThan(0);
});
