"""Plays positions with the UCI engine of a command, as lichess-bot does by python-chess: options that are not declared, values out of range and
lines that cannot be read are errors. Input: JSON with `command`, `options`, and `fens`. Output: a line for each FEN: whether the side to move
mated, and in how many plies. The other side is played by a second engine of the same command."""
import json
import logging
import sys

import chess
import chess.engine

logging.basicConfig(level=logging.WARNING)
asked = json.load(sys.stdin)
LONGEST = 300


def opened():
    engine = chess.engine.SimpleEngine.popen_uci(asked["command"], timeout=60)
    engine.configure(asked["options"])
    return engine


with opened() as engine, opened() as other:
    for number, fen in enumerate(asked["fens"]):
        board = chess.Board(fen)
        mover = board.turn
        plies = 0
        while not board.is_game_over(claim_draw=True) and plies < LONGEST:
            player = engine if board.turn == mover else other
            limit = chess.engine.Limit(white_clock=60, black_clock=60, white_inc=0, black_inc=0)
            played = player.play(board, limit, game=number, info=chess.engine.INFO_ALL, ponder=player is engine)
            if player is engine and "score" not in played.info:
                raise ValueError(f"no score for {board.fen()}: {played.info}")
            board.push(played.move)
            plies += 1
        print(int(board.is_checkmate() and board.turn != mover), plies, flush=True)
