// Kalah as somebody would first solve it in C++: a map from positions to numbers, lists of predecessors, and backwards from the ends,
// from the largest score down. It writes nothing and verifies nothing. `naive-kalah PITS STONES` prints how many positions each side wins.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>
using namespace std;
static int pits, all, count_;
struct Board { uint8_t bowls[14]; int side; };
struct Hash { size_t operator()(const Board& b) const { uint64_t h = b.side; for (int i = 0; i < count_; i++) h = h * 0x9e3779b97f4a7c15ull + b.bowls[i] + (h >> 29); return h ^ (h >> 32); } };
struct Same { bool operator()(const Board& a, const Board& b) const { if (a.side != b.side) return false; for (int i = 0; i < count_; i++) if (a.bowls[i] != b.bowls[i]) return false; return true; } };
static Board sow(Board b, int from) {
  int store = pits + b.side * (pits + 1), other = pits + (1 - b.side) * (pits + 1), left = b.bowls[from], at = from;
  b.bowls[from] = 0;
  while (left-- > 0) { at = (at + 1) % count_; if (at == other) at = (at + 1) % count_; b.bowls[at]++; }
  int opposite = 2 * pits - at;
  if (at >= b.side * (pits + 1) && at < store && b.bowls[at] == 1 && b.bowls[opposite] > 0) { b.bowls[store] += 1 + b.bowls[opposite]; b.bowls[at] = b.bowls[opposite] = 0; }
  if (at != store) b.side = 1 - b.side;
  return b;
}
int main(int argc, char** argv) {
  pits = atoi(argv[1]); all = 2 * pits * atoi(argv[2]); count_ = 2 * pits + 2;
  unordered_map<Board, int, Hash, Same> numbers; vector<Board> boards;
  auto numberOf = [&](const Board& b) { auto [it, fresh] = numbers.try_emplace(b, (int)boards.size()); if (fresh) boards.push_back(b); return it->second; };
  // All ways in which the stones can lie.
  Board b{}; 
  auto fill = [&](auto&& self, int at, int left) -> void {
    if (at == count_ - 1) { b.bowls[at] = left; for (b.side = 0; b.side < 2; b.side++) numberOf(b); b.side = 0; return; }
    for (int n = 0; n <= left; n++) { b.bowls[at] = n; self(self, at + 1, left - n); }
  };
  fill(fill, 0, all);
  int n = boards.size(); long edges = 0;
  vector<vector<int>> before(n); vector<int> out(n), score(n, 0), value(n, 0);
  for (int i = 0; i < n; i++) {
    Board p = boards[i]; int south = 0, north = 0;
    for (int k = 0; k < pits; k++) south += p.bowls[k], north += p.bowls[pits + 1 + k];
    if (south == 0 || north == 0) { score[i] = 2 * (south + p.bowls[pits]) - all; continue; }
    int first = p.side * (pits + 1);
    for (int k = 0; k < pits; k++) if (p.bowls[first + k]) { before[numberOf(sow(p, first + k))].push_back(i); out[i]++; edges++; }
  }
  // By how much a side can force a win at least: from the largest score down, each decided position keeps its first.
  vector<int> decided(n, 0), queue;
  for (int points = all; points > 0; points--)
    for (int side = 0; side < 2; side++) {
      queue.clear();
      for (int i = 0; i < n; i++) if (out[i] == 0 && !decided[i] && score[i] == (side ? -points : points)) { decided[i] = side ? -points : points; queue.push_back(i); }
      static vector<int> leftOf[2]; if (leftOf[side].empty()) leftOf[side] = out;
      for (size_t q = 0; q < queue.size(); q++)
        for (int i : before[queue[q]]) {
          if (decided[i]) { continue; }
          if (boards[i].side != side && --leftOf[side][i] > 0) continue;
          decided[i] = side ? -points : points; queue.push_back(i);
        }
    }
  long south = 0, north = 0; for (int v : decided) { south += v > 0; north += v < 0; }
  printf("%d positions, %ld moves, %ld %ld %ld\n", n, edges, south, north, n - south - north);
}
