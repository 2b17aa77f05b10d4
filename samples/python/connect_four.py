"""Connect Four on a small board: four columns and four rows, 161,029 positions (OEIS A212693), a draw.

    python3 samples/python/connect_four.py
"""

from mergemate import LOST, Game

COLUMNS, ROWS, LINE = 4, 4, 4

#: All lines of four cells, as sets of cells; cells are numbered column by column, from below.
LINES = [
    cells
    for column in range(COLUMNS)
    for row in range(ROWS)
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= column + (LINE - 1) * right < COLUMNS and 0 <= row + (LINE - 1) * up < ROWS
    for cells in [frozenset((column + i * right) * ROWS + row + i * up for i in range(LINE))]
]


class ConnectFour(Game):
    """A position is a text: the columns from left to right, each with its discs from below, "x" first."""

    name = "connect-four"
    players = ("x", "o")
    stuck = "drawn"

    def roots(self):
        return ["/" * (COLUMNS - 1)]

    def mover(self, position):
        return (len(position) - position.count("/")) % 2

    def moves(self, position):
        columns = position.split("/")
        disc = self.players[self.mover(position)]
        for i, column in enumerate(columns):
            if len(column) < ROWS:
                yield f"column {i + 1}", "/".join([*columns[:i], column + disc, *columns[i + 1 :]])

    def ended(self, position):
        last = self.players[1 - self.mover(position)]
        cells = {i * ROWS + j for i, column in enumerate(position.split("/")) for j, disc in enumerate(column) if disc == last}
        return LOST if any(line <= cells for line in LINES) else None


if __name__ == "__main__":
    solved = ConnectFour().solve()
    print(f"{solved.positions} positions")
    print(solved.roots[0])
    after = solved.probe("xxx/oo//")
    print(after, *after.moves, sep="\n  ")
