// The Amazons (samples/amazons) for the first solver that somebody would write (naive-solver.hpp).
#include "naive-solver.hpp"
struct Amazons {
  struct Position { uint32_t blocked; int amazon[2], mover; };
  vector<vector<int>> rays[16];
  Amazons() {
    for (int s = 0; s < 16; s++)
      for (int dy = -1; dy < 2; dy++)
        for (int dx = -1; dx < 2; dx++) {
          vector<int> ray;
          for (int x = s % 4 + dx, y = s / 4 + dy; (dx || dy) && x >= 0 && x < 4 && y >= 0 && y < 4; x += dx, y += dy) ray.push_back(y * 4 + x);
          rays[s].push_back(ray);
        }
  }
  // Each move blocks a square, so the number of these says who is to move.
  uint64_t key(Position p) const { return p.blocked << 8 | p.amazon[0] << 4 | p.amazon[1]; }
  int end(Position) const { return 0; }
  template <class To> void moves(Position p, To to) const {
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
  }
};
int main() { solve(Amazons(), {{0, {1, 14}, 0}}); }
