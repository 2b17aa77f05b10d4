/** Names of endings as people say them: "Queen against rook", "Rook and pawn against rook", "Two kings and a man against a king". */
import { capital } from './verdict.js';

/** The men of chess by the letters of FEN. */
export const CHESS_MEN: Readonly<Record<string, string>> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
  P: 'pawn',
};
const NUMBERS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * The words for an ending of chess (`KQKR`, `KRPKP.25`, `KRPKPep`) or a class or slice of checkers (`2110`, `2110.50`); null for
 * other games, whose slices have no such names.
 */
export function endingWords(game: string, ending: string): string | null {
  const [name, ranks] = ending.split('.');
  if (game === 'chess') {
    const [, white, black, passant] = /^K([QRBNP]*)K([QRBNP]*)(ep)?$/.exec(name) ?? [];
    if (white === undefined) return null;
    if (white + black === '') return 'Bare kings';
    const pawns = [...(ranks ?? '')].filter((each) => /\d/.test(each));
    const where =
      pawns.length === 0 ? '' : `, ${pawns.length === 1 ? 'pawn' : 'pawns'} on rank ${pawns.join(', ')}`;
    const right = passant === undefined ? '' : ', with a capture en passant';
    return capital(`${chessMen(white)} against ${chessMen(black)}${where}${right}`);
  }
  const [, blackKings, whiteKings, blackMen, whiteMen] = /^(\d)(\d)(\d)(\d)$/.exec(name) ?? [];
  if (game !== 'checkers' || blackKings === undefined) return null;
  const side = (kings: string, men: string) =>
    sides([of(Number(kings), 'king', 'kings'), of(Number(men), 'man', 'men')]);
  return capital(`${side(blackKings, blackMen)} against ${side(whiteKings, whiteMen)}`);
}

/** "rook and two pawns": a single man has no article, as in "queen against rook". */
function chessMen(letters: string): string {
  if (letters === '') return 'bare king';
  const kinds = [...new Set(letters)];
  return sides(
    kinds.map((letter) => {
      const count = [...letters].filter((each) => each === letter).length;
      const word = CHESS_MEN[letter];
      return count === 1 ? word : of(count, word, `${word}s`);
    }),
  );
}

/** "a king", "two men"; empty for none. */
function of(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${NUMBERS[count] ?? count} ${count === 1 ? one : many}`;
}

/** "rook, bishop and pawn" */
function sides(parts: readonly string[]): string {
  const some = parts.filter((part) => part !== '');
  return some.length === 0 ? 'nothing' : inSeries(some);
}

/** "a", "a and b", "a, b and c" */
export function inSeries(words: readonly string[]): string {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
