/**
 * Derives what Syzygy's files of an ending say from what they say of the positions that moves lead to, by the engine's verification: the
 * best of the moves of whole parts. Files become columns in the order of the slices' indices. Where a capture is as good as a position is
 * worth, the file may hold anything, so captures raise what it holds. Outcomes are derived first, then plies.
 *
 * Neither is an equality. A win that a quiet move keeps may be cursed by that move, and files may give plies in pairs. So the best of the
 * moves bounds what a file may say. Files hold the plies of one side to move: those of the other side are derived from them, and they from
 * those.
 *
 * The memory does not depend on the ending, up to the least that a part needs. Scratch takes a byte for each position of the ending and
 * of all that it leads to, and more for its own (`auditBytes`).
 */
import type { Scratch } from '../../operators/storage/scratch.js';
import { CENSUS_ROWS, newCensus, piecesOf } from '../game/fill-census.js';
import type { Side, Slice } from '../game/game.js';
import { DRAWN } from '../game/labels.js';
import { countRepeats } from '../game/repeats.js';
import { SIDES } from '../game/side.js';
import { chess } from '../games/chess/chess.js';
import { legalMoves } from '../games/chess/rules.js';
import { shapeOf } from '../games/chess/shape.js';
import { type FileKind, fileName, MissingFileError, SyzygyOutcome } from '../games/chess/syzygy/format.js';
import { type Kernels, newKernels } from '../games/chess/syzygy/kernels.js';
import { type Material, materialOf } from '../games/chess/syzygy/material.js';
import type { SyzygyFile } from '../games/chess/syzygy/read/file.js';
import {
  type CellsOptions,
  legalCells,
  NO_CELL,
  readCells,
  type SliceCells,
  TWO_CELLS,
  VALUE_BITS,
} from '../games/chess/syzygy/read/slice-cells.js';
import type { SyzygyTables } from '../games/chess/syzygy/read/tables.js';
import { Column, fenOf, partsInOrder, type Wrong } from './columns.js';

export type { Wrong } from './columns.js';

import { AuditMoves } from './moves.js';
import { byZeroing, Fact, LEAST_QUIET, MOST_QUIET, outcomeOfRank, rankOfOutcome, word } from './outcomes.js';
import { type KnownSlice, PliesAudit } from './plies.js';

export interface Audited {
  readonly name: string;
  /** Positions that were derived. */
  positions: number;
  /** The first that is wrong, by the order of the slices' parts; null if none is. */
  wrong: Wrong | null;
}

export interface AuditorOptions {
  readonly tables: SyzygyTables;
  /** Bytes of buffers. */
  readonly memory: number;
  readonly scratch: Scratch;
  /** Called between parts. */
  readonly pause: () => Promise<void>;
}

/** The share of the memory for cells that kernels have. */
const KERNELS = 5 / 8;

/** The bits of a cell's value. */
const VALUE = (1 << VALUE_BITS) - 1;

/** The outcomes that programs find in files of WDL, of a side: ranks as outcomes.ts says. */
interface Outcomes {
  readonly column: Column;
  /** A position whose mirror image has another outcome. */
  readonly wrong: Wrong | null;
}

export class Auditor {
  readonly #tables: SyzygyTables;
  readonly #memory: number;
  readonly #scratch: Scratch;
  readonly #pause: () => Promise<void>;
  readonly #kernels: Kernels;
  /** By side and slice. */
  readonly #outcomes = [new Map<string, Outcomes>(), new Map<string, Outcomes>()] as const;

  constructor({ tables, memory, scratch, pause }: AuditorOptions) {
    this.#tables = tables;
    // Half of it for cells on their way, half for ranks.
    this.#memory = Math.floor(memory / 2);
    this.#scratch = scratch;
    this.#pause = pause;
    this.#kernels = newKernels(KERNELS * this.#memory, scratch);
  }

  /**
   * Audits both files of an ending; plies only if all outcomes are right, for they are derived from these. Throws MissingFileError if a
   * file is missing that it converts to, UserError if the memory is too small, StorageError.
   */
  async audit(material: Material): Promise<Audited[]> {
    const slices = slicesOf(material.name);
    const wdl: Audited = { name: fileName(material, 'wdl'), positions: 0, wrong: null };
    const known: KnownSlice[] = [];
    try {
      for (const slice of slices) {
        const facts = SIDES.map(() => new Column(slice, this.#scratch.swap()));
        known.push({ slice, outcomes: await this.#columnsOf(slice), facts });
        const { positions, wrong } = await this.#judge(slice, facts);
        wdl.positions += positions;
        wdl.wrong = wrong;
        if (wrong !== null) return [wdl];
      }
      return [wdl, { name: fileName(material, 'dtz'), ...(await this.#judgePlies(known)) }];
    } finally {
      for (const column of known.flatMap(({ facts }) => facts)) column.remove();
    }
  }

  async #judgePlies(slices: readonly KnownSlice[]): Promise<Judged> {
    const audit = new PliesAudit({
      slices,
      cells: (side, want) =>
        this.#cells(
          slices.map(({ slice }) => slice),
          side,
          'dtz',
          want,
        ),
      memory: this.#memory,
      scratch: this.#scratch,
      pause: this.#pause,
    });
    try {
      const wrong = await audit.audit();
      return { positions: audit.positions, wrong };
    } finally {
      audit.dispose();
    }
  }

  /** Deletes the outcomes kept in scratch of all endings but these and those that their captures and promotions lead to. */
  keepFor(materials: readonly Material[]): void {
    const kept = new Set<string>();
    for (const { name } of materials) for (const slice of slicesOf(name)) addReached(slice, kept);
    for (const outcomes of this.#outcomes) {
      for (const [name, { column }] of outcomes) {
        if (kept.has(name)) continue;
        column.remove();
        outcomes.delete(name);
      }
    }
  }

  async #cells(slices: readonly Slice[], side: Side, kind: FileKind, want: CellsOptions['want']) {
    const file = await this.#file(slices[0].name, kind);
    return readCells({ kernels: this.#kernels, file, slices, side, want, pause: this.#pause });
  }

  async #file(slice: string, kind: FileKind): Promise<SyzygyFile> {
    const [white, black] = shapeOf(slice).men;
    const material = materialOf(white, black);
    const file =
      (await this.#tables.file(material, kind)) ?? (await this.#tables.file(materialOf(black, white), kind));
    if (file === null) throw new MissingFileError(`${fileName(material, kind)} is missing`);
    return file;
  }

  async #columnsOf(slice: Slice, sides: readonly Side[] = SIDES): Promise<Column[]> {
    const columns: Column[] = [];
    for (const side of sides) columns[side] = (await this.#resolved(slice, side)).column;
    return columns;
  }

  /** The outcomes of dependencies; undefined of those that are not wanted. */
  async #behind({ dependencies }: Slice, isWanted: (slice: string) => boolean) {
    const tables: (Column[] | undefined)[] = [];
    for (const { slice, sidesThere } of dependencies) {
      tables.push(isWanted(slice) ? await this.#columnsOf(chess.slice(slice), sidesThere) : undefined);
    }
    return tables;
  }

  async #resolved(slice: Slice, side: Side): Promise<Outcomes> {
    const sides = this.#outcomes[side];
    if (!sides.has(slice.name)) await this.#resolve(slicesOf(chess.ending(slice.name).class), side);
    return sides.get(slice.name)!;
  }

  /** Makes of what cells of an ending hold what programs find. */
  async #resolve(slices: readonly Slice[], side: Side): Promise<void> {
    const outcomes = this.#outcomes[side];
    const men = menOf(slices[0].name);
    if (men === 2) {
      const column = new Column(slices[0], null, rankOfOutcome(SyzygyOutcome.draw));
      outcomes.set(slices[0].name, { column, wrong: null });
      return;
    }
    const isCapture = (name: string) => menOf(name) < men;
    for (const slice of slices) await this.#behind(slice, isCapture);
    const cells = await this.#cells(slices, side, 'wdl', legalCells(side));
    try {
      for (const slice of slices) {
        const tables = [undefined, ...(await this.#behind(slice, isCapture))];
        const moves = new AuditMoves({ slice, tables, memory: this.#memory });
        const column = new Column(slice, this.#scratch.swap());
        try {
          outcomes.set(slice.name, { column, wrong: await this.#raise(slice, side, column, cells, moves) });
        } finally {
          moves.close();
        }
      }
    } finally {
      cells.dispose();
    }
  }

  /** Raises the cells of a slice by captures. */
  async #raise(
    slice: Slice,
    side: Side,
    column: Column,
    cells: SliceCells,
    moves: AuditMoves,
  ): Promise<Wrong | null> {
    const isPassant = shapeOf(slice.name).taker !== null;
    const found = new Uint16Array(CENSUS_ROWS);
    const ranks = new Uint8Array(CENSUS_ROWS);
    let wrong: Wrong | null = null;
    for (let part = 0; part < slice.parts; part++) {
      const best = await moves.leaving(side, part);
      for (const { first, length } of piecesOf(slice, part)) {
        const some = found.subarray(0, length);
        cells.next(some);
        for (let i = 0; i < length; i++) {
          ranks[i] = 0;
          if (some[i] === NO_CELL) continue;
          const stored = some[i] & VALUE;
          const captured = byZeroing(best[first + i]);
          const isNone = stored > SyzygyOutcome.win;
          if (wrong === null && (isNone || (some[i] >= TWO_CELLS && captured < stored))) {
            wrong = {
              fen: fenOf(slice, side, part, first + i),
              says: isNone ? 'nothing' : `${word(stored)}, and another outcome of its mirror image`,
              derived: 'one outcome',
            };
          }
          // The file knows of no right to capture en passant, and may hold a stalemate.
          const isTaken = isPassant && stored === SyzygyOutcome.draw && captured >= 0 && captured < stored;
          const is =
            isTaken && isForced(slice, side, part, first + i) ? captured : Math.max(stored, captured);
          ranks[i] = rankOfOutcome(Math.min(is, SyzygyOutcome.win));
        }
        column.write(part, first, ranks.subarray(0, length));
      }
      await this.#pause();
    }
    return wrong;
  }

  /** Derives all outcomes of a slice, and notes facts of each position. */
  async #judge(slice: Slice, facts: readonly Column[]): Promise<Judged> {
    let positions = 0;
    for (const side of SIDES) {
      const { wrong } = await this.#resolved(slice, side);
      if (wrong !== null) return { positions, wrong };
    }
    const own = await this.#columnsOf(slice);
    const tables = [own, ...(await this.#behind(slice, () => true))];
    const moves = new AuditMoves({ slice, tables, memory: this.#memory });
    const ranks = new Uint8Array(CENSUS_ROWS);
    const noted = new Uint8Array(CENSUS_ROWS);
    const census = newCensus(CENSUS_ROWS);
    try {
      for (const side of SIDES) {
        for (const part of partsInOrder(slice, side)) {
          const zeroing = await moves.leaving(side, part);
          const quiet = await moves.quiet(side, part);
          for (const { first, length } of piecesOf(slice, part)) {
            const some = ranks.subarray(0, length);
            own[side].read(part, first, some);
            let isCounted = false;
            for (let i = 0; i < length; i++) {
              if (some[i] === 0) continue;
              positions++;
              const stored = outcomeOfRank(some[i]);
              const zero = zeroing[first + i];
              const still = quiet[first + i];
              noted[i] = zero;
              let least = Math.max(byZeroing(zero), LEAST_QUIET[still]);
              let most = Math.max(byZeroing(zero), MOST_QUIET[still]);
              if (least < 0) {
                if (!isCounted) slice.census(side, part, first, length, census);
                isCounted = true;
                const isMated = census.counts[i] !== DRAWN;
                if (isMated) noted[i] = Fact.mated;
                least = most = isMated ? SyzygyOutcome.loss : SyzygyOutcome.draw;
              }
              if (stored < least || stored > most) {
                const derived = least >= most ? word(most) : `${word(least)} or ${word(most)}`;
                const fen = fenOf(slice, side, part, first + i);
                return { positions, wrong: { fen, says: word(stored), derived } };
              }
            }
            positions -= countRepeats(slice, part, first, length, (i) => some[i] !== 0);
            facts[side].write(part, first, noted.subarray(0, length));
          }
          await this.#pause();
        }
      }
    } finally {
      moves.close();
    }
    return { positions, wrong: null };
  }
}

type Judged = Readonly<Pick<Audited, 'positions' | 'wrong'>>;

/** Whether a side has moves only because it may capture en passant. */
function isForced(slice: Slice, side: Side, part: number, key: number): boolean {
  const { squares, side: mover } = chess.board({ slice: slice.name, side, part, key });
  return legalMoves({ squares, side: mover }).length === 0;
}

function menOf(slice: string): number {
  return shapeOf(slice).men.join('').length + 2;
}

/** The slices of an ending, or of its positions with a right to capture en passant. */
function slicesOf(ending: string): Slice[] {
  return chess.ending(ending).slices.map((name) => chess.slice(name));
}

/** Adds a slice and all that it leads to. */
function addReached({ name, dependencies }: Slice, names: Set<string>): void {
  if (names.has(name)) return;
  names.add(name);
  for (const { slice } of dependencies) addReached(chess.slice(slice), names);
}

/** For each index of a side of an ending: facts and plies of both sides, and cells on their way. */
const OWN_BYTES = 2 + 4 + 6;

/** Bytes that an audit of an ending takes in scratch at most. */
export function auditBytes({ name }: Material): number {
  const own = slicesOf(name);
  const reached = new Set<string>();
  for (const slice of own) addReached(slice, reached);
  const outcomes = [...reached].reduce((sum, slice) => sum + 2 * chess.slice(slice).size, 0);
  return outcomes + OWN_BYTES * own.reduce((sum, { size }) => sum + size, 0);
}
