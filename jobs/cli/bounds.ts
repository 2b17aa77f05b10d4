/** Bounds and defaults of settings. */
export const Bounds = {
  memory: { least: 2 ** 20 },
  workers: { least: 1, most: 256 },
  fanIn: { least: 2, most: 4096 },
  batch: { least: 1, most: 2 ** 24 },
  /** Bounds for an ending; games have bounds of their own. */
  pieces: { least: 1, most: 64 },
  ranks: { least: 1, most: 99_999 },
  partitions: { least: 1, most: 99_999 },
  /** Indices of a side of a slice that a check looks at. */
  checked: { least: 1, most: 2 ** 30 },
} as const;

export const Defaults = {
  store: './tables',
  published: './published',
  watchSeconds: 2,
  port: 8080,
  memory: '256MiB',
  /** Memory for blocks that were read of tables. */
  cache: '64MiB',
  /** For slices with fewer bytes of labels, starting processes would take longer than their rounds. */
  wholeBelow: '64MiB',
  fanIn: 16,
  batch: 65536,
} as const;

/** Forms of publications, and where they go unless --to is given. */
export const FORMS = { compact: Defaults.published, syzygy: './syzygy', site: './site' } as const;
export type Form = keyof typeof FORMS;
