/**
 * Connect Four on boards of several sizes. White has as many men as Black or one more, so the board says whose turn it is.
 *
 * A position is a number, and its own key. Each column has `height + 1` bits. The highest bit that is set marks the
 * lowest free square. Below it a bit is set for each man of White's.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

/** `width * (height + 1)` is at most 30. */
export function connectFour(width: number, height: number): KeyedGame<number, number> {
  const bits = height + 1;
  const column = (1 << bits) - 1;
  const shifts = Array.from({ length: width }, (_, i) => i * bits);
  const empty = shifts.reduce((men, shift) => men | (1 << shift), 0);
  const heightAt = (men: number, shift: number) => 31 - Math.clz32((men >> shift) & column);
  const taken = (men: number) =>
    shifts.reduce((set, shift) => set | (((1 << heightAt(men, shift)) - 1) << shift), 0);
  const mover = (men: number) => (shifts.reduce((n, shift) => n + heightAt(men, shift), 0) & 1) as Side;
  const mirror = (men: number) =>
    shifts.reduce((mirrored, shift) => (mirrored << bits) | ((men >> shift) & column), 0);

  const steps = [1, bits - 1, bits, bits + 1];
  const hasFour = (set: number) =>
    steps.some((step) => (set & (set >> step) & (set >> (2 * step)) & (set >> (3 * step))) !== 0);

  function moves(men: number): NamedMove<number>[] {
    const side = mover(men);
    const found: NamedMove<number>[] = [];
    for (let i = 0; i < width; i++) {
      const high = heightAt(men, i * bits);
      // The mark moves up, and leaves a bit that is White's or not.
      if (high < height) found.push(['abcdefgh'[i], men + ((2 - side) << (i * bits + high))]);
    }
    return found;
  }

  const signAt = (men: number, shift: number, row: number) =>
    row >= heightAt(men, shift) ? '.' : (men >> (shift + row)) & 1 ? 'x' : 'o';
  /** From above. */
  const rows = (men: number) =>
    Array.from({ length: height }, (_, i) =>
      shifts.map((shift) => signAt(men, shift, height - 1 - i)).join(''),
    );

  function parse(text: string): number {
    const lines = text.trim().split('/').reverse();
    let men = 0;
    for (const [i, shift] of shifts.entries()) {
      const column = lines.map((line) => line[i] ?? '?');
      const signs = column.join('').replace(/\.+$/, '');
      men |= 1 << (shift + signs.length);
      for (let row = 0; row < signs.length; row++) men |= Number(signs[row] === 'x') << (shift + row);
    }
    if (rows(men).join('/') !== text.trim())
      throw new Error(`a position looks like "${rows(empty).join('/')}", with x and o above each other`);
    const [white, black] = ['x', 'o'].map((sign) => text.split(sign).length);
    if (white - black !== mover(men)) throw new Error('x has as many men as o, or one more');
    return men;
  }

  return {
    name: `connect-four-${width}x${height}`,
    roots: () => [empty],
    key: (men) => men,
    position: (key) => key,
    mover,
    moves,
    // Only who has just moved can have four.
    ended: (men) => (hasFour(mover(men) === 1 ? men & taken(men) : taken(men) & ~men) ? 'lost' : null),
    stuck: 'drawn',
    symmetries: (men) => [mirror(men)],
    parse,
    format: (men) => rows(men).join('/'),
    diagram: (men) => rows(men).join('\n'),
    board: (men) => rows(men).map((row) => [...row].map((sign) => ({ x: '●', o: '○' })[sign] ?? '')),
  };
}
