/** The names of formats and columns of positions, for code that loads no more. */

export const lineFormats = ['jsonl', 'csv', 'epd', 'pgn'] as const;
export type LineFormat = (typeof lineFormats)[number];

/** Those that only chess has. */
export const CHESS_FORMATS = ['epd', 'pgn'] as const satisfies readonly LineFormat[];
export type ChessFormat = (typeof CHESS_FORMATS)[number];

export function isChessFormat(format: string | undefined | null): format is ChessFormat {
  return CHESS_FORMATS.some((each) => each === format);
}

/** The columns that rows have for mutual zugzwangs. */
export const ZUGZWANG_COLUMNS = ['zugzwang', 'passed', 'passed_plies'] as const;
