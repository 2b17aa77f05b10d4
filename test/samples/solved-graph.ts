/** A graph in JSON Lines, solved in memory as the command line does it. */
import {
  type GraphRow,
  memoryStore,
  newScratch,
  openGraphProber,
  openGraphRows,
  solveGraph,
} from 'mergemate';
import { jsonGraph } from '../../jobs/graph/json-graph.js';
import { answerText } from '../../jobs/solved/answer-text.js';
import { nodesAsMoves, SolvedKeyed } from '../../jobs/solved/keyed.js';
import { solvedGraphText } from '../../jobs/ui/graph-text.js';
import { graphStats } from '../../pipeline/graph/graph-stats.js';

export interface SolvedLines {
  /** Output of `solve`, without time and memory. */
  readonly summary: string;
  /** Rows of `export`, with names in place of JSON texts. */
  readonly rows: ReadonlyMap<string, GraphRow>;
  /** Output of `probe`. */
  probed(id: string | number): Promise<string>;
}

export async function solvedLines(name: string, lines: Iterable<string>): Promise<SolvedLines> {
  const text = Buffer.from([...lines].join('\n'));
  const store = memoryStore();
  const scratch = newScratch(memoryStore(), 'scratch');
  const budget = { memory: 2 ** 24, fanIn: 16, batchRows: 2 ** 14 };
  const solved = await solveGraph({
    source: await jsonGraph({
      name: `${name}.jsonl`,
      async *bytes() {
        yield text;
      },
    }),
    name,
    fingerprint: name,
    metric: 'dtw',
    verify: true,
    store,
    scratch,
    budget,
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  const prober = await openGraphProber(store, name, 'dtw');
  const rows = new Map<string, GraphRow>();
  for await (const batch of (await openGraphRows({ store, name, metric: 'dtw', scratch, budget })).rows)
    for (const row of batch) rows.set(JSON.parse(row.id), row);
  return {
    summary: solvedGraphText(solved, await graphStats(store, name, 'dtw', async () => {}), 0)
      .split('\n')
      .slice(0, -2)
      .join('\n'),
    rows,
    async probed(id) {
      const { writing, prober: moves } = nodesAsMoves(prober);
      const nodes = new SolvedKeyed(writing, async () => moves);
      return answerText(nodes, id, await nodes.probe(id));
    },
  };
}
