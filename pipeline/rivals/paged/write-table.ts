import { newCounters } from '../../../operators/core/counters.js';
import type { Store } from '../../../operators/storage/store.js';
import { readStatus } from '../../game/fill-census.js';
import { type Side, Status } from '../../game/game.js';
import { majorOf } from '../../game/majors.js';
import type { TableManifest } from '../../game/manifest.js';
import { stipulations } from '../../game/stipulation.js';
import { brokenCode, newValueColumn, type ValueColumn } from '../../game/value.js';
import { countCodes, countsOf, newTableCounts, type TableCounts } from '../../tables/counted.js';
import { manifestHead } from '../../tables/manifest-head.js';
import { slicePrefix } from '../../tables/table-names.js';
import { digestOfParts, type TableWriter, valueTypeFor, writeSides } from '../../tables/writer.js';
import { valueOfCode } from './back-up.js';
import { CodeKind } from './codes.js';
import type { Session } from './session.js';
import { takeTally } from './solve-wdl.js';
import { longestPly } from './tally.js';
import { BATCH_ROWS } from './work.js';

/** Writes the codes as the finished table; unknown positions are drawn. Returns its manifest, not yet committed. */
export async function writeTable(session: Session, store: Store): Promise<TableManifest> {
  const { setting, work, state } = session;
  const { slice, metric, game, budget } = setting;
  const type = valueTypeFor(metric, stipulations[metric].plies ? longestPly(takeTally(session)) : 0);
  const io = newCounters();
  const counts = [newTableCounts(), newTableCounts()] as const;
  const prefix = slicePrefix(game.name, metric, slice.name);
  const env = { slice, metric, store, prefix, batchRows: budget.batchRows, counters: io };
  const { values, partDigests } = await writeSides(env, type, async (writer, side) => {
    const column = newValueColumn(type, work.space.perPage);
    await writeSide(session, side, { column, counts: counts[side] }, writer);
  });
  work.counters.tableBytesWritten += io.bytesWritten;
  return {
    ...manifestHead(game.name, slice, metric),
    valueType: type,
    values,
    digests: partDigests.map(digestOfParts) as [string, string],
    ...countsOf(counts, metric),
    rounds: state.ply,
    requests: work.counters.lookups,
    counters: { ...work.counters },
  };
}

async function writeSide(
  session: Session,
  side: Side,
  { column, counts }: { readonly column: ValueColumn; readonly counts: TableCounts },
  writer: TableWriter,
): Promise<void> {
  const { work } = session;
  const { slice, space, values } = work;
  const decode = decoder(session, column);
  for (let part = 0; part < slice.parts; part++) {
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += space.perPage) {
      const length = Math.min(space.perPage, size - first);
      values.pin(majorOf(slice, side, part), first, false);
      for (let place = 0; place < length; place += BATCH_ROWS) {
        decode(side, part, first + place, Math.min(BATCH_ROWS, length - place), place);
      }
      values.buffers.release();
      const codes = column.subarray(0, length);
      countCodes(counts, slice, part, first, codes);
      await writer.append(part, codes);
      session.report(length);
    }
  }
}

/** Two-bit codes do not mark broken indices: the census does. */
function decoder({ work }: Session, column: ValueColumn) {
  const { slice, codec, values, batches } = work;
  const { census, status } = batches;
  const broken = brokenCode(column.BYTES_PER_ELEMENT === 1 ? 'i8' : 'i16');
  const valuesByCode = Int32Array.from({ length: codec.codes }, (_, code) =>
    codec.kindOf[code] === CodeKind.broken ? broken : valueOfCode(codec, code),
  );
  return (side: Side, part: number, first: number, length: number, place: number): void => {
    if (codec.bits === 2) {
      slice.census(side, part, first, length, census);
      readStatus(census, first, length, status);
    }
    for (let i = 0; i < length; i++) {
      column[place + i] =
        codec.bits === 2 && status[i] === Status.broken ? broken : valuesByCode[values.pinnedAt(place + i)];
    }
  };
}
