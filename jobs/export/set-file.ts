/** Metadata of an exported file, and the interface that all formats share. */
import { z } from 'zod';
import type { Sink, Store } from '../../operators/storage/store.js';
import type { ColumnRows } from '../../pipeline/export/columns.js';
import { SET_COLUMNS } from './format.js';

/** Held in the metadata of the file under the name `mergemate`, as JSON. */
export const About = z.object({
  game: z.string(),
  metric: z.string(),
  /** In the colours of the rows: a slice seen with its colours exchanged has its other name. */
  slice: z.string(),
  columns: z.array(z.enum(SET_COLUMNS)),
  /** Digests of the table that the rows were read from, both sides. */
  digests: z.array(z.string()),
  rows: z.number(),
});
export type About = z.infer<typeof About>;

export const ABOUT = 'mergemate';

/** Rows that are held in memory, and that readers get at once. */
export const GROUP_ROWS = 1 << 17;

/** How a file is written. */
export interface FileFormat {
  /** Writes a whole file, but does not close the sink. */
  write(rows: ColumnRows, about: About, sink: Sink): Promise<void>;
}

/** A format for sets: its files can be asked for their metadata. */
export interface SetFormat extends FileFormat {
  /** The ending of file names, without the dot. */
  readonly suffix: string;
  /** The text under ABOUT in the metadata of a file; null if the file has none, or is no file of this format. */
  readAbout(store: Store, name: string, bytes: number): Promise<string | null>;
}
