// Fox and Hounds (samples/fox-and-hounds) as somebody would first solve it in C++: a map from positions to numbers, lists of
// predecessors, and backwards from the ends. It writes nothing and verifies nothing. It prints from how many positions each side wins.
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>
using namespace std;
struct Position { uint32_t hounds; int fox, mover; };
static int columnOf(int square) { return 2 * (square & 3) + ((square >> 2) % 2 == 0 ? 1 : 0); }
int main() {
  vector<int> step[2][32];
  for (int s = 0; s < 32; s++)
    for (int d = 0; d < 2; d++)
      for (int dx = -1; dx < 2; dx += 2) {
        int row = (s >> 2) + (d ? 1 : -1), x = columnOf(s) + dx;
        if (row >= 0 && row < 8 && x >= 0 && x < 8) step[d][s].push_back(row * 4 + (x >> 1));
      }
  unordered_map<uint64_t, int> numbers; vector<Position> found; vector<vector<int>> before;
  auto numberOf = [&](Position p) {
    auto [it, fresh] = numbers.try_emplace(((uint64_t)p.hounds << 6) | p.fox << 1 | p.mover, (int)found.size());
    if (fresh) found.push_back(p), before.emplace_back();
    return it->second;
  };
  for (int fox = 28; fox < 32; fox++) numberOf({15, fox, 0});
  vector<int> left, queue; long edges = 0;
  vector<int> value; // 1: the mover wins, -1: it loses.
  for (size_t i = 0; i < found.size(); i++) {
    Position p = found[i]; int out = 0;
    auto to = [&](Position after) { int number = numberOf(after); before[number].push_back((int)i); out++; edges++; };
    bool over = p.fox < 4;
    if (!over && p.mover == 0) { for (int d = 0; d < 2; d++) for (int t : step[d][p.fox]) if (!(p.hounds >> t & 1)) to({p.hounds, t, 1}); }
    else if (!over)
      for (int s = 0; s < 32; s++) if (p.hounds >> s & 1)
        for (int t : step[1][s]) if (t != p.fox && !(p.hounds >> t & 1)) to({p.hounds ^ 1u << s ^ 1u << t, p.fox, 0});
    left.push_back(out); value.push_back(over ? (p.mover == 0 ? 1 : -1) : out == 0 ? -1 : 0);
    if (value.back()) queue.push_back((int)i);
  }
  for (size_t q = 0; q < queue.size(); q++)
    for (int i : before[queue[q]]) {
      if (value[i]) continue;
      int mine = -value[queue[q]];
      if (mine < 0 && --left[i] > 0) continue;
      value[i] = mine; queue.push_back(i);
    }
  long fox = 0, hounds = 0;
  for (size_t i = 0; i < found.size(); i++) if (value[i]) ((value[i] > 0) == (found[i].mover == 0) ? fox : hounds)++;
  printf("%zu positions, %ld moves, %ld %ld %ld\n", found.size(), edges, fox, hounds, (long)found.size() - fox - hounds);
}
