// Breakthrough on 3 x 5 squares (samples/breakthrough).
#include "naive-pawns.hpp"
int main() { solve(Pawns<3, 5, true>(), {{{63u, 63u << 9}, 0}}); }
