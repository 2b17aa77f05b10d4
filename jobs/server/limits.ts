/** Limits on connections and requests. */
export interface Limits {
  /** Characters of a path with its query. */
  readonly url: number;
  /** Bytes of all headers. */
  readonly headers: number;
  /** Bytes of a body. */
  readonly body: number;
  /** Positions of a batch. */
  readonly batch: number;
  /** Characters of the answer to a batch: nodes of graphs may have thousands of edges. */
  readonly batchAnswer: number;
  /** Milliseconds in which the headers, and the whole request, must have come. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Milliseconds after which an answer that is not there yet is given up. */
  readonly answerMs: number;
  /** Lookups at work at once. */
  readonly running: number;
  /** Positions of all batches at work at once; a larger batch works alone. */
  readonly positions: number;
  /** Scans of tables at work at once. */
  readonly scans: number;
  /** Plans at work at once. */
  readonly plans: number;
  /** Pawn structures of a plan, and milliseconds of CPU for its forecast. */
  readonly structures: number;
  readonly forecastMs: number;
  /** Requests of each of these four kinds that may wait for their turn. */
  readonly waiting: number;
  readonly connections: number;
  /** Requests that a connection may send ahead of the answer to its first one. They are answered one after another. */
  readonly pipelined: number;
  /** Bytes of answers, of all connections together, that clients have not taken yet. */
  readonly unsent: number;
  /** Milliseconds without a byte from or to a client after which its connection is cut; more than `answerMs`. */
  readonly silentMs: number;
  /** Milliseconds that requests have to end when the server stops. */
  readonly stopMs: number;
}

export const LIMITS: Limits = {
  url: 2048,
  headers: 16 << 10,
  body: 256 << 10,
  batch: 1000,
  batchAnswer: 16 << 20,
  headersMs: 10_000,
  requestMs: 20_000,
  answerMs: 30_000,
  running: 16,
  positions: 2000,
  scans: 1,
  plans: 1,
  structures: 4000,
  forecastMs: 2000,
  waiting: 256,
  connections: 2048,
  pipelined: 64,
  unsent: 16 << 20,
  silentMs: 60_000,
  stopMs: 4_000,
};
