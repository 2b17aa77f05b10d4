/**
 * The textbook merge, to compare operators/sort/merge.ts with. It is a tree of losers (Knuth, The Art of Computer
 * Programming 3, 5.4.1) over sorted arrays in memory, each match by (minor, input). Returns the merged minors.
 */
export function mergeByLoserTree(inputs: readonly Uint32Array[], out: Uint32Array): void {
  const k = inputs.length;
  // Heads as doubles, so that an input that has ended is greater than all minors.
  const heads = new Float64Array(k);
  const at = new Uint32Array(k);
  const losers = new Int32Array(k).fill(-1);
  for (let i = 0; i < k; i++) heads[i] = inputs[i].length > 0 ? inputs[i][0] : Infinity;
  let winner = -1;
  for (let i = 0; i < k; i++) winner = enter(losers, heads, i, k);
  for (let o = 0; o < out.length; o++) {
    out[o] = heads[winner];
    const input = inputs[winner];
    const next = ++at[winner];
    heads[winner] = next < input.length ? input[next] : Infinity;
    winner = replay(losers, heads, winner, k);
  }
}

/** Plays input i up the tree until it finds a seat nobody has lost at yet. */
function enter(losers: Int32Array, heads: Float64Array, i: number, k: number): number {
  let winner = i;
  for (let node = (i + k) >> 1; node > 0; node >>= 1) {
    const loser = losers[node];
    if (loser < 0) {
      losers[node] = winner;
      return -1;
    }
    if (heads[loser] < heads[winner] || (heads[loser] === heads[winner] && loser < winner)) {
      losers[node] = winner;
      winner = loser;
    }
  }
  return winner;
}

function replay(losers: Int32Array, heads: Float64Array, changed: number, k: number): number {
  let winner = changed;
  let head = heads[winner];
  for (let node = (changed + k) >> 1; node > 0; node >>= 1) {
    const loser = losers[node];
    const other = heads[loser];
    if (other < head || (other === head && loser < winner)) {
      losers[node] = winner;
      winner = loser;
      head = other;
    }
  }
  return winner;
}
