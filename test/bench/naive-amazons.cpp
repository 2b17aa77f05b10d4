// The Amazons (samples/amazons) as somebody would first solve it in C++: a map from positions to numbers, lists of
// predecessors, and backwards from the ends. It writes nothing and verifies nothing. It prints from how many positions each side wins.
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>
using namespace std;
struct Position { uint32_t blocked; int amazon[2], mover; };
int main() {
  vector<vector<int>> rays[16];
  for (int s = 0; s < 16; s++)
    for (int dy = -1; dy < 2; dy++)
      for (int dx = -1; dx < 2; dx++) {
        vector<int> ray;
        for (int x = s % 4 + dx, y = s / 4 + dy; (dx || dy) && x >= 0 && x < 4 && y >= 0 && y < 4; x += dx, y += dy) ray.push_back(y * 4 + x);
        rays[s].push_back(ray);
      }
  unordered_map<uint64_t, int> numbers; vector<Position> found; vector<vector<int>> before;
  auto numberOf = [&](Position p) {
    auto [it, fresh] = numbers.try_emplace(p.blocked << 8 | p.amazon[0] << 4 | p.amazon[1], (int)found.size());
    if (fresh) found.push_back(p), before.emplace_back();
    return it->second;
  };
  numberOf({0, {1, 14}, 0});
  vector<int> left, queue; long edges = 0;
  vector<int> value; // 1: the mover wins, -1: it loses.
  for (size_t i = 0; i < found.size(); i++) {
    Position p = found[i]; int out = 0;
    auto to = [&](Position after) { int number = numberOf(after); before[number].push_back((int)i); out++; edges++; };
    uint32_t taken = p.blocked | 1u << p.amazon[1 - p.mover];
    for (auto &ray : rays[p.amazon[p.mover]])
      for (int square : ray) {
        if (taken >> square & 1) break;
        for (auto &flight : rays[square])
          for (int arrow : flight) {
            if (taken >> arrow & 1) break;
            Position after = {p.blocked | 1u << arrow, {p.amazon[0], p.amazon[1]}, 1 - p.mover};
            after.amazon[p.mover] = square;
            to(after);
          }
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
