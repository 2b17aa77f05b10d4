/** Table of a publication's files by number of pieces. */
import type { Catalogue, CatalogueFile } from '../../pipeline/tables/published/catalogue.js';
import { tableText } from './document.js';
import { bytes, whole } from './numbers.js';

/** A row for each number of pieces, and one for all. Bytes are of whole files; codebooks are counted where they belong. */
export function publicationTable({ files, codebooks }: Catalogue): string {
  const numbers = [...new Set(files.map(({ pieces }) => pieces))].sort((a, b) => a - b);
  const rows = numbers.map((pieces) =>
    row(
      String(pieces),
      files.filter((file) => file.pieces === pieces),
      sum(codebooks.filter((book) => book.pieces === pieces).map((book) => book.bytes)),
    ),
  );
  if (rows.length > 1) rows.push(row('all', files, sum(codebooks.map((book) => book.bytes))));
  return tableText({
    columns: ['pieces', 'files', 'positions', 'left out', 'blocks', 'size', 'positions a byte'],
    rows,
  });
}

function row(name: string, files: readonly CatalogueFile[], codebooks: number): string[] {
  // Numbers are beside plies of the same positions.
  const own = files.filter(({ column }) => column !== 'numbers');
  const of = (field: 'blocks' | 'bytes') => sum(files.map((file) => file[field]));
  /** A side that is left out has as many. */
  const both = sum(own.map(({ positions, alone }) => (alone ? 2 : 1) * positions));
  const searched = both - sum(own.map(({ positions, dontCares }) => positions - dontCares));
  const size = of('bytes') + codebooks;
  return [
    name,
    whole(files.length),
    whole(both),
    whole(searched),
    whole(of('blocks')),
    bytes(size),
    (both / size).toFixed(1),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
