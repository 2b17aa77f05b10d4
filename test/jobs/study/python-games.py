"""Reads PGN as python-chess does. Arguments: files. Output: a JSON line for each file, with its games: the errors of each, its first
position and its moves, each with its position and the variations that replace it."""
import json
import logging
import sys

import chess.pgn

logging.disable(logging.CRITICAL)


def line(node):
    moves = []
    while node.variations:
        board = node.board()
        first, *others = node.variations
        moves.append([board.san(first.move), first.board().fen(), [variation(board, other) for other in others]])
        node = first
    return moves


def variation(board, node):
    return [[board.san(node.move), node.board().fen(), []], *line(node)]


for path in sys.argv[1:]:
    games = []
    with open(path, encoding="utf-8", errors="replace") as text:
        while True:
            game = chess.pgn.read_game(text)
            if game is None:
                break
            variant = type(game.board()).uci_variant
            games.append({
                "variant": variant,
                "event": game.headers.get("Event", "?"),
                "result": game.headers.get("Result", "*"),
                "errors": len(game.errors),
                "fen": game.board().fen(),
                "moves": line(game),
            })
    print(json.dumps(games))
