// How somebody would first solve a game in C++: a map from positions to numbers, lists of predecessors, and backwards from the ends.
// It writes nothing and verifies nothing. A program gives a game and calls solve(), which prints from how many positions each side wins.
//
// A game has a type Position with a field `mover` (0 or 1), and
//   uint64_t key(Position)           different for different positions
//   int end(Position)                for the side to move: 1 it has won, -1 it has lost, 0 the game goes on
//   void moves(Position, To to)      calls to(after) for each move; a side without moves has lost
#pragma once
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>
using namespace std;

template <class Game> void solve(const Game &game, const vector<typename Game::Position> &roots) {
  using Position = typename Game::Position;
  unordered_map<uint64_t, int> numbers; vector<Position> found; vector<vector<int>> before;
  auto numberOf = [&](Position p) {
    auto [it, fresh] = numbers.try_emplace(game.key(p), (int)found.size());
    if (fresh) found.push_back(p), before.emplace_back();
    return it->second;
  };
  for (const Position &root : roots) numberOf(root);
  vector<int> left, queue; long edges = 0;
  vector<int> value; // 1: the mover wins, -1: it loses.
  for (size_t i = 0; i < found.size(); i++) {
    Position p = found[i]; int out = 0;
    int end = game.end(p);
    if (end == 0) game.moves(p, [&](Position after) { int number = numberOf(after); before[number].push_back((int)i); out++; edges++; });
    left.push_back(out); value.push_back(end != 0 ? end : out == 0 ? -1 : 0);
    if (value.back()) queue.push_back((int)i);
  }
  for (size_t q = 0; q < queue.size(); q++)
    for (int i : before[queue[q]]) {
      if (value[i]) continue;
      int mine = -value[queue[q]];
      if (mine < 0 && --left[i] > 0) continue;
      value[i] = mine; queue.push_back(i);
    }
  long won[2] = {0, 0};
  for (size_t i = 0; i < found.size(); i++) if (value[i]) won[(value[i] > 0) == (found[i].mover == 0) ? 0 : 1]++;
  printf("%zu positions, %ld moves, %ld %ld %ld\n", found.size(), edges, won[0], won[1], (long)found.size() - won[0] - won[1]);
}
