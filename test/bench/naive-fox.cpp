// Fox and Hounds (samples/fox-and-hounds) for the first solver that somebody would write (naive-solver.hpp).
#include "naive-solver.hpp"
static int columnOf(int square) { return 2 * (square & 3) + ((square >> 2) % 2 == 0 ? 1 : 0); }
struct FoxAndHounds {
  struct Position { uint32_t hounds; int fox, mover; };
  vector<int> step[2][32];
  FoxAndHounds() {
    for (int s = 0; s < 32; s++)
      for (int d = 0; d < 2; d++)
        for (int dx = -1; dx < 2; dx += 2) {
          int row = (s >> 2) + (d ? 1 : -1), x = columnOf(s) + dx;
          if (row >= 0 && row < 8 && x >= 0 && x < 8) step[d][s].push_back(row * 4 + (x >> 1));
        }
  }
  uint64_t key(Position p) const { return ((uint64_t)p.hounds << 6) | p.fox << 1 | p.mover; }
  // The fox has reached the row of the hounds.
  int end(Position p) const { return p.fox >= 4 ? 0 : p.mover == 0 ? 1 : -1; }
  template <class To> void moves(Position p, To to) const {
    if (p.mover == 0) { for (int d = 0; d < 2; d++) for (int t : step[d][p.fox]) if (!(p.hounds >> t & 1)) to({p.hounds, t, 1}); return; }
    for (int s = 0; s < 32; s++) if (p.hounds >> s & 1)
      for (int t : step[1][s]) if (t != p.fox && !(p.hounds >> t & 1)) to({p.hounds ^ 1u << s ^ 1u << t, p.fox, 0});
  }
};
int main() { solve(FoxAndHounds(), {{15, 28, 0}, {15, 29, 0}, {15, 30, 0}, {15, 31, 0}}); }
