/**
 * All positions of something solved: endings of a game (ending-tables.ts), a keyed game or a graph (graph-tables.ts), under one metric.
 * `stats`, `export` and `verify` ask this view alone. Single positions are {@link Solved}.
 */
import { UserError } from '../../operators/core/errors.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { DerivedPart } from '../../pipeline/game/step-manifests.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { VerifiedRules } from '../../pipeline/graph/verify-rules.js';
import type { MetricOptions } from '../cli/options.js';
import type { Column } from '../export/columns.js';
import { firstRows, type RowsToWrite } from '../export/rows.js';
import type { SolvedValue } from '../positions/value.js';
import type { Conditions } from '../positions/where.js';
import type { ReportFiles } from '../report/folder.js';
import type { Block } from '../ui/document.js';

export interface TableFlags extends MetricOptions, Pick<Conditions, 'zugzwang' | 'on'> {
  readonly pieces?: number;
  readonly published?: string;
  readonly memory?: number;
  readonly workers?: number;
  readonly scratch?: string;
  /** A format that holds positions of chess alone: other games refuse it, solved or not. */
  readonly chessFormat?: string | undefined;
}

export function refuseChessFormat(game: string, format: string | undefined): void {
  if (format !== undefined)
    throw new UserError(
      `--format ${format} is for chess: positions of ${game} can be written as jsonl, csv, parquet or arrow`,
    );
}

/** Statistics: for programs, and as a document for people. */
export interface Statistics {
  readonly json: object;
  readonly document: readonly Block[];
}

/** What a command prints: with `--json` the one, else the other. */
export interface Printed {
  readonly json: object;
  readonly text: string;
}

/** Rows for a file. */
export interface ExportedRows {
  readonly columns: readonly Column[];
  /** What progress is shown of. */
  readonly slices: readonly string[];
  /** Opens the tables. */
  rows(progress: ProgressListener): Promise<RowsToWrite>;
}

/** Which rows are asked for, and what of them. What is left out is all. */
export interface RowQuery {
  readonly where?: Conditions | undefined;
  readonly limit?: number | undefined;
  /** Whether the best moves are a column, unless `columns` says which there are. */
  readonly moves?: boolean | undefined;
  /** As `--columns` has them. */
  readonly columns?: string | undefined;
}

/** A value of a move, by which it is as good as another. */
type MoveValue = Pick<SolvedValue, 'wdl' | 'plies' | 'score'>;

/** The moves that are as good as the first of them. */
export function bestOf<Move extends MoveValue>(
  moves: readonly Move[],
  name: (move: Move) => string,
): string[] {
  const [best] = moves;
  return moves
    .filter(({ wdl, plies, score }) => wdl === best.wdl && plies === best.plies && score === best.score)
    .map(name);
}

/** Rows of which no more are written than were asked for, and which say so. */
export function askedRows(rows: RowsToWrite, { where, limit }: RowQuery): RowsToWrite {
  const about = JSON.stringify({ ...JSON.parse(rows.about), where, limit });
  return { ...rows, about, batches: limit === undefined ? rows.batches : firstRows(rows.batches, limit) };
}

/** How tables are derived again from their moves, and the words for what is found. */
export interface Verification {
  verify(progress: ProgressListener): Promise<DerivedPart>;
  /**
   * Compares the moves that were stored with those that the rules give. Left out where `verify` asks the rules for every move.
   * @throws UserError where there are no rules.
   */
  readonly rules?: (progress: ProgressListener) => Promise<VerifiedRules>;
  readonly slices: readonly string[];
  /** "KQK, dtm" */
  readonly what: string;
  /** What its positions and its moves are called. */
  readonly units: readonly [positions: string, moves: string];
  json(found: DerivedPart): object;
  mismatches(found: DerivedPart): Promise<readonly Printed[]>;
}

export interface SolvedTables {
  readonly name: string;
  readonly metric: Metric;
  /** The endings that were asked for; none of keyed games and graphs, which are solved as a whole. */
  readonly endings: readonly string[];
  rows(query: RowQuery): Promise<ExportedRows>;
  statistics(): Promise<Statistics>;
  /** @param scratchFolder for what is sorted. */
  verification(scratchFolder: string): Promise<Verification>;
  /** @param folder of the report, for the command that the page names. */
  report(folder: string): Promise<ReportFiles>;
}
