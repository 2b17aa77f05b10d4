"""Solves games whose rules are written in Python, with mergemate.

    from mergemate import Game

    class Nim(Game):
        name = "nim"
        def roots(self):           return [(3, 5, 0)]
        def mover(self, position): return position[2]
        def moves(self, position): ...

    solved = Nim().solve()
    print(solved.roots, solved.probe((3, 5, 0)))

This one file is all there is: copy it beside your game. It needs Python 3.9 or later, and the command mergemate. The positions are walked
breadth-first and piped to "mergemate solve -" as JSON Lines, while Python holds a key for each of them. docs/python.md is the tour.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional, Sequence, Union

Key = Union[str, int]

#: How a game can have ended, for the player to move.
WON, LOST, DRAWN = "won", "lost", "drawn"
ENDS = (WON, LOST, DRAWN)

LARGEST_INTEGER = 2**53 - 1
LONGEST_TEXT = 1024
#: Positions that are compared with others of their key: the first ones, and one of so many others.
KEPT_FIRST, KEPT_ONE_OF = 4096, 64
FORMATS = {".parquet": "parquet", ".arrow": "arrow", ".csv": "csv", ".jsonl": "jsonl"}


class MergemateError(Exception):
    """mergemate is not there, or has failed: with its own line."""


class RulesError(Exception):
    """The functions of a game contradict themselves: with the position."""


class Game:
    """The rules of a game for two players. Subclass it; positions may be any values."""

    #: The name of the solved game in the store: letters, digits, "-" and "_".
    name = "game"
    #: The names of the players 0 and 1.
    players: Sequence[str] = ("first", "second")
    #: What a player who cannot move has: LOST or DRAWN.
    stuck = LOST

    def roots(self) -> Iterable[Any]:
        """The positions in which the game begins."""
        raise NotImplementedError("roots")

    def moves(self, position: Any) -> Iterable[Any]:
        """The positions that moves lead to, or pairs (name of the move, position): a text, and a position."""
        raise NotImplementedError("moves")

    def mover(self, position: Any) -> int:
        """The player to move: 0 or 1."""
        raise NotImplementedError("mover")

    def ended(self, position: Any) -> Union[None, str, tuple]:
        """WON, LOST or DRAWN for the player to move, where the game is over; None where it goes on. The value of a position that another
        table has is an end, too: (WON, 12) is won in 12 plies."""
        return None

    #: In games with points: a function of a position where the game is over, the points by which player 0 has won (-125 to 125). Then
    #: `ended` is true where the game is over, and so is it where nobody can move.
    score = None

    def key(self, position: Any) -> Key:
        """What tells a position from all others: a text or an integer. Symmetric positions may have the same key."""
        return position if isinstance(position, (str, int)) else repr(position)

    def solve(self, store: Union[str, Path] = "tables", **options: Any) -> "Solved":
        """Walks all positions, and solves them. See `solve`."""
        return solve(self, store, **options)


# The positions, as lines of a graph


def lines(game: Game, at_most: Optional[int] = None) -> Iterator[dict]:
    """The game as a graph for mergemate (docs/graphs.md), a dictionary a line, breadth-first.

    Memory: the keys of all positions, and the positions that were found and not yet expanded. Raises RulesError if the functions of the
    game do not fit together, or if there are more than `at_most` positions.

    A key that forgets something makes a wrong graph whose values are all consistent. So the first positions and a sample of the others are
    kept, and compared with every other position that has their key.
    """
    waiting: deque = deque()
    seen: set = set()
    kept: dict = {}

    def found(position: Any) -> Key:
        key = _key_of(game, position)
        if key not in seen:
            if at_most is not None and len(seen) == at_most:
                raise RulesError(f"{game.name}: more than {at_most} positions, at {position!r}")
            seen.add(key)
            waiting.append((key, position))
            if len(seen) <= KEPT_FIRST or zlib.crc32(str(key).encode()) % KEPT_ONE_OF == 0:
                kept[key] = position
        elif key in kept:
            _require_same(game, key, kept[key], position)
        return key

    yield {"players": list(game.players), "stuck": "drawn" if game.score is not None or game.stuck == DRAWN else "lost"}
    roots = list(dict.fromkeys(found(root) for root in _asked(game, "roots")))
    if not roots:
        raise RulesError(f"{game.name}: there are no roots")
    yield {"roots": roots[:1024]}
    while waiting:
        key, position = waiting.popleft()
        yield _node(game, key, position, found)


def write(game: Game, path: Union[str, Path], at_most: Optional[int] = None) -> int:
    """Writes the game as JSON Lines, for "mergemate solve PATH". Returns how many positions it has."""
    positions = -2
    with open(path, "w", encoding="utf-8") as file:
        for line in lines(game, at_most):
            file.write(_json(line))
            positions += 1
    return positions


def _node(game: Game, key: Key, position: Any, found) -> dict:
    mover = _asked(game, "mover", position)
    if mover not in (0, 1):
        raise _wrong(game, position, f"mover is {mover!r}, not 0 or 1")
    node: dict = {"id": key, "owner": int(mover)}
    end = _asked(game, "ended", position)
    if game.score is None:
        if end is not None:
            result, plies = end if isinstance(end, tuple) and len(end) == 2 else (end, None)
            if result not in (ENDS if plies is None else (WON, LOST)):
                raise _wrong(game, position, f"ended is {end!r}, not 'won', 'lost', 'drawn' or None, nor ('won', plies) or ('lost', plies)")
            node["winner"] = None if result == DRAWN else int(mover) if result == WON else 1 - int(mover)
            if plies is not None:
                if not isinstance(plies, int) or not 0 <= plies <= 8000:
                    raise _wrong(game, position, f"ended is {end!r}: plies must be an integer from 0 to 8000")
                node["plies"] = plies
            return node
    edges = [] if game.score is not None and end else [_edge(game, position, move, found) for move in _asked(game, "moves", position)]
    if edges or game.score is None:
        node["edges"] = edges
        return node
    points = _asked(game, "score", position)
    if not isinstance(points, int) or abs(points) > 125:
        raise _wrong(game, position, f"score is {points!r}, not an integer from -125 to 125")
    node["winner"] = None if points == 0 else 0 if points > 0 else 1
    node["score"] = abs(points)
    return node


def _edge(game: Game, position: Any, move: Any, found) -> Union[Key, list]:
    name, after = _named(move)
    if name is None:
        return found(after)
    if not 0 < len(name) <= 256:
        raise _wrong(game, position, f"a move is called {name!r}: names have 1 to 256 characters")
    return [name, found(after)]


def _named(move: Any) -> tuple:
    """A pair of a text and something else is a move with a name. A position may be a pair, too, but does not begin with a text then."""
    return move if isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], str) else (None, move)


def _require_same(game: Game, key: Key, first: Any, second: Any) -> None:
    for what in ("mover", "ended", "moves"):
        answers = [_asked(game, what, position) for position in (first, second)]
        if what == "moves":
            answers = [{_key_of(game, _named(move)[1]) for move in moves} for moves in answers]
        if answers[0] != answers[1]:
            raise RulesError(f"{game.name}: {first!r} and {second!r} have the key {key!r}, but {what} is not the same")
        if what == "ended" and (answers[0] if game.score is not None else answers[0] is not None):
            return


def _key_of(game: Game, position: Any) -> Key:
    key = _asked(game, "key", position)
    if isinstance(key, str) and len(key) <= LONGEST_TEXT:
        return key
    if isinstance(key, int) and not isinstance(key, bool) and abs(key) <= LARGEST_INTEGER:
        return key
    raise _wrong(game, position, f"key is {key!r}, not a text of up to {LONGEST_TEXT} characters or an integer below 2**53")


def _asked(game: Game, function: str, *position: Any) -> Any:
    try:
        answer = getattr(game, function)(*position)
        # What a generator raises belongs to the same position.
        return list(answer) if function in ("roots", "moves") else answer
    except RulesError:
        raise
    except NotImplementedError as error:
        raise RulesError(f"{game.name}: {type(game).__name__} has no function {function}") from error
    except Exception as error:
        where = f" of {position[0]!r}" if position else ""
        raise RulesError(f"{game.name}: {function}{where} fails: {type(error).__name__}: {error}") from error


def _wrong(game: Game, position: Any, what: str) -> RulesError:
    return RulesError(f"{game.name}: {position!r}: {what}")


def _json(line: dict) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


# Solving


def solve(
    game: Game,
    store: Union[str, Path] = "tables",
    *,
    name: Optional[str] = None,
    metric: Optional[str] = None,
    memory: Optional[str] = None,
    workers: Optional[int] = None,
    again: bool = False,
    at_most: Optional[int] = None,
    mergemate: Union[str, Sequence[str], None] = None,
) -> "Solved":
    """Walks all positions of a game and solves them into a store, a folder.

    metric:    "dtw" (plies to the end, the default), "wdl", or "score" (the default of games with points).
    memory:    what mergemate may use, such as "256MiB".
    again:     replace what was solved under this name by other rules.
    at_most:   give up at more positions than these.
    mergemate: its command; else that of the variable MERGEMATE, the one on the PATH, or that of the clone in which this file lies.
    """
    command = Command(store, mergemate=mergemate)
    called = name or game.name
    chosen = metric or _metric_of(game)
    arguments = ["solve", "-", "--name", called, "--metric", chosen, "--json"]
    for flag, value in (("--memory", memory), ("--workers", workers)):
        if value is not None:
            arguments += [flag, str(value)]
    if again:
        arguments.append("--again")
    summary = command.piped(arguments, (_json(line) for line in lines(game, at_most)))
    return Solved(game, command, called, chosen, json.loads(summary))


def _metric_of(game: Game) -> str:
    return "score" if game.score is not None else "dtw"


class Command:
    """The command mergemate, with a store or a publication."""

    def __init__(self, place: Union[str, Path], option: str = "--store", mergemate: Union[str, Sequence[str], None] = None):
        self.place = [option, str(place)]
        self.words = _command_words(mergemate)

    def run(self, arguments: Sequence[str], text: Optional[str] = None, may_fail: bool = False) -> str:
        """Its output. Raises MergemateError with its line if it fails, unless it may: then output is enough."""
        done = subprocess.run(self._all(arguments), input=text, capture_output=True, encoding="utf-8")
        if may_fail and done.stdout:
            return done.stdout
        return self._output(done.returncode, done.stdout, done.stderr)

    def piped(self, arguments: Sequence[str], texts: Iterable[str]) -> str:
        """The same for input that is made while it is read. If making it fails, mergemate is stopped: it would take the rest for missing."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output, tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            process = subprocess.Popen(self._all(arguments), stdin=subprocess.PIPE, stdout=output, stderr=errors, encoding="utf-8")
            assert process.stdin is not None
            try:
                for text in texts:
                    process.stdin.write(text)
                process.stdin.close()
            except BrokenPipeError:
                pass  # It has ended, and says why.
            except BaseException:
                process.kill()
                process.wait()
                raise
            code = process.wait()
            output.seek(0)
            errors.seek(0)
            return self._output(code, output.read(), errors.read())

    def _all(self, arguments: Sequence[str]) -> list:
        return [*self.words, *arguments, *self.place]

    def _output(self, code: int, output: str, errors: str) -> str:
        if code == 0:
            return output
        said = [line for line in errors.splitlines() if line.strip()]
        line = said[-1] if said else f"{self.words[0]} ended with exit code {code} and said nothing"
        raise MergemateError(re.sub(r"^mergemate: ", "", line))


def _command_words(given: Union[str, Sequence[str], None]) -> list:
    if given is None:
        given = os.environ.get("MERGEMATE") or None
    if given is not None:
        words = shlex.split(given) if isinstance(given, str) else list(given)
        if words and shutil.which(words[0]) is not None:
            return words
        raise MergemateError(f"there is no command {words[0] if words else given}")
    if shutil.which("mergemate") is not None:
        return ["mergemate"]
    built = Path(__file__).resolve().parent.joinpath("../../dist/jobs/cli.js").resolve()
    if built.exists() and shutil.which("node") is not None:
        return ["node", str(built)]
    raise MergemateError("mergemate is not found: install it, or name its command in the variable MERGEMATE")


# What is solved


@dataclass(frozen=True)
class Move:
    """A move: its name, the key of the position that it leads to, and what it is worth for the player who makes it."""

    name: str
    key: Key
    outcome: str
    plies: Optional[int]
    score: Optional[int] = None

    def __str__(self) -> str:
        return f"{self.name}: {_worth(self)}"


@dataclass(frozen=True)
class Value:
    """What a position is worth for the player to move: "win", "draw" or "loss", and in how many plies the game ends."""

    key: Key
    mover: str
    outcome: str
    winner: Optional[str]
    plies: Optional[int]
    over: bool
    score: Optional[int] = None
    #: Best first; empty in `Solved.roots`.
    moves: tuple = ()

    def __str__(self) -> str:
        return f"{self.mover}{'' if self.over else ' to move'}: {_worth(self)}"


def _worth(value: Union[Move, Value]) -> str:
    points = "" if not value.score else f" by {abs(value.score)}"
    plies = "" if not value.plies else f" in {value.plies} {'ply' if value.plies == 1 else 'plies'}"
    return f"{value.outcome}{points}{plies}"


class Published:
    """A game in a folder that Solved.publish has written, here or elsewhere."""

    def __init__(self, folder: Union[str, Path], game: Game, name: Optional[str] = None, metric: Optional[str] = None):
        self.game, self.command, self.name = game, Command(folder, option="--published"), name or game.name
        self.metric = metric or _metric_of(game)

    def probe(self, position: Any) -> Value:
        """What a position is worth, with all its moves. Raises MergemateError if no game leads to it."""
        return self.probe_all([position])[0]

    def probe_all(self, positions: Iterable[Any]) -> list:
        """The same for many positions, by one call. Names that begin with "-" would be taken for options as an argument."""
        nodes = "".join(f"{_node_text(self.game.key(position))}\n" for position in positions)
        answers = self.command.run(["probe", self.name, "--metric", self.metric, "--file", "-"], nodes, may_fail=True)
        return [_value(json.loads(line)) for line in answers.splitlines()]


class Solved(Published):
    """A solved game in a store."""

    def __init__(self, game: Game, command: Command, name: str, metric: str, summary: dict):
        self.game, self.command, self.name, self.metric = game, command, name, metric
        #: What "mergemate solve --json" prints: nodes, edges, won, nobody, longestWin, rounds, digests, …
        self.summary = summary

    @property
    def positions(self) -> int:
        return self.summary["nodes"]

    @property
    def roots(self) -> list:
        """The values of the roots, of twenty at most."""
        return [_value(root) for root in self.summary["roots"]]

    def publish(self, folder: Union[str, Path]) -> Published:
        """Writes all values and names to two small files in a folder, some bytes a position, which Published reads on any machine."""
        self.command.run(["publish", self.name, "--metric", self.metric, "--to", str(folder)])
        return Published(folder, self.game, self.name, self.metric)

    def export(self, path: Union[str, Path], columns: Optional[Sequence[str]] = None) -> Path:
        """Writes a row for each position: .parquet, .arrow, .csv or .jsonl, by the name of the file."""
        path = Path(path)
        if path.suffix not in FORMATS:
            raise ValueError(f"{path}: the name must end in {', '.join(FORMATS)}")
        arguments = ["export", self.name, "--metric", self.metric, "--out", str(path), "--format", FORMATS[path.suffix]]
        self.command.run(arguments + ([] if columns is None else ["--columns", ",".join(columns)]))
        return path

    def rows(self, columns: Optional[Sequence[str]] = None) -> Iterator[dict]:
        """A dictionary for each position: position (its key, as text), mover, outcome, plies, … (docs/graphs.md)."""
        with tempfile.TemporaryDirectory() as folder:
            with open(self.export(Path(folder) / "rows.jsonl", columns), encoding="utf-8") as file:
                for line in file:
                    yield json.loads(line)

    def frame(self, columns: Optional[Sequence[str]] = None) -> Any:
        """The rows as a frame of Polars or, if that is not installed, of pandas."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                import polars
            except ImportError:
                pass
            else:
                return polars.read_parquet(self.export(Path(folder) / "rows.parquet", columns))
            try:
                import pandas
            except ImportError:
                raise MergemateError("frame needs Polars or pandas: pip install polars") from None
            # Keys of digits are texts here, and plies of draws are missing.
            whole = {"plies": "Int32", "score": "Int32", "position": "str", "move": "str"}
            return pandas.read_csv(self.export(Path(folder) / "rows.csv", columns), dtype=whole)


class Server:
    """Solved games behind "mergemate serve", at http://127.0.0.1:8080 for example."""

    def __init__(self, url: str, game: Game, name: Optional[str] = None):
        self.url, self.game, self.name = url.rstrip("/"), game, name or game.name

    def probe(self, position: Any) -> Value:
        """As that of Solved."""
        query = urllib.parse.urlencode({"game": self.name, "position": _node_text(self.game.key(position))})
        try:
            with urllib.request.urlopen(f"{self.url}/probe?{query}") as answer:
                return _value(json.load(answer))
        except urllib.error.HTTPError as error:
            text = error.read().decode("utf-8", "replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                pass
            raise MergemateError(f"{self.url}: {error.code}: {text}") from None
        except OSError as error:
            raise MergemateError(f"{self.url} does not answer: {getattr(error, 'reason', error)}") from None


def _value(found: dict) -> Value:
    if "error" in found:
        raise MergemateError(found["error"])
    moves = tuple(
        Move(move["move"], _key_in(move["position"]), move["outcome"], move["plies"], move.get("score")) for move in found.get("moves", ())
    )
    key, mover, outcome, plies = found["id"], found["mover"], found["outcome"], found["plies"]
    return Value(key, mover, outcome, found["winner"], plies, found["over"], found.get("score"), moves)


def _node_text(key: Key) -> str:
    """How mergemate reads the name of a node: text is quoted where it would be taken for something else."""
    if isinstance(key, int):
        return str(key)
    plain = re.fullmatch(r'[^-"\s\d\x00-\x1f][^\s\x00-\x1f]*', key)
    return key if plain else json.dumps(key)


def _key_in(text: str) -> Key:
    """The inverse."""
    if text.startswith('"'):
        return json.loads(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else text
