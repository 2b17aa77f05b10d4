// Pawns on a small board (samples/breakthrough, samples/hexapawn) for the first solver that somebody would write.
#include "naive-solver.hpp"
// FREELY: a pawn goes diagonally forward to an empty square, too, as in Breakthrough; else only to take.
template <int COLUMNS, int ROWS, bool FREELY> struct Pawns {
  static constexpr int SQUARES = COLUMNS * ROWS;
  struct Position { uint32_t men[2]; int mover; };
  vector<int> straight[2][SQUARES], diagonal[2][SQUARES];
  uint32_t last[2] = {((1u << COLUMNS) - 1) << (SQUARES - COLUMNS), (1u << COLUMNS) - 1};
  Pawns() {
    for (int side = 0; side < 2; side++)
      for (int s = 0; s < SQUARES; s++)
        for (int dx = -1; dx < 2; dx++) {
          int x = s % COLUMNS + dx, row = s / COLUMNS + (side ? -1 : 1);
          if (x >= 0 && x < COLUMNS && row >= 0 && row < ROWS) (dx ? diagonal : straight)[side][s].push_back(row * COLUMNS + x);
        }
  }
  uint64_t key(Position p) const { return (uint64_t)p.men[0] << (SQUARES + 1) | p.men[1] << 1 | p.mover; }
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
    for (int s = 0; s < SQUARES; s++) if (own >> s & 1) {
      for (int t : straight[side][s]) if (!((own | other) >> t & 1)) step(s, t);
      for (int t : diagonal[side][s]) if ((FREELY ? ~own : other) >> t & 1) step(s, t);
    }
  }
};
