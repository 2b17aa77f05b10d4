/**
 * The section `serving`: positions probed over HTTP from a server that is a process of its own, at several
 * concurrencies. For comparison they are probed in this process without a server. The client runs here, so on two
 * cores it takes about as much as the server does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { localStore } from '../../operators/storage/local.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { loadServer } from '../support/server-load.js';
import { run, type SetBench } from './sets.js';

const CACHE = 64 << 20;
const POSITIONS = 2000;
/** Positions of one batch. */
const BATCH = 100;

interface Serving {
  readonly what: string;
  readonly clients: number;
  readonly probesPerSecond: number;
  /** Microseconds of the server a probe: the figure that a shared machine changes least. */
  readonly cpuMicros: number;
  /** Latency of a request. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function benchServing(bench: SetBench): Promise<unknown> {
  const { cli, folder, quick, print } = bench;
  const ending = quick ? 'KQK' : 'KQKR';
  const seconds = quick ? 2 : 6;
  const store = join(folder, 'serving');
  for (const metric of ['dtm', 'dtz'])
    run(cli, ['solve', 'chess', ending, '--metric', metric, '--store', store, '--no-verify', '--json']);
  const positions = randomPositions(ending);
  const alone = await probeAlone(store, positions);

  const server = spawn(cli, ['serve', '--store', store, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rows: Serving[] = [];
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const asked = positions.map((position) => encodeURIComponent(position));
    const ways: [string, autocannon.Request[], number][] = [
      ['GET /probe', asked.map((position) => ({ path: `/probe?game=chess&position=${position}` })), 1],
      ['GET /standard (two metrics)', asked.map((fen) => ({ path: `/standard?fen=${fen}` })), 1],
      [`POST /probe, ${BATCH} each`, batches(positions), BATCH],
    ];
    for (const [what, requests, probes] of ways) {
      for (const clients of [1, 8, 64]) {
        // The first second reads blocks and warms the compiler up.
        await shoot(url, requests, clients, 1);
        const before = await cpuSeconds(url);
        const { answers, p50Ms, p99Ms } = await shoot(url, requests, clients, seconds);
        const cpuMicros = (1e6 * ((await cpuSeconds(url)) - before)) / (answers * probes);
        rows.push({ what, clients, probesPerSecond: (answers * probes) / seconds, cpuMicros, p50Ms, p99Ms });
      }
    }
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  print(
    `Positions of ${ending} over HTTP, server and client on the same machine; without a server ${Math.round(alone.perSecond)} probes a second, ${Math.round(alone.cpuMicros)} us of CPU each`,
    [
      'request',
      'at once',
      'probes a second',
      '% of without',
      'us CPU each',
      'times without',
      'p50 ms',
      'p99 ms',
    ],
    rows.map((row) => [
      row.what,
      String(row.clients),
      String(Math.round(row.probesPerSecond)),
      (100 * row.probesPerSecond) / alone.perSecond,
      String(Math.round(row.cpuMicros)),
      row.cpuMicros / alone.cpuMicros,
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
    ]),
  );
  return { ending, alone, rows };
}

/** Legal positions spread over the slice, in an order that is not that of the index. */
export function randomPositions(ending: string): string[] {
  const slice = chess.slice(ending);
  const found: string[] = [];
  let state = 1;
  while (found.length < POSITIONS) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const index = Math.floor((state / 2 ** 32) * slice.size);
    const part = Math.floor(index / slice.width);
    const fen = chess.format(
      chess.board({
        slice: ending,
        side: (found.length & 1) as 0 | 1,
        part,
        key: index - part * slice.width,
      }),
    );
    if (isLegal(fen)) found.push(fen);
  }
  return found;
}

function isLegal(fen: string): boolean {
  try {
    return chess.locate(chess.parse(fen)).slice !== '';
  } catch {
    return false;
  }
}

/** Probes in this process, with warm caches, from text to values. */
async function probeAlone(
  store: string,
  positions: readonly string[],
): Promise<{ perSecond: number; cpuMicros: number }> {
  const prober = newProber({
    game: chess,
    metric: 'dtm',
    store: localStore(store, { durable: false }),
    cacheBytes: CACHE,
  });
  const all = async () => {
    for (const position of positions) await prober.probe(chess.parse(position));
  };
  await all();
  const begun = performance.now();
  const before = process.cpuUsage();
  await all();
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (1000 * positions.length) / (performance.now() - begun),
    cpuMicros: (user + system) / positions.length,
  };
}

/** CPU time of the server, as it says itself. */
async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]);
}

export function batches(positions: readonly string[]): autocannon.Request[] {
  const requests: autocannon.Request[] = [];
  for (let from = 0; from < positions.length; from += BATCH) {
    requests.push({
      method: 'POST',
      path: '/probe',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ game: 'chess', positions: positions.slice(from, from + BATCH) }),
    });
  }
  return requests;
}

export async function shoot(
  url: string,
  requests: autocannon.Request[],
  connections: number,
  duration: number,
): Promise<{ answers: number; p50Ms: number; p99Ms: number }> {
  const times: number[] = [];
  const statuses = new Set<number>();
  const { errors } = await autocannon({
    url,
    requests,
    connections,
    duration,
    setupClient: (client) =>
      client.on('response', (status, _bytes, milliseconds) => {
        times.push(milliseconds);
        statuses.add(status);
      }),
  });
  if (errors > 0 || [...statuses].some((status) => status !== 200))
    throw new Error(`${errors} errors; statuses ${[...statuses].join(', ')}`);
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { answers: times.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

/**
 * The section `server`: what heavy load does to /health and to memory. Large queries at once, batches at once, and large queries beside connections
 * that send ahead and read nothing.
 */
export async function benchServer({ cli, folder, print }: SetBench): Promise<unknown> {
  const ending = 'KQKR';
  const store = join(folder, 'server');
  run(cli, ['solve', 'chess', ending, '--store', store, '--no-verify', '--json']);
  const positions = randomPositions(ending).slice(0, 1000);
  const measured = await loadServer({ cli, store, ending, positions });
  const ms = (time: number) => String(Math.round(time));
  print(
    `A server of ${ending} under load: ${Math.round(measured.residentOverCache)} MiB beside its cache at most, ended ${ms(measured.stopMs)} ms after SIGTERM`,
    ['load', 'seconds', '/health median ms', 'worst ms', 'statuses'],
    measured.loads.map(({ what, seconds, healthMedian, healthWorst, statuses }) => [
      what,
      seconds,
      ms(healthMedian),
      ms(healthWorst),
      Object.entries(statuses)
        .map(([status, count]) => `${count} x ${status}`)
        .join(', '),
    ]),
  );
  return { ending, ...measured };
}
