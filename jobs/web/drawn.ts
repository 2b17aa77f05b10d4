/** Chess positions that no moves can win any more. */

/** Bare kings, a single minor piece, or bishops that all stand on squares of one colour: neither side can mate. */
export function isInsufficient(fen: string): boolean {
  const men = [...fen.split(' ')[0].replaceAll('/', '')].flatMap((each) =>
    /\d/.test(each) ? Array<string>(Number(each)).fill('') : [each.toLowerCase()],
  );
  const others = men.flatMap((man, cell) => (man === '' || man === 'k' ? [] : [{ man, cell }]));
  if (others.length <= 1) return others.every(({ man }) => man === 'b' || man === 'n');
  const colours = new Set(others.map(({ cell }) => ((cell >> 3) + cell) & 1));
  return colours.size === 1 && others.every(({ man }) => man === 'b');
}
