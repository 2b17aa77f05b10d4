// Breakthrough (samples/breakthrough) as somebody would first solve it in C++: a map from positions to numbers, lists of
// predecessors, and backwards from the ends. It writes nothing and verifies nothing. It prints from how many positions each side wins.
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>
using namespace std;
struct Position { uint32_t men[2]; int mover; };
int main() {
  vector<int> straight[2][15], diagonal[2][15];
  for (int side = 0; side < 2; side++)
    for (int s = 0; s < 15; s++)
      for (int dx = -1; dx < 2; dx++) {
        int x = s % 3 + dx, row = s / 3 + (side ? -1 : 1);
        if (x >= 0 && x < 3 && row >= 0 && row < 5) (dx ? diagonal : straight)[side][s].push_back(row * 3 + x);
      }
  const uint32_t last[2] = {7u << 12, 7u};
  unordered_map<uint64_t, int> numbers; vector<Position> found; vector<vector<int>> before;
  auto numberOf = [&](Position p) {
    auto [it, fresh] = numbers.try_emplace((uint64_t)p.men[0] << 16 | p.men[1] << 1 | p.mover, (int)found.size());
    if (fresh) found.push_back(p), before.emplace_back();
    return it->second;
  };
  numberOf({{63u, 63u << 9}, 0});
  vector<int> left, queue; long edges = 0;
  vector<int> value; // 1: the mover wins, -1: it loses.
  for (size_t i = 0; i < found.size(); i++) {
    Position p = found[i]; int out = 0;
    auto to = [&](Position after) { int number = numberOf(after); before[number].push_back((int)i); out++; edges++; };
    int side = p.mover;
    uint32_t own = p.men[side], other = p.men[1 - side];
    auto step = [&](int from, int square) {
      Position after = {{0, 0}, 1 - side};
      after.men[side] = own ^ 1u << from ^ 1u << square;
      after.men[1 - side] = other & ~(1u << square);
      to(after);
    };
    // The other side has won if it is on its last row.
    if (!(other & last[1 - side]))
      for (int s = 0; s < 15; s++) if (own >> s & 1) {
        for (int t : straight[side][s]) if (!((own | other) >> t & 1)) step(s, t);
        for (int t : diagonal[side][s]) if (!(own >> t & 1)) step(s, t);
      }
    left.push_back(out); value.push_back(out == 0 ? -1 : 0);
    if (value.back()) queue.push_back((int)i);
  }
  for (size_t q = 0; q < queue.size(); q++)
    for (int i : before[queue[q]]) {
      if (value[i]) continue;
      int mine = -value[queue[q]];
      if (mine < 0 && --left[i] > 0) continue;
      value[i] = mine; queue.push_back(i);
    }
  long first = 0, second = 0;
  for (size_t i = 0; i < found.size(); i++) if (value[i]) ((value[i] > 0) == (found[i].mover == 0) ? first : second)++;
  printf("%zu positions, %ld moves, %ld %ld %ld\n", found.size(), edges, first, second, (long)found.size() - first - second);
}
