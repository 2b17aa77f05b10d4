"""Reads the runs that `mergemate solve --keep-runs` leaves in a store. docs/runs.md follows one request through them.

Needs pyarrow and numpy. A run is an Arrow file; docs/design/storage.md describes its blocks.
"""
import base64
import numpy as np
import pyarrow as pa


def unpack(words, parts):
    """The minors of a record batch. words: its packed-minors, u32; parts: how many of its rows each major has."""
    blocks = [min(128, int(rows) - i) for rows in parts for i in range(0, int(rows), 128)]
    tags = words[len(words) - (len(blocks) + 3) // 4 :].view("u1").tolist()
    minors, at = [], 0
    for rows, tag in zip(blocks, tags):
        size = tag - 32 if tag > 32 else ((rows - 1) * tag + 31) // 32
        bits = np.unpackbits(words[at + 1 : at + 1 + size].view("u1"), bitorder="little")
        if tag > 32:  # a bitmap
            beyond_first = np.flatnonzero(bits)
        else:  # differences of `tag` bits each
            steps = bits[: (rows - 1) * tag].reshape(rows - 1, tag) @ (1 << np.arange(tag))
            beyond_first = np.concatenate([[0], np.cumsum(steps)])
        minors.append(int(words[at]) + beyond_first)
        at += 1 + size
    return np.concatenate(minors)


def one_run(data):
    with pa.ipc.open_file(data) as file:
        about = file.schema.metadata
        majors = np.frombuffer(base64.b64decode(about[b"run.majors"]), "<u4")
        starts = np.frombuffer(base64.b64decode(about[b"run.starts"]), "<f8").astype(int)
        each = int(about[b"run.batch-rows"])
        table = file.read_all()
        if about[b"run.packed"] == b"true":
            columns = [file.get_batch(i).column(0).to_numpy() for i in range(file.num_record_batches)]
            parts = [np.diff(np.clip(starts, i * each, (i + 1) * each)) for i in range(len(columns))]
            table = pa.table({"minor": np.concatenate([unpack(*both) for both in zip(columns, parts)])})
        elif about[b"run.dense"] == b"true":  # a row for every minor
            minors = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
            table = table.add_column(0, "minor", [minors])
        return table.add_column(0, "major", [np.repeat(majors, np.diff(starts))])


def read_run(path):
    """The rows of a file as a table: columns major and minor, then its others."""
    with open(path, "rb") as file:
        data, tables = file.read(), []
    while data:  # the last run of a bundle first: its footer says at which byte it begins
        with pa.ipc.open_file(data) as file:
            begins = int(file.schema.metadata.get(b"run.begins", 0))
        tables.insert(0, one_run(data[begins:]))
        data = data[:begins]
    return pa.concat_tables(tables)


def positions(rows):
    """Sets as positions: bit i of low is minor 64 * row + i, bit i of high minor 64 * row + 32 + i. Keys stay as they are."""
    if "low" not in rows.column_names:
        return rows
    halves = np.stack([rows["low"].to_numpy(), rows["high"].to_numpy()], axis=1).astype("<u4")
    at, bit = np.nonzero(np.unpackbits(halves.view("u1"), axis=1, bitorder="little"))
    minors = 64 * rows["minor"].to_numpy()[at].astype("i8") + bit
    return pa.table({"major": rows["major"].to_numpy()[at], "minor": minors})


def counts(labels, part, planes):
    """The counts of a part, by key, from rows of a run of counts that are held in so many planes of bits."""
    words = labels["label"].to_numpy()[labels["major"].to_numpy() == part].reshape(-1, planes, 8)
    bits = np.unpackbits(words, axis=2, bitorder="little")
    return (bits * (1 << np.arange(planes))[:, np.newaxis]).sum(axis=1).ravel()
