/** Text and JSON of lines of best play in graphs. */
import type { Metric } from '../../pipeline/game/value.js';
import type { GraphLine } from '../../pipeline/graph/graph-line.js';
import { idText } from '../../pipeline/graph/ids.js';
import { nodeIdJson, nodeValue } from './graph-text.js';
import { capital } from './verdict.js';

type Players = readonly [string, string];

export function graphLineText(line: GraphLine, players: Players): string {
  const [start] = line;
  const head = `node ${idText(start.id)}: ${nodeValue(start, players)}\n`;
  if (start.winner === null) return `${head}\nWhere nobody wins there is no main line.\n`;
  const steps = line.slice(1).map(({ id }, i) => `${capital(players[line[i].owner!])}: ${idText(id)}`);
  return `${head}\n${[...steps, `${capital(players[start.winner])} wins`].join('  ')}\n`;
}

export function graphLineJson(line: GraphLine, metric: Metric, players: Players): object {
  const [{ id, owner, winner, plies }] = line;
  return {
    node: nodeIdJson(id),
    metric,
    owner: owner === null ? null : players[owner],
    winner: winner === null ? null : players[winner],
    plies,
    line: line.slice(1).map((node, i) => ({ node: nodeIdJson(node.id), owner: players[line[i].owner!] })),
  };
}
