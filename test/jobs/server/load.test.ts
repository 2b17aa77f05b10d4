/** Many random requests at once, good and bad: each gets the status it deserves, and the server lives. */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { listening, smallStore } from '../../support/serving.js';

const REQUESTS = LONGEST ? 10_000 : LONG ? 3_000 : 400;
const CONNECTIONS = 64;

let server: Awaited<ReturnType<typeof listening>>;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
beforeAll(async () => {
  server = await listening(await smallStore());
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

/** xorshift32: the same requests every time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** The status, and for batches of each position whether it is answered. */
  readonly status: number;
}

type Random = (below: number) => number;
const q = (asked: Record<string, string>) => new URLSearchParams(asked).toString();

/** A random position of a slice, and whether it is legal by the game's own word. */
function chessPosition(random: Random): { fen: string; legal: boolean } {
  const slice = ['KQK', 'KRK', 'KPK.3', 'KPK.6', 'KBK', 'KNK'][random(6)];
  const { parts, width, size } = chess.slice(slice);
  const index = random(size);
  const part = Math.min(parts - 1, Math.floor(index / width));
  const board = chess.board(
    { slice, side: random(2) as 0 | 1, part, key: index - part * width },
    random(2) === 1,
  );
  const fen = chess.format(board);
  return { fen, legal: isRead(() => chess.locate(chess.parse(fen))) };
}
function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const kinds: ((random: Random) => Asked)[] = [
  (random) => {
    const { fen, legal } = chessPosition(random);
    const metric = ['dtm', 'dtz'][random(2)];
    return { path: `/probe?${q({ game: 'chess', position: fen, metric })}`, status: legal ? 200 : 400 };
  },
  (random) => {
    const { fen, legal } = chessPosition(random);
    return { path: `/standard?fen=${fen.replaceAll(' ', '_')}`, status: legal ? 200 : 400 };
  },
  (random) => {
    const { fen, legal } = chessPosition(random);
    return { path: `/standard/mainline?${q({ fen })}`, status: legal ? 200 : 400 };
  },
  (random) => {
    const { fen, legal } = chessPosition(random);
    return { path: `/api/mainline?${q({ game: 'chess', position: fen })}`, status: legal ? 200 : 400 };
  },
  (random) => {
    const [black, white] = [random(32) + 1, random(32) + 1];
    const position = `${'BW'[random(2)]}:WK${white}:BK${black}`;
    const legal = isRead(() => checkers.locate(checkers.parse(position)));
    return { path: `/probe?${q({ game: 'checkers', position })}`, status: legal ? 200 : 400 };
  },
  (random) => {
    const left = random(25);
    const status = left <= 20 ? 200 : 400;
    return { path: `/probe?${q({ game: 'counters', position: `${left} ${'wb'[random(2)]}` })}`, status };
  },
  (random) => {
    const positions = Array.from({ length: random(8) }, () => chessPosition(random).fen);
    const body = JSON.stringify({ game: 'chess', positions });
    return {
      path: '/probe',
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
      status: 200,
    };
  },
  // Malformed: letters of FEN in any order.
  (random) => {
    const letters = 'KQRBNPkqrbnp12345678/ wb-09%&?#';
    const text = Array.from({ length: 1 + random(60) }, () => letters[random(letters.length)]).join('');
    return { path: `/probe?${q({ game: 'chess', position: `!${text}` })}`, status: 400 };
  },
  // No table of it.
  (random) => {
    const fen = `8/8/8/2k5/8/8/8/K${random(2) === 0 ? 'Q5R' : 'R5R'} w - - 0 1`;
    return { path: `/probe?${q({ game: 'chess', position: fen })}`, status: 404 };
  },
  (random) => ({ path: `/probe?${q({ game: `game-${random(1000)}`, position: 'x' })}`, status: 404 }),
  (random) => ({ path: `/api/histogram?${q({ game: 'chess', ending: `K${random(1000)}K` })}`, status: 400 }),
  (random) => ({
    path: `/${['..', '%2e%2e', '..%2f', '%00', '..\\'][random(4)]}/${random(1000)}`,
    status: 404,
  }),
  (random) => ({ path: `/probe?game=chess&position=${'8'.repeat(2100 + random(1000))}`, status: 414 }),
  (random) => {
    const body = JSON.stringify({ game: 'chess', positions: Array(1001 + random(100)).fill('8') });
    return {
      path: '/probe',
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
      status: 413,
    };
  },
  (random) => {
    const body = '{"game":"chess",'.repeat(1 + random(20));
    return {
      path: '/probe',
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
      status: 400,
    };
  },
  (random) => ({ path: '/probe', method: ['PUT', 'DELETE', 'PATCH'][random(3)], status: 405 }),
  (random) => ({ path: ['/health', '/metrics', '/api/games', '/openapi.json'][random(4)], status: 200 }),
  () => ({ path: '/api/endings?game=chess', status: 200 }),
  () => ({ path: '/api/histogram?game=chess&ending=KRK', status: 200 }),
];

function send({ path, method = 'GET', body, headers }: Asked): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port: server.port, path, method, headers };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => (text += more));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test(`${REQUESTS} random requests at once get the right status each${ifShort}`, {
  timeout: 240_000,
}, async () => {
  const random = randomFrom(20_261_122);
  const wrong: string[] = [];
  const seen = new Map<number, number>();
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const asked = kinds[random(kinds.length)](random);
      const { status, text } = await send(asked);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const isAnswered = status < 400 || typeof JSON.parse(text).error === 'string';
      if (status !== asked.status || !isAnswered)
        wrong.push(
          `${asked.method ?? 'GET'} ${asked.path.slice(0, 120)}: ${status}, not ${asked.status}: ${text.slice(0, 200)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  expect(wrong).toEqual([]);
  expect([...seen.keys()].sort()).toEqual([200, 400, 404, 405, 413, 414]);
  expect((await send({ path: '/health', status: 200 })).status).toBe(200);
  expect([server.service.gate.running, server.service.gate.waiting]).toEqual([0, 0]);
});
