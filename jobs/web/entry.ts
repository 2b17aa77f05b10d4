/** What people type or paste into the one field of the page: a position, a link, a game, the name of an ending. */

export type Entry =
  | { readonly position: string; readonly isChess: boolean }
  /** A place of this page. */
  | { readonly hash: string }
  | { readonly games: string }
  /** Words, or a name, that endings are searched for. */
  | { readonly ending: string }
  | { readonly problem: string };

/** Wherever it stands in a text: the fields of links are joined by underscores or plus signs. */
const FEN =
  /((?:[pnbrqk1-8]{1,8}\/){7}[pnbrqk1-8]{1,8})(?:[ _+]+([wb])(?:[ _+]+(-|[KQkqA-Ha-h]+))?(?:[ _+]+(-|[a-h][36]))?(?:[ _+]+(\d+))?(?:[ _+]+(\d+))?)?/i;
const LINK = /^https?:\/\//i;
/** A tag, or a numbered move. */
const GAME = /^\s*\[\w+\s+"|(?:^|\s)\d+\s*\.(?:\s|\.|[a-hKQRBNO])/;
const ENDING = /^[a-z][a-z ]*$/i;

/** @param isChess of the game that is shown: in others a text is a position of theirs, if it is no link and no ending. */
export function entryOf(text: string, isChess: boolean): Entry {
  const typed = text.trim();
  if (LINK.test(typed) && URL.canParse(typed)) return linked(typed);
  if (isChess && (GAME.test(typed) || typed.includes('\n'))) return { games: typed };
  if (ENDING.test(typed)) return { ending: typed };
  return { position: isChess ? typed.replaceAll('_', ' ') : typed, isChess: isChess };
}

/** Links of Lichess (analysis, editor), of syzygy-tables.info, and of any other page that have a FEN in them; those of pages like this one. */
function linked(link: string): Entry {
  const { hash, host } = new URL(link);
  if (/[#&]position=/.test(hash)) return { hash };
  const [, placement, mover = 'w', castling = '-', passant = '-', clock = '0', move = '1'] =
    FEN.exec(link.replace(/%20/g, ' ').replace(/%2f/gi, '/')) ?? [];
  if (placement !== undefined)
    return {
      position: [placement, mover.toLowerCase(), castling, passant, clock, move].join(' '),
      isChess: true,
    };
  return {
    problem: `There is no position in this link, and the page asks no other site: paste the game of ${host} as PGN.`,
  };
}
