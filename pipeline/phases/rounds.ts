/**
 * Rounds: round n labels the positions that are won or lost in n plies.
 *
 * The frontier of round n - 1 is expanded by unmoves into requests, or joined with the edges to it (edge-run.ts). A
 * predecessor of a lost position is won; a predecessor of a won position might be lost. Requests that leave their part are
 * distributed to the parts. With the requests that stay, and the conversions that come due at ply n, they are applied to the
 * labels, part by part.
 *
 * Strategy `count` only counts: a request takes one off the out-count of an open position, and at zero the position is lost.
 * So requests need no successor column, and no order in a part whose labels are in the cache. Strategy `lookup` is the
 * literal form (Lipton & Regan 2010): a position that might be lost asks for all its successors. The requests
 * (successor | asker) are sorted by successor and joined with the labels, and the answers are sorted by asker. Askers
 * without an escape are lost (the escape set of Wendroff et al. 1993, section 4).
 *
 * Work is cut by parts: a partition expands the frontier of its own parts and labels its own parts, and a transport carries
 * requests from one partition to another (pipeline/partition/transport.ts). Every partition must have finished one call
 * before any begins the next.
 */

import { antiJoin } from '../../operators/anti-join.js';
import { newArrays } from '../../operators/core/arrays.js';
import { assert } from '../../operators/core/errors.js';
import { dedupe } from '../../operators/dedupe.js';
import { expand } from '../../operators/expand.js';
import { interleave } from '../../operators/interleave.js';
import { join } from '../../operators/join.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Cursor, DenseCursor, Grouped, RowSource } from '../../operators/runs/types.js';
import { MOST_KERNEL_BYTES, type RowLabels } from '../contract/game.js';
import { eventNumber, FLOWS, Kind, kindOf, LOSS_FLOWS, sideOf, unmoveFlow } from '../formats/events.js';
import { closeLost, closeWon, countConversions, countDown, selectDoubtful } from '../formats/labels.js';
import { firstMajor, majorOf, majorsIn, majorsOf, partOf, sideOfMajor } from '../formats/majors.js';
import type { EventRun, LabelRuns, PartRun } from '../formats/manifest.js';
import type { Parcel, Transport } from '../partition/transport.js';
import type { Context, Interval } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { openEventRuns, shifted } from './event-runs.js';
import { loadFrontier, newFrontier, openFrontierRun } from './frontier.js';
import { type LabelListener, labelFlow, newLabels } from './label-flow.js';
import { commitPlanes, disposePlanes, mostPlaneBytes, openPlanes } from './label-planes.js';
import { escapeKernel } from './lookup.js';
import { memoryOf } from './memory.js';
import type { RoundMoves } from './round-moves.js';
import { labelRows, requestRows } from './row-flow.js';
import { keysOfSets, SET_COLUMNS } from './sets.js';

export interface Labelled {
  won: [number, number];
  lost: [number, number];
  /** Requests that stayed in their part, and so were never sent. */
  stayed: number;
}

export interface Committed {
  labels: LabelRuns;
  frontier: EventRun[];
}

/** The rounds of one partition. `again`: as in {@link Transport.send}. */
export interface Rounds {
  /** Sends the requests of round `ply`: the unmoves of the frontier of ply - 1. */
  expand(ply: number, again: boolean): Promise<Parcel>;
  /** `lookup` only: selects the positions that might be lost, and has them ask for their successors. */
  ask(ply: number, requests: readonly Parcel[], again: boolean): Promise<Parcel>;
  /** `lookup` only: answers questions about this partition's parts; answers are the escapes. */
  answer(ply: number, asked: readonly Parcel[], again: boolean): Promise<Parcel>;
  /** Labels this partition's parts. `escapes` is empty under `count`. */
  label(ply: number, requests: readonly Parcel[], escapes: readonly Parcel[]): Promise<Labelled>;
  /** In place of `label`, behind a round that labelled nothing: labels what is lost in a turn. */
  turn(ply: number, turn: number): Promise<Labelled>;
  /** Writes labels and the frontiers since the last commit durably. */
  commit(nextPly: number): Promise<Committed>;
  close(): Promise<void>;
}

export interface RoundsState {
  readonly labels: LabelRuns;
  /** Event runs that hold all that was labelled before ply `nextPly`. */
  readonly events: readonly EventRun[];
  readonly conversions: readonly EventRun[];
  readonly turns: readonly EventRun[];
  /** The edge runs of all parts, if the slice has no unmoves. */
  readonly edges: readonly PartRun[];
  readonly nextPly: number;
}

export async function openRounds(
  context: Context,
  state: RoundsState,
  moves: RoundMoves,
  transport: Transport,
): Promise<Rounds> {
  const { slice, parts, strategy, budget, scratch, counters } = context;
  const memory = memoryOf('rounds', budget);
  const conversions = await openEventRuns(context, state.conversions);
  const turns = await openEventRuns(context, state.turns);
  const { countPlanes } = state.labels;
  const labelMemory =
    countPlanes === null ? memory.labels.memory : Math.min(memory.labels.memory, MOST_KERNEL_BYTES);
  const byRows =
    countPlanes === null ? undefined : moves.rows!.open(mostPlaneBytes(context, countPlanes, labelMemory));
  const planes = openPlanes(context, state.labels, labelMemory, byRows?.allocate);
  const buffers = transport.turns + (strategy === 'count' ? 0 : 2);
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  const columns = byRows === undefined ? [] : SET_COLUMNS;
  const pieces = newArrays();
  const frontierSpool = () => newFrontier(context, memory.frontier, columns, pieces);

  let current = frontierSpool();
  let next = frontierSpool();
  const last = state.events.filter(({ last }) => last === state.nextPly - 1);
  await loadFrontier(await openEventRuns(context, last), state.nextPly - 1, context, current, columns);
  let output = await openFrontierRun(context, state.nextPly, columns);
  let outputFrom = state.nextPly;
  let candidates: Spool | undefined;
  let stayed = 0;
  const labels = newLabels(slice, planes);
  const range = (flowNumber: number) => majorsOf(slice, flowNumber, parts);
  // Labels of a slice that an earlier version began are counted by keys, whatever its conversions are.
  const conversionKeys = (ply: number, flowNumber: number) =>
    keysOfSets(conversions.cursor(ply, flowNumber, parts));

  /** Sends rows with majors of `units` groups. */
  async function send(what: Sent, rows: RowSource, again: boolean): Promise<Parcel> {
    const { name, buffer, units, columns } = what;
    await transport.release(buffer, env);
    const receivedBy = (of: Interval) =>
      Array.from({ length: units }, (_, unit) => majorsOf(slice, unit, of));
    const shipment = {
      what: name,
      majors: majorsIn(slice, units),
      receivedBy,
      columns,
      // What is received by major and has no columns is packed, which takes an order.
      byMajor: columns === setColumns,
      memory: memory.requests.memory / buffers,
      buffer,
    };
    return transport.send(rows, shipment, env, again);
  }

  /** Requests for this partition's parts of one flow, by part, with the conversions of ply n. */
  function requestsOf(ply: number, flowNumber: number, requests: readonly Parcel[]): Grouped {
    const shift = firstMajor(slice, unmoveFlow(flowNumber));
    const frontier = current.cursor(range(unmoveFlow(flowNumber)));
    const inputs = [transport.receiveByMajor(requests, range(flowNumber), 0, env)];
    const within = moves.within?.(flowNumber, frontier, shift, (rows) => {
      stayed += rows;
    });
    if (within !== undefined) inputs.push(within);
    if (conversions.mayHold(ply)) {
      inputs.push(shifted(conversionKeys(ply, flowNumber), firstMajor(slice, flowNumber)));
    }
    const all = interleave(inputs);
    return moves.excess?.sift(flowNumber, all) ?? all;
  }

  function recorder(flowNumber: number, ply: number): LabelListener {
    return async (part, length, minor, payload) => {
      await next.append(majorOf(slice, flowNumber, part), length, minor, payload);
      await output.append(majorOf(slice, eventNumber(ply, flowNumber), part), length, minor, payload);
    };
  }

  /** What was labelled becomes the frontier. */
  async function advance(): Promise<void> {
    await next.seal();
    await current.dispose();
    current = next;
    next = frontierSpool();
  }

  async function labelByKeys(
    ply: number,
    flowNumber: number,
    requests: readonly Parcel[],
    escapes: readonly Parcel[],
  ): Promise<number> {
    const listener = recorder(flowNumber, ply);
    if (kindOf(flowNumber) === Kind.win || candidates === undefined) {
      const close = kindOf(flowNumber) === Kind.win ? closeWon : countDown;
      const source = requestsOf(ply, flowNumber, requests);
      return labelFlow(slice, flowNumber, labels, source, close, listener);
    }
    const escaping = dedupe(transport.receive(escapes, range(flowNumber), 0, env));
    const source = antiJoin(candidates.cursor(range(flowNumber)), escaping, counters);
    return labelFlow(slice, flowNumber, labels, source, closeLost, listener);
  }

  /** As `labelFlow`, of what `requestsOf` says, by rows. */
  async function labelByRows(
    labels: RowLabels,
    ply: number,
    flowNumber: number,
    requests: readonly Parcel[],
  ): Promise<number> {
    const unmoved = unmoveFlow(flowNumber);
    const received = transport.receiveByMajor(requests, range(flowNumber), 2, env);
    const striking = {
      requests: shifted(received, -firstMajor(slice, flowNumber)),
      frontier: shifted(current.cursor(range(unmoved)), -firstMajor(slice, unmoved)),
      conversions: conversions.mayHold(ply) ? conversions.cursor(ply, flowNumber, parts) : null,
    };
    const { labelled, stayed: more } = await labelRows(
      flowNumber,
      planes,
      labels,
      striking,
      recorder(flowNumber, ply),
    );
    stayed += more;
    return labelled;
  }

  async function select(ply: number, requests: readonly Parcel[]): Promise<Spool> {
    const selected = frontierSpool();
    for (const flowNumber of LOSS_FLOWS) {
      const counts = planes.counts[sideOf(flowNumber)];
      const unwon = planes.unwon[sideOf(flowNumber)];
      for await (const batch of conversionKeys(ply, flowNumber)) {
        countConversions(await counts.load(batch.major), batch.minor, batch.length);
        counts.dirty();
      }
      let major = -1;
      let counted = new Uint8Array(0);
      let bits = new Uint8Array(0);
      const leave = () => labels.labelled.drain((length, keys) => selected.append(major, length, keys, []));
      for await (const batch of requestsOf(ply, flowNumber, requests)) {
        if (batch.major !== major) {
          await leave();
          major = batch.major;
          const part = partOf(slice, major);
          counted = (await counts.load(part)) as typeof counted;
          bits = (await unwon.load(part)) as typeof bits;
        }
        const keys = labels.keys(batch.length);
        labels.labelled.add(keys, selectDoubtful(counted, bits, batch.minor, batch.length, keys));
      }
      await leave();
    }
    await selected.seal();
    return selected;
  }

  return {
    async expand(ply, again) {
      assert(ply >= 1, 'round 0 is the mates');
      const buffer = `requests-${ply % transport.turns}`;
      const rows =
        byRows === undefined ? moves.requests(current) : requestRows(slice, byRows, current, env.arrays);
      return send(
        {
          name: `requests-${ply}`,
          buffer,
          units: FLOWS.length,
          columns: byRows === undefined ? [] : setColumns,
        },
        rows,
        again,
      );
    },

    async ask(ply, requests, again) {
      assert(moves.ask !== undefined, `${slice.name} has moves to ask by`);
      candidates = await select(ply, requests);
      const asked = expand(candidates.cursor(), moves.ask, { rows: EXPAND_ROWS, payload: 2 });
      const columns = ['asker-major', 'asker-minor'];
      return send({ name: `asked-${ply}`, buffer: 'asked', units: 2, columns }, asked, again);
    },

    async answer(ply, asked, again) {
      // A row is a bit here: a batch has as many rows as the part has positions.
      async function* unwonOf({ from, to }: { from: number; to: number }): DenseCursor {
        for (let major = from; major < to; major++) {
          const part = partOf(slice, major);
          const bits = await planes.unwon[sideOfMajor(slice, major)].load(part);
          yield { major, first: 0, length: slice.partSize(part), columns: [bits] };
        }
      }
      async function* ownRequests(): Cursor {
        for (const side of [0, 1]) yield* transport.receive(asked, range(side), 2, env);
      }
      const escapes = join(ownRequests(), unwonOf, escapeKernel, {
        rows: EXPAND_ROWS,
        payload: 0,
        counters,
      });
      const what = { name: `answers-${ply}`, buffer: 'answers', units: FLOWS.length, columns: [] };
      return send(what, escapes, again);
    },

    async label(ply, requests, escapes) {
      const result: Labelled = { won: [0, 0], lost: [0, 0], stayed: 0 };
      for (const flowNumber of FLOWS) {
        const labelled = kindOf(flowNumber) === Kind.win ? result.won : result.lost;
        labelled[sideOf(flowNumber)] =
          byRows === undefined
            ? await labelByKeys(ply, flowNumber, requests, escapes)
            : await labelByRows(byRows, ply, flowNumber, requests);
      }
      await candidates?.dispose();
      candidates = undefined;
      await advance();
      result.stayed = stayed;
      stayed = 0;
      return result;
    },

    async turn(ply, turn) {
      const lost: [number, number] = [0, 0];
      for (const flowNumber of LOSS_FLOWS) {
        const record = recorder(flowNumber, ply);
        for await (const { major, length, minor } of turns.cursor(turn, flowNumber, parts)) {
          await record(major, length, minor, []);
          lost[sideOf(flowNumber)] += length;
        }
      }
      await advance();
      return { won: [0, 0], lost, stayed: 0 };
    },

    async commit(nextPly) {
      const info = await output.close();
      const frontier = [
        {
          name: info.name,
          crc: info.crc,
          ...parts,
          first: outputFrom,
          last: nextPly - 1,
          rows: info.rows,
        },
      ];
      const runs = await commitPlanes(context, planes, countPlanes, nextPly);
      if (moves.excess !== undefined) runs.excess = await moves.excess.commit(nextPly);
      output = await openFrontierRun(context, nextPly, columns);
      outputFrom = nextPly;
      return { labels: runs, frontier };
    },

    async close() {
      await output.abort();
      await current.dispose();
      await next.dispose();
      await candidates?.dispose();
      await disposePlanes(planes);
      byRows?.close();
      await transport.close(env);
    },
  };
}

/** The payload columns of requests that are sets. */
const setColumns = SET_COLUMNS.map(({ name }) => name);

/** What is sent: its name, the buffer it lies in, the majors a part has, and the payload columns. */
interface Sent {
  readonly name: string;
  readonly buffer: string;
  readonly units: number;
  readonly columns: readonly string[];
}
