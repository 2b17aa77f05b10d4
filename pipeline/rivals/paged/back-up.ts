import { majorsIn } from '../../game/majors.js';
import { backUp, type Metric } from '../../game/value.js';
import { type Codec, CodeKind, DRAWN, UNKNOWN } from './codes.js';
import type { PassWork } from './work.js';

/**
 * The code of a value in a finished table; `broken` (see pipeline/game/value.ts) becomes unknown. Without `plies` the code keeps
 * only the winner, which is enough for some dependencies (`asksPlies` in pipeline/game/value.ts).
 */
export function codeOfValue(codec: Codec, value: number, broken: number, plies: boolean): number {
  if (value === broken) return UNKNOWN;
  if (value === 0) return DRAWN;
  if (!plies) return value > 0 ? codec.win(1) : codec.loss(0);
  return value > 0 ? codec.win(value) : codec.loss(-value - 1);
}

/** The value of a won, lost or drawn code as tables hold it. */
export function valueOfCode(codec: Codec, code: number): number {
  const kind = codec.kindOf[code];
  const ply = codec.bits === 2 ? 1 : codec.plyOf[code];
  if (kind === CodeKind.win) return ply;
  return kind === CodeKind.loss ? (codec.bits === 2 ? -1 : -ply - 1) : 0;
}

/**
 * By code of a successor: the bound that one move there gives its mover. Won successors make pending losses; what all
 * moves together come to is {@link decided}.
 */
function boundsByMove(codec: Codec, metric: Metric, restarts: boolean): Uint16Array {
  return Uint16Array.from({ length: codec.codes }, (_, code) => {
    const kind = codec.kindOf[code];
    if (kind === CodeKind.drawn) return DRAWN;
    if (kind !== CodeKind.win && kind !== CodeKind.loss) return UNKNOWN;
    const value = backUp(valueOfCode(codec, code), metric, restarts);
    const ply = value > 0 ? value : -value - 1;
    // The last plies of a width are never backed up: the caller chooses a width that leaves one to spare.
    if (ply > codec.maxPly) return UNKNOWN;
    return value > 0 ? codec.win(ply) : codec.pendingLoss(ply);
  });
}

/** By major of a successor: the {@link boundsByMove} of moves there. */
export function boundsByMajor({ codec, metric, slice, space }: PassWork): Uint16Array[] {
  const countingOn = boundsByMove(codec, metric, false);
  const restarting = boundsByMove(codec, metric, true);
  const bounds = new Array<Uint16Array>(space.ownMajors).fill(countingOn);
  for (const dependency of slice.dependencies) {
    const there = dependency.restarts.includes(metric) ? restarting : countingOn;
    for (let major = 0; major < majorsIn(dependency, 2); major++) bounds.push(there);
  }
  return bounds;
}

/** By best bound of all moves: the code of the position when there are no other moves. */
export function decided(codec: Codec): Uint16Array {
  return Uint16Array.from({ length: codec.codes }, (_, code) => {
    const kind = codec.kindOf[code];
    if (kind === CodeKind.pending) return codec.loss(codec.plyOf[code]);
    return kind === CodeKind.none && codec.bits === 2 ? codec.loss(0) : code;
  });
}
