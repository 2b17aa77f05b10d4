/** The interface that all formats of exported files share. */
import type { Sink, Store } from '../../operators/storage/store.js';
import type { RowsToWrite } from './rows.js';

/** The name under which the metadata of a file say what it holds. */
export const ABOUT = 'mergemate';

/** Rows that are held in memory, and that readers get at once. */
export const GROUP_ROWS = 1 << 17;

/** How a file is written. */
export interface RowFormat {
  /** The ending of file names, without the dot. */
  readonly suffix: string;
  /** Writes a whole file, but does not close the sink. */
  write(rows: RowsToWrite, sink: Pick<Sink, 'write'>): Promise<void>;
  /**
   * Reads the text that {@link RowsToWrite.about} put into a file; null if the file has none, or has another format.
   * Formats without metadata do not have this.
   */
  readAbout?(store: Store, name: string, bytes: number): Promise<string | null>;
}
