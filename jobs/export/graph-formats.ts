/** How rows of graphs can be written. */
export const GRAPH_FORMATS = ['jsonl', 'arrow', 'parquet'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
