/** Graphs in JSON, as commands for games of all kinds are asked for them: by the path of their file. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Metric } from '../../pipeline/formats/value.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { metricOf } from '../options.js';
import { refuse } from './refuse.js';

/** A graph, and the path of the file that it is made from. When it is solved, the file need not be there any longer. */
export interface AskedGraph {
  readonly name: string;
  readonly path: string;
}

/** The graph that is called by a path; null if it is no path of a file in JSON. */
export function findGraph(asked: string): AskedGraph | null {
  return /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i.test(asked) ? { name: nameOfFile(asked), path: asked } : null;
}

/** The same of a file to be solved, where those that end in ".json" may also be job files: their first field says so. */
export function findGraphFile(asked: string): AskedGraph | null {
  return /\.json$/i.test(asked) && !GRAPH_FIELDS.test(headOf(asked)) ? null : findGraph(asked);
}

/** The beginning of a graph in JSON: a field of a graph, a node or an edge. */
const GRAPH_FIELDS = /^\s*\{\s*"(?:\$schema|players|stuck|nodes|edges|id|owner|winner|from|to)"\s*:/;
const HEAD_BYTES = 4096;

/** The beginning of a file; empty if it cannot be read, which whoever reads all of it says. */
function headOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes)).replace(/^\uFEFF/, '');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Graphs in JSON have no scores. */
export function graphMetric({ name }: AskedGraph, metric: string | undefined): Metric {
  return metricOf({ name, metrics: ['dtw', 'wdl'] }, metric);
}

/** @throws UserError for endings, and for flags that were given. */
export function requireNoneOfGraph({ name }: AskedGraph, names: readonly string[], flags: object = {}): void {
  refuse('graph', name, names, flags);
}
