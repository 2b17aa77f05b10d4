/** The OpenAPI document: all that the routes ask and answer, and nothing else. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { monitorRoutes } from '../../../jobs/server/monitor/routes.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { served, smallStore } from '../../support/serving.js';

const { app } = served(memoryStore());

interface DescribedRoute {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Record<string, { readonly schema: { readonly properties: Record<string, unknown> } }>;
  };
  readonly responses: Record<string, unknown>;
}
interface Described {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, DescribedRoute>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** All routes but those of the page and of operators' tools. */
function answering(): string[] {
  const others = ['/metrics', '/openapi.json', '/site.json'];
  const routes = app.routes.filter(
    ({ method, path }) => method !== 'ALL' && !path.includes('*') && !others.includes(path),
  );
  return [...new Set(routes.map(({ method, path }) => `${method.toLowerCase()} ${path}`))].sort();
}

test('the document is OpenAPI with all routes and their answers, without dangling references', async () => {
  const described = (await (await app.request('/openapi.json')).json()) as Described;
  expect(described.openapi).toBe('3.1.0');
  expect(described.info).toMatchObject({ title: 'mergemate', version: '1.2.3' });
  expect(
    Object.entries(described.paths)
      .flatMap(([path, ways]) => Object.keys(ways).map((way) => `${way} ${path}`))
      .sort(),
  ).toEqual(answering());
  for (const ways of Object.values(described.paths)) {
    for (const { summary, responses } of Object.values(ways)) {
      expect(summary).toMatch(/./);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '404', '503']));
      for (const [status, response] of Object.entries(responses))
        if (status !== '304')
          expect(response).toMatchObject({
            description: expect.any(String),
            content: { 'application/json': { schema: expect.any(Object) } },
          });
    }
  }
  const named = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, name] of named) expect(described.components.schemas).toHaveProperty(name);
  expect(Object.keys(described.components.schemas).sort()).toEqual(
    [
      'EndingAnswer',
      'ErrorAnswer',
      'FiledAnswer',
      'GameAnswer',
      'GraphAnswer',
      'HealthAnswer',
      'HistogramAnswer',
      'LichessAnswer',
      'LichessMainLine',
      'LichessMove',
      'LineAnswer',
      'LineMove',
      'MetricAnswer',
      'MoveAnswer',
      'PlanAnswer',
      'PlayedEnding',
      'PlayedHistogram',
      'PositionAnswer',
      'PositionRow',
      'PositionsAnswer',
      'ProblemEnding',
      'ProblemHistogram',
      'RootAnswer',
      'SolutionsAnswer',
      'ValueAnswer',
    ].sort(),
  );
});

test('the parameters of the document are those that the routes require', async () => {
  const described = (await (await app.request('/openapi.json')).json()) as Described;
  const { get: asked, post: posted } = described.paths['/probe'];
  expect(asked.parameters!.map(({ name, required }) => [name, required])).toEqual([
    ['game', true],
    ['position', true],
    ['metric', false],
  ]);
  expect(posted.requestBody!.required).toBe(true);
  const { schema } = posted.requestBody!.content['application/json'];
  expect(schema.properties.positions).toMatchObject({
    type: 'array',
    maxItems: 1000,
  });
});

test('every operation, of runs too, has a name of its own, a known tag, and a description of itself and of each parameter', async () => {
  const monitor = monitorRoutes({ store: memoryStore(), games: new Map() });
  const { app } = served(memoryStore(), { monitor });
  const { paths, tags } = (await (await app.request('/openapi.json')).json()) as Described;
  const operations = Object.values(paths).flatMap((ways) => Object.values(ways));
  const names = operations.map(({ operationId }) => operationId);
  expect(names).toEqual(names.map(() => expect.stringMatching(/^[a-z][A-Za-z]+$/)));
  expect(new Set(names).size).toBe(names.length);
  const known = tags.map(({ name }) => name);
  for (const { operationId, tags = [], description, parameters = [], requestBody } of operations) {
    expect(tags, operationId).toEqual([expect.toBeOneOf(known)]);
    expect(description, operationId).toMatch(/./);
    for (const parameter of parameters) expect(parameter.description, operationId).toMatch(/./);
    if (requestBody !== undefined) expect(requestBody.description, operationId).toMatch(/./);
  }
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/api/run', '/api/run/events', '/api/run/slice/{game}/{metric}/{slice}']),
  );
  const found = paths['/api/positions'].get.responses['200'] as { readonly content: object };
  expect(Object.keys(found.content).sort()).toEqual([
    ...['application/json', 'application/jsonl', 'application/vnd.chess-pgn', 'text/csv', 'text/plain'],
  ]);
});

test('every field of every shape, and of every body, has a description', async () => {
  const { components, paths } = (await (await app.request('/openapi.json')).json()) as Described;
  const silent: string[] = [];
  const look = (shape: unknown, at: string): void => {
    if (typeof shape !== 'object' || shape === null) return;
    const { properties = {} } = shape as {
      properties?: Record<string, { description?: string; $ref?: string }>;
    };
    for (const [name, { description, $ref }] of Object.entries(properties))
      if (description === undefined && $ref === undefined) silent.push(`${at}.${name}`);
    for (const [name, inner] of Object.entries(shape)) look(inner, `${at}/${name}`);
  };
  look(components.schemas, 'schemas');
  for (const [path, { post }] of Object.entries(paths)) look(post?.requestBody?.content, path);
  expect(silent).toEqual([]);
});

describe('answers of a server are as the document says', () => {
  const KPK = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
  /** A question to each operation that is answered with 200, or with the status beside it: for other reasons than that it is malformed. */
  const ASKED: Readonly<Record<string, readonly [query: Record<string, string>, status?: number][]>> = {
    '/probe': [
      [{ game: 'chess', position: KPK }],
      [{ game: 'checkers', position: 'B:WK29:BK4' }],
      [{ game: 'chess', position: '8/8/3k4/8/8/3q4/1R6/K7 w - - 0 1' }, 404],
      [{ game: 'go', position: KPK }, 404],
      [{ game: 'chess', position: 'nothing' }, 400],
      [{ game: 'chess', position: 'x'.repeat(5000) }, 414],
    ],
    '/api/mainline': [[{ game: 'chess', position: KPK, metric: 'dtm' }]],
    '/api/values': [[{ game: 'chess', position: KPK }], [{ game: 'chess' }, 400]],
    '/api/solutions': [[{ game: 'chess', position: KPK, metric: 'help' }, 404]],
    '/api/games': [[{}]],
    '/api/graphs': [[{}]],
    '/api/endings': [[{ game: 'chess', metric: 'dtm' }], [{ game: 'chess', metric: 'no' }, 400]],
    '/api/files': [[{ game: 'chess', metric: 'dtz' }]],
    '/api/histogram': [[{ game: 'chess', metric: 'dtm', ending: 'KPK' }]],
    '/api/positions': (['json', 'jsonl', 'csv', 'epd', 'pgn'] as const).map((format) => [
      { game: 'chess', metric: 'dtm', ending: 'KPK', limit: '3', format },
    ]),
    '/api/roots': [[{}]],
    '/api/plan': [[{ from: KPK }], [{ from: 'nothing' }, 400]],
    '/standard': [[{ fen: KPK }]],
    '/standard/mainline': [[{ fen: KPK }]],
    '/health': [[{}]],
  };
  let app: ReturnType<typeof served>['app'];
  let document: Described;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  beforeAll(async () => {
    ({ app } = served(await smallStore()));
    document = (await (await app.request('/openapi.json')).json()) as Described;
    ajv.addSchema(document, 'document');
  });

  const DESCRIBED_HEADERS = ['ETag', 'Allow', 'Retry-After'];

  /** Holds a response against the description of the operation. */
  async function expectDescribed(response: Response, path: string, way: 'get' | 'post'): Promise<void> {
    const { status } = response;
    const { responses } = document.paths[path][way];
    expect(responses, `${way} ${path}`).toHaveProperty(String(status));
    const { content = {}, headers = {} } = responses[status] as { content?: object; headers?: object };
    for (const name of DESCRIBED_HEADERS)
      if (response.headers.has(name))
        expect(Object.keys(headers), `${way} ${path}: ${status}`).toContain(name);
    const type = response.headers.get('Content-Type')?.split(';')[0];
    const body = await response.text();
    if (status === 304) {
      expect([body, content]).toEqual(['', {}]);
      return;
    }
    expect(Object.keys(content)).toContain(type);
    if (type !== 'application/json') return;
    const escaped = [path, type].map((each) => each.replaceAll('/', '~1'));
    const pointer = `document#/paths/${escaped[0]}/${way}/responses/${status}/content/${escaped[1]}/schema`;
    const isValid = ajv.validate({ $ref: pointer }, JSON.parse(body));
    expect(isValid, `${path}: ${ajv.errorsText()}: ${body.slice(0, 300)}`).toBe(true);
  }

  test('status, type and shape of each operation, and HEAD, OPTIONS, 304 and 405 of it', async () => {
    const paths = Object.entries(document.paths).filter(([, ways]) => 'get' in ways);
    expect(Object.keys(ASKED).sort()).toEqual(paths.map(([path]) => path).sort());
    for (const [path] of paths) {
      for (const [asked, status = 200] of ASKED[path]) {
        const address = `${path}?${new URLSearchParams(asked)}`;
        const response = await app.request(address);
        expect(response.status, address.slice(0, 100)).toBe(status);
        const etag = response.headers.get('ETag');
        const head = await app.request(address, { method: 'HEAD' });
        expect([head.status, await head.text()], address).toEqual([status, '']);
        expect(head.headers.get('Content-Type')).toBe(response.headers.get('Content-Type'));
        await expectDescribed(response, path, 'get');
        if (etag === null) continue;
        const again = await app.request(address, { headers: { 'If-None-Match': etag } });
        expect(again.status, address).toBe(304);
        expect(again.headers.get('ETag')).toBe(etag);
        await expectDescribed(again, path, 'get');
      }
      const wrong = await app.request(path, { method: 'DELETE' });
      expect([wrong.status, wrong.headers.get('Allow')], path).toEqual([405, expect.stringContaining('GET')]);
      await expectDescribed(wrong, path, 'get');
      const options = await app.request(path, { method: 'OPTIONS', headers: { Origin: 'http://elsewhere' } });
      const isPublic = options.headers.has('Access-Control-Allow-Origin');
      expect([options.status, await options.text().then((text) => text === '')], path).toEqual([
        isPublic ? 204 : 405,
        isPublic,
      ]);
    }
  });

  test('batches: their shape, a body that is malformed, one that is too large, too many positions', async () => {
    const post = (body: string, headers = { 'Content-Type': 'application/json' }) =>
      app.request('/probe', { method: 'POST', headers, body });
    const asked = (positions: readonly string[]) => JSON.stringify({ game: 'chess', positions });
    const again = await post(asked([KPK]), {
      'Content-Type': 'application/json',
      'If-None-Match': '*',
    } as never);
    expect([again.status, again.headers.get('ETag')]).toEqual([200, null]);
    for (const [body, status] of [
      [asked([KPK, 'nothing']), 200],
      ['{', 400],
      [asked(Array(1001).fill(KPK)), 413],
      [asked(['x'.repeat(2_000_000)]), 413],
    ] as const) {
      const response = await post(body);
      expect(response.status, body.slice(0, 80)).toBe(status);
      await expectDescribed(response, '/probe', 'post');
    }
  });

  test('a server that has too much to do answers 503 with Retry-After', async () => {
    const { app: busy } = served(await smallStore(), { limits: { running: 1, waiting: 0 } as never });
    const address = `/probe?${new URLSearchParams({ game: 'chess', position: KPK })}`;
    const found = await Promise.all(Array.from({ length: 40 }, () => busy.request(address)));
    const refused = found.find(({ status }) => status === 503)!;
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    await expectDescribed(refused, '/probe', 'get');
  });

  test('whatever a client accepts, it gets JSON where an operation has nothing else: 406 is never answered', async () => {
    const headers = { Accept: 'image/png' };
    const response = await app.request('/api/games', { headers });
    expect(response.status).toBe(200);
    await expectDescribed(response, '/api/games', 'get');
  });
});
