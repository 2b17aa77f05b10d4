import type { Metric } from './value.js';

/**
 * The Game contract: all that the pipeline knows of a game. Positions of a slice are addressed by (side, part, key):
 * `side` is the player to move (0 is the first group of the name, "white"), a *part* is an interval of the slice's
 * index space, and `key` < 2^32 the offset in the part: index = part * width + key, a safe integer.
 *
 * Batch kernels are synchronous, work on typed arrays, allocate nothing and are handed *canonical legal* positions
 * only (except `census`, which says which those are).
 *
 * **Multiplicity.** Symmetry can make several moves of one position reach the same canonical successor. Out-counts
 * and requests must count the same thing, so the contract is a mirror of multisets: for canonical legal positions p
 * and q of a slice, `unmoves(q)` emits p exactly as many times as `moves(p)` emits q, and `moves(p)` emits one row for
 * every legal in-slice move of p. (`unmoves` may besides emit broken or illegal indices: the join with the labels
 * drops them.) A slice without `unmoves` needs nothing for this: its moves are written down once, ordered by where they
 * lead, which is their mirror by construction (pipeline/phases/edges.ts).
 */
export type Side = 0 | 1;

/** Where a kernel writes. Rows beyond `length` are free; capacity is the length of the arrays. */
export interface Emission {
  length: number;
  /** `bias + part` of the emitted position: lets the pipeline put more than the part into a request's major key. */
  readonly major: Uint32Array;
  readonly minor: Uint32Array;
  /** Number (in the input batch) of the position the row came from; written by `moves` and `conversions` only. */
  readonly source: Uint32Array;
}

/**
 * Emits rows for the positions keys[from..to) of `part` with `side` to move; majors are `bias` + part. Stops before a
 * position whose rows might not fit; returns the first position not done.
 */
export type MoveKernel = (
  side: Side,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  bias: number,
  out: Emission,
) => number;

/** As {@link Emission}, for rows that all lie in one part. */
export interface KeyEmission {
  length: number;
  readonly minor: Uint32Array;
}

/**
 * Unmoves divided by where they lead, an optional optimisation. What stays in the part need not be sent or ordered: it is
 * applied while the labels of the part are in the cache. The two together emit what `unmoves` of the slice emits; what
 * stays in its part may yet be emitted by *beyond*.
 */
export interface PartKernels {
  /** The predecessors in the same part (the other side to move). */
  unmovesWithin(
    side: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
  ): number;
  readonly unmovesBeyond: MoveKernel;
}

/**
 * What `census` tells of an interval of indices, in the form of the label planes (pipeline/labels.ts); pipeline/census.ts
 * writes it, and reads it, a position at a time.
 */
export interface Census {
  /** Of each index, its legal moves with multiplicity; 0 if broken or lost, DRAWN if drawn. */
  readonly counts: Uint8Array;
  /** Of each index, how many of these leave the slice; 0 if broken, lost or drawn. Null if nobody asks. */
  readonly conversions: Uint8Array | null;
  /** A bit of each index, the lowest of a byte first: whether it has legal moves. The last byte is filled up with 0. */
  readonly open: Uint8Array;
  /** Keys of the positions that are lost, ascending: the first `lost` of them. */
  readonly lostKeys: Uint32Array;
  lost: number;
  /** How many positions are legal, and how many drawn. */
  legal: number;
  drawn: number;
}

/** What an index is before anything is solved. */
export const Status = {
  /** No legal position, or not the canonical representative of one. */
  broken: 0,
  /** Has legal moves. */
  open: 1,
  /** No legal moves, and the side to move has lost (checkmate). */
  lost: 2,
  /** No legal moves, and the game is drawn (stalemate). */
  drawn: 3,
} as const;

/** A slice that conversions lead to. */
export interface Dependency {
  readonly slice: string;
  readonly parts: number;
  /**
   * The metrics whose count starts anew with every move to that slice; the others count on. Which they are must not depend
   * on the move, so moves of which it does lead to slices of their own. `wdl` counts nothing and need not be named.
   */
  readonly restarts: readonly Metric[];
}

/** The kernels of a slice: what is called millions of times, on typed arrays. docs/your-own-game.md explains each. */
export interface Slice {
  /** Canonical name, e.g. "KRKN". */
  readonly name: string;
  readonly parts: number;
  /** Positions of a part; the last part may be shorter. */
  readonly width: number;
  /** Positions of a side: (parts - 1) * width + partSize(parts - 1). */
  readonly size: number;
  partSize(part: number): number;
  /** Slices that conversions lead to, in a fixed order; conversions address them by number. */
  readonly dependencies: readonly Dependency[];
  /** No position emits more rows than this, in any kernel. Nor has any position more legal moves. */
  readonly maxMoves: number;

  /** Classifies the indices [first, first + length) of a part; results from the beginning of `out` on. */
  census(side: Side, part: number, first: number, length: number, out: Census): void;

  /** Emits the in-slice successors of positions with `side` to move; the successors have the other side to move. */
  readonly moves: MoveKernel;

  /**
   * Emits the in-slice predecessors (the other side to move) of positions with `side` to move: the mirror of `moves`, as
   * above. Games may do without: the solver then writes all moves down once, 8 bytes each, ordered by successor, and every
   * round reads those that lead to what was labelled last. That takes more disk and more reading (ARCHITECTURE.md says
   * how much), solves slices in one process only, and at most 2^32 positions a side.
   */
  readonly unmoves?: MoveKernel;

  /** See {@link PartKernels}. Only where there are `unmoves`. */
  readonly local?: PartKernels;

  /**
   * As `moves`, but emits the successors that lie in dependencies. The row's major is
   * `conversionBias[2 * dependency + side to move there] + part there`.
   */
  conversions(
    side: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    conversionBias: ArrayLike<number>,
    out: Emission,
  ): number;

  /**
   * The mirror of `conversions`, which games may do without (conversions are then joined with the tables): of positions
   * keys[from..to) of `part` of a dependency, with `sideThere` to move, emits each position p of this slice with `side`
   * to move as often as `conversions(p)` emits that position; major = `bias` + part of p. Like `unmoves` it may besides
   * emit broken or illegal indices, and like `moves` it stops before a position whose rows might not fit. A dependency
   * may be reached with and without an exchange of the sides, so both `side` and `sideThere` are given; where no
   * conversion of `side` leads to `sideThere`, it emits nothing.
   */
  unconversions?(
    side: Side,
    dependency: number,
    sideThere: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    bias: number,
    out: Emission,
  ): number;

  /**
   * Distances at which positions of the index resemble each other, ascending: what the digits of the index before the last
   * one count. A hint for compression. Games may leave it out.
   */
  rows?(side: Side): readonly number[];

  /**
   * Marks (1, else 0) the positions of the indices [first, first + length) of a part whose value a short search over their
   * moves finds, so that published tables need not hold it. Games where there are none leave it out.
   */
  dontCares?(side: Side, part: number, first: number, length: number, out: Uint8Array): void;

  /** Boards that the canonical position stands for (its orbit under the symmetries), for each of keys[0..length). */
  orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void;
}

/** A position as the pipeline addresses it. */
export interface Address {
  readonly slice: string;
  readonly side: Side;
  readonly part: number;
  readonly key: number;
}

/** A legal move as people read it. `uci` and `san` are chess's words; other games put their own notation in both. */
export interface Move<Board> {
  readonly uci: string;
  readonly san: string;
  readonly board: Board;
}

/** What people mean by the name of an ending. */
export interface Ending {
  /** The name as people write it: the canonical name, or that with its sides exchanged. */
  readonly name: string;
  /** Canonical names of the slices it is: one, or all slices of a class of positions, in a fixed order. */
  readonly slices: readonly string[];
  /** The names of the sides were exchanged: side 0 of the slices has the colour of side 1. */
  readonly flipped: boolean;
  /**
   * The name with its sides exchanged; the same name if both sides are the same. The positions of such a slice are, with
   * one side to move, those with the other with the colours exchanged, so that counting both would be to do it twice.
   */
  readonly exchanged: string;
  /** All pieces on the board; kings are pieces. */
  readonly pieces: number;
  /** The name of the class that it belongs to: its own, unless it is one of several slices of a class. */
  readonly class: string;
}

/** What players are called. */
export type Colour = 'white' | 'black';

/** A short search, by which publications leave out what it finds. */
export interface Search<Board> {
  /** Whether published tables may leave the value of the board out. */
  dontCare(board: Board): boolean;
  /** The board after each legal move. */
  successors(board: Board): Board[];
  /** Whether two boards are the same position. */
  same(a: Board, b: Board): boolean;
}

/** A game: its rules for people, one board at a time, and the {@link Slice}s that are solved. */
export interface Game<Board = unknown> {
  readonly name: string;
  /** The colours of side 0 and side 1, in the names of slices. */
  readonly colours: readonly [Colour, Colour];
  /** What its tables may hold; the first unless another is asked for. */
  readonly metrics: readonly [Metric, ...Metric[]];
  /** Whether boards of slices that are their own mirror image are all located on side 0. */
  readonly locatesMirrored: boolean;
  /** Whether (part, key) is the same placement of men with either side to move, so that passing keeps the address. */
  readonly sidesShareIndex?: boolean;
  /** Reads the name of an ending as people write it ("knkr"). Throws UserError for names that are no ending. */
  ending(text: string): Ending;
  /** Of a game that is solved as a whole: all of its slices, which need not be named. */
  readonly whole?: Ending;
  /** All endings of at most so many pieces (kings are pieces), smaller ones first. Throws UserError if too many. */
  endingsUpTo(pieces: number): readonly Ending[];
  slice(name: string): Slice;
  /** What the name of a slice says besides the pieces, in words ("white pawn on rank 6"); null if it says nothing more. */
  sliceWords?(name: string): string | null;
  /** Reads a position (FEN, or what the game has for one). Throws UserError saying what is malformed or why it is illegal. */
  parse(text: string): Board;
  format(board: Board): string;
  /** The canonical address of a legal board. Throws UserError when no slice can hold it (pawns, too many men). */
  locate(board: Board): Address;
  /** A board at a canonical address; with `flipped`, with the colours exchanged. */
  board(address: Address, flipped?: boolean): Board;
  /**
   * Of games with symmetries: the boards that are the same position as this one, itself among them, each once; as many as
   * `orbitSizes` says. Nobody needs them but who checks the symmetries (`mergemate check`).
   */
  images?(board: Board): Board[];
  moves(board: Board): Move<Board>[];
  /** 'lost' (mated) or 'drawn' (stalemate) when there are no legal moves, else 'open'. */
  terminal(board: Board): 'open' | 'lost' | 'drawn';
  mover(board: Board): Colour;
  /**
   * Of games whose positions are written with a count of plies without progress, after which a rule draws: that count. Values
   * under `dtz` are then those with so many plies gone.
   */
  clock?(board: Board): number;
  /** For games that have don't-cares ({@link Slice.dontCares}): what a search for their values needs. */
  readonly search?: Search<Board>;
  /** A picture of the board in text, lines ended by newlines. */
  diagram(board: Board): string;
}
