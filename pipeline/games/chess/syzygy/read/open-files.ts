/** The open files of one or more folders, and where a board is in them. */
import { assert, UnlistedError } from '../../../../../operators/core/errors.js';
import type { Store } from '../../../../../operators/storage/store.js';
import type { Side } from '../../../../game/game.js';
import { type ChessBoard, LETTERS, PAWN } from '../../rules.js';
import { inOrder } from '../../shape.js';
import { EXTENSION, type FileKind, fileName, type MissingFileError, missingFiles } from '../format.js';
import { BoardIndices } from '../indices.js';
import {
  BLACK,
  convertedTo,
  exchangedMaterial,
  filedMaterial,
  type Material,
  MOST_MEN,
  materialOf,
} from '../material.js';
import { openSyzygyFile, type SyzygyFile } from './file.js';
import type { StoredSubtable } from './head.js';
import type { Pages } from './pages.js';

const KINDS = Object.keys(EXTENSION) as FileKind[];

/** A file that boards are looked up in. */
interface Opened {
  readonly file: SyzygyFile;
  /** The file is of the same men with the colours exchanged. */
  readonly isTurned: boolean;
  /** By code of a man: the number of the first such man in the file's material. */
  readonly firsts: Uint8Array;
  /** By file of the leading pawn and side, the numbers of the subtables' indices. */
  readonly indices: readonly (readonly number[])[];
}

/** What the files of a folder hold of boards with the same men, as far as they are open. */
export interface Ending {
  /** Letters of White's men and of Black's beside the kings, in order. */
  readonly white: string;
  readonly black: string;
  wdl: Opened | null;
  dtz: Opened | null;
}

/** A board as a file has it. */
export interface Place {
  file: SyzygyFile;
  /** Null: the file is of the other side to move. */
  subtable: StoredSubtable | null;
  /** In the subtable. */
  index: number;
}

/** Men of a kind count as this much in the number of an ending, by their code; kings do not count. */
const UNITS = Int32Array.from({ length: 2 * BLACK }, (_, code) => {
  const kind = code % BLACK;
  return kind === 0 || kind > 5 ? 0 : 1 << (3 * (kind - 1 + (code > BLACK ? 5 : 0)));
});

/**
 * Opens each file once, and keeps its decoded head. `placeOf` is called for every position that a probe looks at, so it makes no
 * objects: what it returns is valid until it is called again.
 */
export class OpenFiles {
  readonly #stores: readonly Store[];
  readonly #pages: Pages;
  readonly #files = new Map<string, Promise<SyzygyFile | null>>();
  readonly #endings = new Map<number, Ending>();
  /** The men of the board that was looked at last: codes and squares. */
  readonly #codes = new Uint8Array(MOST_MEN);
  readonly #squares = new Uint8Array(MOST_MEN);
  #count = 0;
  #indices: BoardIndices | null = null;
  readonly #next = new Uint8Array(2 * BLACK);
  #place: Place | null = null;

  /** @param stores a file is that of the first one that has it. */
  constructor(stores: readonly Store[], pages: Pages) {
    this.#stores = stores;
    this.#pages = pages;
  }

  /** The file of a material; null if there is none. Throws StorageError. */
  open(material: Material, kind: FileKind): Promise<SyzygyFile | null> {
    const name = fileName(material, kind);
    let found = this.#files.get(name);
    if (found === undefined) {
      found = this.#openFirst(name, kind, material);
      this.#files.set(name, found);
      const forget = () => this.#files.delete(name);
      // A file that is missing now may be there the next time.
      found.then((file) => file ?? forget(), forget);
    }
    return found;
  }

  async #openFirst(name: string, kind: FileKind, material: Material): Promise<SyzygyFile | null> {
    for (const store of this.#stores) {
      const file = await openSyzygyFile(store, this.#pages, name, kind, material);
      if (file !== null) return file;
    }
    return null;
  }

  /** Closes the file that messages call so: it is checked and opened again when it is needed. */
  async close(object: string): Promise<void> {
    for (const [name, opening] of [...this.#files]) {
      const file = await opening.catch(() => null);
      if (file?.object !== object) continue;
      file.doubt();
      if (this.#files.get(name) === opening) this.#files.delete(name);
    }
    for (const ending of this.#endings.values()) {
      for (const kind of KINDS) if (ending[kind]?.file.object === object) ending[kind] = null;
    }
  }

  /**
   * The error of a board for which files are missing. It names all files that are missing for its ending and what that converts to, so that they can be
   * got together; where a store cannot be listed, those that the board needed.
   */
  async allMissing(board: ChessBoard, found: MissingFileError): Promise<MissingFileError> {
    const [white, black] = lettersOf(board);
    const names = await this.#listed();
    if (names === null || 2 + white.length + black.length > MOST_MEN) return found;
    const missing = convertedTo(white, black).flatMap((material) => {
      const same = [material, exchangedMaterial(material)];
      const lacking = KINDS.filter((kind) => !same.some((each) => names.has(fileName(each, kind))));
      return lacking.length === 2 ? [material.name] : lacking.map((kind) => fileName(material, kind));
    });
    return missing.length === 0 ? found : missingFiles(this.#places, missing);
  }

  /** The names of all files; null if a store cannot be listed. */
  async #listed(): Promise<Set<string> | null> {
    try {
      return new Set((await Promise.all(this.#stores.map((store) => store.list('K')))).flat());
    } catch (error) {
      if (error instanceof UnlistedError) return null;
      throw error;
    }
  }

  get #places(): string[] {
    return this.#stores.map(({ uri }) => uri);
  }

  /** Opens a file of an ending, whichever of its sides the file calls White. Throws MissingFileError, StorageError. */
  async openEnding(ending: Ending, kind: FileKind): Promise<void> {
    const { white, black } = ending;
    const straight = await this.open(materialOf(white, black), kind);
    const file = straight ?? (await this.open(materialOf(black, white), kind));
    if (file === null) throw missingFiles(this.#places, [fileName(filedMaterial(white, black), kind)]);
    const firsts = Uint8Array.from({ length: 2 * BLACK }, (_, code) =>
      Math.max(0, file.material.men.indexOf(code)),
    );
    const all = (this.#indices ??= new BoardIndices());
    const indices = file.subtables.map((some) =>
      some.map(({ arrangement }) => all.add(file.material, arrangement)),
    );
    ending[kind] = { file, isTurned: straight === null, firsts, indices };
  }

  /** The ending of a board, which {@link placeOf} then places; null of bare kings. Throws MissingFileError of too many men. */
  endingOf(board: ChessBoard): Ending | null {
    const { squares } = board;
    let count = 0;
    let number = 0;
    for (let square = 0; square < 64; square++) {
      const man = squares[square];
      if (man === 0) continue;
      if (count === MOST_MEN) throw missingFiles(this.#places, [filedMaterial(...lettersOf(board)).name]);
      // From the king to the pawn the codes of the files go down, those of boards up.
      const code = man > 0 ? PAWN + 1 - man : PAWN + 1 + man + BLACK;
      number += UNITS[code];
      this.#codes[count] = code;
      this.#squares[count++] = square;
    }
    this.#count = count;
    if (number === 0) return null;
    let ending = this.#endings.get(number);
    if (ending === undefined) {
      const [white, black] = lettersOf(board);
      ending = { white, black, wdl: null, dtz: null };
      this.#endings.set(number, ending);
    }
    return ending;
  }

  /** Where an open file has the board that {@link endingOf} was called for last. */
  placeOf({ file, isTurned, firsts, indices }: Opened, side: Side): Place {
    // Files of like sides hold White's moves alone.
    const turns = isTurned || (file.material.symmetric && side === 1);
    const all = this.#indices!;
    const men = all.squares;
    const next = this.#next;
    next.set(firsts);
    for (let i = 0; i < this.#count; i++) {
      const code = turns ? this.#codes[i] ^ BLACK : this.#codes[i];
      men[next[code]++] = turns ? this.#squares[i] ^ 56 : this.#squares[i];
    }
    const mover = turns ? 1 - side : side;
    const pawnFile = all.file(indices[0][0]);
    const subtables = file.subtables[pawnFile];
    const which = subtables[0].side === mover ? 0 : 1;
    const subtable = subtables[which] ?? null;
    const index = subtable === null ? 0 : all.locate(indices[pawnFile][which]);
    assert(index >= 0, 'a legal board has an index');
    this.#place ??= { file, subtable, index };
    this.#place.file = file;
    this.#place.subtable = subtable;
    this.#place.index = index;
    return this.#place;
  }
}

/** Letters of White's men and of Black's beside the kings, in order. */
function lettersOf({ squares }: ChessBoard): [string, string] {
  const of = (sign: number) =>
    inOrder(
      Array.from(squares)
        .filter((man) => man * sign > 1)
        .map((man) => LETTERS[Math.abs(man)])
        .join(''),
    );
  return [of(1), of(-1)];
}
