"""Wythoff's game: two heaps; take any number from one of them, or as many from both. Who takes the last one wins.

    python3 samples/python/two_heaps.py

The player to move loses where the heaps are floor(k * phi) and floor(k * phi^2) for the golden ratio phi (Wythoff 1907): (0, 0), (1, 2),
(3, 5), (4, 7), (6, 10), …
"""

from mergemate import Game

LARGEST = 20


class TwoHeaps(Game):
    name = "two-heaps"

    def roots(self):
        return [(LARGEST, LARGEST, 0)]

    def mover(self, position):
        return position[2]

    def moves(self, position):
        one, other, mover = position
        for taken in range(1, max(one, other) + 1):
            if taken <= one:
                yield f"{taken} from the first", (one - taken, other, 1 - mover)
            if taken <= other:
                yield f"{taken} from the second", (one, other - taken, 1 - mover)
            if taken <= min(one, other):
                yield f"{taken} from both", (one - taken, other - taken, 1 - mover)

    def key(self, position):
        one, other, mover = position
        return f"{one},{other},{mover}"


if __name__ == "__main__":
    solved = TwoHeaps().solve()
    lost = sorted(
        tuple(map(int, row["position"].split(",")[:2]))
        for row in solved.rows()
        if row["outcome"] == "loss" and row["mover"] == "first"
    )
    print(solved.positions, "positions; the player to move loses from", [heaps for heaps in lost if heaps[0] <= heaps[1]])
