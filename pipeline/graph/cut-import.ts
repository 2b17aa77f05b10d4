/** The thread or rank that coordinates an import in pieces: it deals them out, and brings together what they found. */

import { addCounters, type Counters } from '../../operators/core/counters.js';
import { cutByWeight, cutEvenly, type Interval, joinForWorkers } from '../../operators/core/interval.js';
import { releaseSegments } from '../../operators/distribute/distribute.js';
import type { RunRef } from '../../operators/runs/types.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { PART_NODES } from './graph-layout.js';
import { KEY_MAJORS } from './ids.js';
import type { WrittenSuccessors } from './node-writer.js';
import { type ImportCrew, posted } from './pieces.js';
import type { ReadGraph } from './read-graph.js';
import type { Gatherable } from './row-collector.js';
import type { ImportEnv } from './stride.js';
import { type NodesToWrite, orderShift } from './successors.js';

/** Who does the pieces, and what each of them has. */
export interface Cut {
  readonly crew: ImportCrew;
  readonly env: ImportEnv;
}

/** Null if something is wrong. */
export async function indexInPieces(
  { crew, env }: Cut,
  keys: Gatherable,
  name: string,
): Promise<RunRef[] | null> {
  const rows = posted(keys);
  const pieces = cutMajors(crew, INDEX_UNITS).map((majors, i) => ({
    kind: 'index' as const,
    budget: env.budget,
    keys: rows,
    majors,
    name: nameOfPiece(name, i),
  }));
  const done = taken(await crew.pieces(pieces, env.report), env.counters);
  return done.includes(null) ? null : (done as RunRef[]);
}

export interface FoundEdges extends Gatherable {
  /** By the part of the node that they come from. */
  readonly partRows: readonly number[];
}

/**
 * The edges, as the pieces hold them; null if something is wrong.
 * @param name the passing run that takes them, where the pieces share the store alone.
 */
export async function edgesInPieces(
  { crew, env }: Cut,
  read: ReadGraph,
  index: readonly RunRef[],
  name: string,
): Promise<FoundEdges | null> {
  const { nodes } = read;
  const shift = orderShift(read, env.budget);
  const targets = posted(read.targets);
  const pieces = cutMajors(crew).map((majors, i) => ({
    kind: 'edges' as const,
    budget: env.budget,
    targets,
    majors,
    index,
    shift,
    nodes,
    share: (crew.workers * (majors.to - majors.from)) / KEY_MAJORS,
    ...(crew.sharing === 'store' && { keep: nameOfPiece(name, i) }),
  }));
  const done = taken(await crew.pieces(pieces, env.report), env.counters);
  const held = done.flatMap((edges) => edges ?? []);
  const partRows = sums(held.map((edges) => edges.partRows));
  const sources = held.flatMap((edges) => edges.sources);
  const kept = held.flatMap((edges) => edges.kept);
  const release = async () => {
    for (const { segments } of sources) await releaseSegments(segments, env);
    await deleteAll(
      env.store,
      kept.map(({ name }) => name),
    );
  };
  if (held.length === done.length)
    return { sources, rows: held.reduce((sum, { rows }) => sum + rows, 0), partRows, kept, release };
  await release();
  return null;
}

export async function writeInPieces(
  { crew, env }: Cut,
  read: NodesToWrite,
  edges: FoundEdges,
  nameOf: (what: keyof WrittenSuccessors['runs']) => string,
): Promise<ReturnType<typeof asJoined>> {
  const weights = edges.partRows.map((rows) => PART_NODES + rows);
  const pieces = cutForCrew(crew, (count) => cutByWeight(weights, count)).map((parts, i) => ({
    kind: 'nodes' as const,
    budget: env.budget,
    edges: { sources: edges.sources, kept: edges.kept },
    read: { ...read, parts },
    names: {
      nodes: nameOfPiece(nameOf('nodes'), i),
      successors: nameOfPiece(nameOf('successors'), i),
      hubs: nameOfPiece(nameOf('hubs'), i),
    },
  }));
  return asJoined(taken(await crew.pieces(pieces, env.report), env.counters));
}

/** Units of work for each worker who shares the memory, and the share of the units that large pieces have. */
interface Units {
  readonly each: number;
  readonly large: number;
}

const UNITS: Units = { each: 20, large: 0.85 };
/** Whoever coordinates joins the names at the same time, and so does less of the index. */
const INDEX_UNITS: Units = { each: 10, large: 0.6 };

/**
 * Workers who share the memory take pieces as they have time for them. Some pieces are small, so all workers end at about the same
 * time. Those who share the store alone have a piece each.
 */
function cutForCrew(
  { sharing, workers }: ImportCrew,
  cut: (count: number) => Interval[],
  { each, large }: Units = UNITS,
): Interval[] {
  return sharing === 'store' ? cut(workers) : joinForWorkers(cut(each * workers), workers, large);
}

function cutMajors(crew: ImportCrew, units?: Units): Interval[] {
  return cutForCrew(crew, (count) => cutEvenly(KEY_MAJORS, count), units);
}

/** The results of the pieces, one piece after the other. */
export function asJoined(pieces: readonly WrittenSuccessors[]) {
  const scores = new Set(pieces.flatMap((each) => each.scores));
  return {
    edges: pieces.reduce((sum, each) => sum + each.edges, 0),
    partEdges: pieces.flatMap(({ partEdges }) => partEdges),
    hubs: pieces.reduce((sum, each) => sum + each.hubs, 0),
    scores: [...scores].sort((a, b) => b - a),
    runs: {
      nodes: pieces.map(({ runs }) => runs.nodes),
      successors: pieces.map(({ runs }) => runs.successors),
      hubs: pieces.map(({ runs }) => runs.hubs),
    },
  };
}

/** The sums of the first numbers of all, of the second, and so on. */
function sums(all: readonly (readonly number[])[]): number[] {
  return all[0]?.map((_, i) => all.reduce((sum, each) => sum + each[i], 0)) ?? [];
}

function taken<Value>(
  done: readonly { readonly value: Value; readonly counters: Counters }[],
  counters: Counters,
): Value[] {
  for (const each of done) addCounters(counters, each.counters);
  return done.map(({ value }) => value);
}

function nameOfPiece(name: string, piece: number): string {
  return name.replace(/\.arrow$/, `-${piece}.arrow`);
}
