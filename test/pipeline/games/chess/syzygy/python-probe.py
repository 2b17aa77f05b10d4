"""Asks python-chess. Argument: the folder. Input: FENs, one a line. Output: the outcome (0 lost ... 4 won) and the plies to a
zeroing move, 0 for draws."""
import sys

import chess
import chess.syzygy

with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for line in sys.stdin:
        board = chess.Board(line.strip())
        print(tables.probe_wdl(board) + 2, abs(tables.probe_dtz(board)))
