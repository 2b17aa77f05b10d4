/** The OpenAPI document: all that the routes ask and answer, and nothing else. */
import { expect, test } from 'vitest';
import { monitorRoutes } from '../../../jobs/server/monitor/routes.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { served } from '../../support/serving.js';

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
      for (const response of Object.values(responses))
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
      'PositionAnswer',
      'PositionRow',
      'PositionsAnswer',
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
  for (const { operationId, tags = [], description, parameters = [] } of operations) {
    expect(tags, operationId).toEqual([expect.toBeOneOf(known)]);
    expect(description, operationId).toMatch(/./);
    for (const parameter of parameters) expect(parameter.description, operationId).toMatch(/./);
  }
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/api/run', '/api/run/events', '/api/run/slice/{game}/{metric}/{slice}']),
  );
  const found = paths['/api/positions'].get.responses['200'] as { readonly content: object };
  expect(Object.keys(found.content).sort()).toEqual([
    ...['application/json', 'application/jsonl', 'application/vnd.chess-pgn', 'text/csv', 'text/plain'],
  ]);
});
