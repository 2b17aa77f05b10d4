// Hexapawn on 5 x 5 squares (samples/hexapawn).
#include "naive-pawns.hpp"
int main() { solve(Pawns<5, 5, false>(), {{{31u, 31u << 20}, 0}}); }
