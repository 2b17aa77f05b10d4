/** Hex by trying all games, with a table of cells that are empty, White's or Black's: nothing is shared with the sample. */

export interface HexValues {
  /** How many positions games come to, ends among them. */
  readonly positions: number;
  /** Who wins, and in how many plies: the winner hurries, the loser holds out. `men`: sets of cells, a bit each, row by row. */
  of(white: number, black: number): { readonly winner: 0 | 1; readonly plies: number };
}

/** White joins left and right and begins. `size`: at most 4. Takes 3^(size * size) bytes. */
export function hexValues(size: number): HexValues {
  const count = size * size;
  const powers = Array.from({ length: count + 1 }, (_, cell) => 3 ** cell);
  /** 0: not known yet; 1 + plies if White wins, -1 - plies if Black does. */
  const known = new Int8Array(powers[count]);
  const cells = new Int8Array(count);
  const beside = Array.from({ length: count }, (_, cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    const places = [
      [row, column - 1],
      [row, column + 1],
      [row - 1, column],
      [row + 1, column],
      [row - 1, column + 1],
      [row + 1, column - 1],
    ];
    return places
      .filter((place) => place.every((each) => each >= 0 && each < size))
      .map(([r, c]) => r * size + c);
  });

  /** Whether the man that was put on a cell joins the edges of its owner: from that cell both can be walked to. */
  function joins(cell: number): boolean {
    const owner = cells[cell];
    const walked = [cell];
    const edges = [false, false];
    for (const at of walked) {
      const place = owner === 1 ? at % size : Math.floor(at / size);
      if (place === 0) edges[0] = true;
      if (place === size - 1) edges[1] = true;
      for (const next of beside[at]) if (cells[next] === owner && !walked.includes(next)) walked.push(next);
    }
    return edges[0] && edges[1];
  }

  let positions = 1;
  function search(index: number, mover: 1 | 2): number {
    if (known[index] !== 0) return known[index];
    const sign = mover === 1 ? 1 : -1;
    let best = 0;
    for (let cell = 0; cell < count; cell++) {
      if (cells[cell] !== 0) continue;
      cells[cell] = mover;
      const next = index + mover * powers[cell];
      if (known[next] === 0) {
        positions++;
        if (joins(cell)) known[next] = sign;
      }
      const after = search(next, mover === 1 ? 2 : 1);
      cells[cell] = 0;
      const won = after * sign > 0;
      if (best === 0 || (won && (best * sign < 0 || Math.abs(after) < Math.abs(best)))) best = after;
      else if (!won && best * sign < 0 && Math.abs(after) > Math.abs(best)) best = after;
    }
    known[index] = best + Math.sign(best);
    return known[index];
  }
  search(0, 1);

  return {
    positions,
    of(white, black) {
      let index = 0;
      for (let cell = 0; cell < count; cell++)
        index += powers[cell] * (((white >> cell) & 1) + 2 * ((black >> cell) & 1));
      const value = known[index];
      if (value === 0) throw new Error(`no game comes to ${white}, ${black}`);
      return { winner: value > 0 ? 0 : 1, plies: Math.abs(value) - 1 };
    },
  };
}
