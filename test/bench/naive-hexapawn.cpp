// Hexapawn on 5 x 5 squares (samples/hexapawn) for the first solver that somebody would write (naive-solver.hpp).
#include "naive-solver.hpp"
struct Hexapawn {
  struct Position { uint32_t men[2]; int mover; };
  vector<int> straight[2][25], diagonal[2][25];
  uint32_t last[2] = {31u << 20, 31u};
  Hexapawn() {
    for (int side = 0; side < 2; side++)
      for (int s = 0; s < 25; s++)
        for (int dx = -1; dx < 2; dx++) {
          int x = s % 5 + dx, row = s / 5 + (side ? -1 : 1);
          if (x >= 0 && x < 5 && row >= 0 && row < 5) (dx ? diagonal : straight)[side][s].push_back(row * 5 + x);
        }
  }
  uint64_t key(Position p) const { return (uint64_t)p.men[0] << 26 | p.men[1] << 1 | p.mover; }
  // The other side has won if it is on its last row.
  int end(Position p) const { return p.men[1 - p.mover] & last[1 - p.mover] ? -1 : 0; }
  template <class To> void moves(Position p, To to) const {
    int side = p.mover;
    uint32_t own = p.men[side], other = p.men[1 - side];
    auto step = [&](int from, int square) {
      Position after = {{0, 0}, 1 - side};
      after.men[side] = own ^ 1u << from ^ 1u << square;
      after.men[1 - side] = other & ~(1u << square);
      to(after);
    };
    for (int s = 0; s < 25; s++) if (own >> s & 1) {
      for (int t : straight[side][s]) if (!((own | other) >> t & 1)) step(s, t);
      for (int t : diagonal[side][s]) if (other >> t & 1) step(s, t);
    }
  }
};
int main() { solve(Hexapawn(), {{{31u, 31u << 20}, 0}}); }
