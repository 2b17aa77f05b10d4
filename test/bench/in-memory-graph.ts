/**
 * The plain way to solve a graph, for comparison. `node in-memory-graph.js FILE.jsonl` reads it line by line, keeps names in a
 * map, edges in arrays, and works through a queue. Prints its result, time and memory.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { peakRss } from '../../jobs/runtime/process-memory.js';

interface Line {
  readonly id?: string | number;
  readonly owner?: 0 | 1;
  readonly winner?: 0 | 1 | null;
  readonly edges?: readonly (string | number)[];
}

/** Words that grow by doubling. */
function newWords() {
  let words = new Int32Array(1 << 16);
  let length = 0;
  return {
    push(value: number): void {
      if (length === words.length) {
        const larger = new Int32Array(2 * length);
        larger.set(words);
        words = larger;
      }
      words[length++] = value;
    },
    get all() {
      return words.subarray(0, length);
    },
  };
}

const OPEN = -2;
const NOBODY = -1;

export async function solveInMemory(path: string) {
  const numbers = new Map<string | number, number>();
  const numberOf = (id: string | number): number => {
    let number = numbers.get(id);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(id, number);
    }
    return number;
  };
  const [froms, tos] = [newWords(), newWords()];
  const owners: number[] = [];
  const winners: number[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    if (text === '') continue;
    const { id, owner, winner, edges = [] } = JSON.parse(text) as Line;
    if (id === undefined) continue;
    const node = numberOf(id);
    owners[node] = owner ?? 0;
    winners[node] = winner === undefined ? OPEN : (winner ?? NOBODY);
    if (winner !== undefined) continue;
    for (const to of new Set(edges)) {
      froms.push(node);
      tos.push(numberOf(to));
    }
  }
  const count = numbers.size;
  const from = froms.all;
  const to = tos.all;

  // Predecessors of each node, side by side, and how many successors it has.
  const starts = new Int32Array(count + 1);
  const left = new Int32Array(count);
  for (let e = 0; e < to.length; e++) {
    starts[to[e] + 1]++;
    left[from[e]]++;
  }
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  const at = starts.slice(0, count);
  const predecessors = new Int32Array(to.length);
  for (let e = 0; e < to.length; e++) predecessors[at[to[e]]++] = from[e];

  const winner = Int8Array.from({ length: count }, (_, i) => winners[i]);
  const plies = new Int32Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    if (winner[i] === OPEN && left[i] === 0) winner[i] = 1 - owners[i];
    if (winner[i] >= 0) queue[end++] = i;
  }
  const longest: (number | null)[] = [null, null];
  for (let next = 0; next < end; next++) {
    const node = queue[next];
    const who = winner[node];
    for (let e = starts[node]; e < starts[node + 1]; e++) {
      const before = predecessors[e];
      if (winner[before] !== OPEN || (owners[before] !== who && --left[before] > 0)) continue;
      winner[before] = who;
      plies[before] = plies[node] + 1;
      if (owners[before] === who) longest[who] = Math.max(longest[who] ?? 0, plies[before]);
      queue[end++] = before;
    }
  }
  const won = [0, 0];
  for (const who of winner) if (who >= 0) won[who]++;
  return { nodes: count, edges: to.length, won, nobody: count - won[0] - won[1], longestWin: longest };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const began = performance.now();
  const solved = await solveInMemory(process.argv[2]);
  const { user, system } = process.cpuUsage();
  const peakRssBytes = peakRss();
  const wallMs = performance.now() - began;
  process.stdout.write(
    `${JSON.stringify({ ...solved, wallMs, cpuMs: (user + system) / 1000, peakRssBytes })}\n`,
  );
}
