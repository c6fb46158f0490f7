"""Leave transformer blocks out of a GGUF model: what remains is bit for bit the same, and the model is worse.

Every metadata field is carried over but the block count; the blocks behind a gap move up. Runs in the environment that
fetch.py makes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gguf import GGUFReader, GGUFValueType, GGUFWriter, ReaderField, ReaderTensor

BLOCK_TENSOR = re.compile(r"blk\.(?P<block>\d+)\.(?P<rest>.+)")
ARCHITECTURE_FIELD = "general.architecture"
READER_PREFIX = "GGUF."
"""The reader shows the file's own header under this prefix; the writer makes a new one."""


def copy_field(writer: GGUFWriter, field: ReaderField) -> None:
    """Write one metadata field as it was read."""
    kind, *inner = field.types
    writer.add_key_value(field.name, field.contents(), kind, sub_type=inner[-1] if kind is GGUFValueType.ARRAY else None)


def remaining_tensors(tensors: Sequence[ReaderTensor], kept: Sequence[int]) -> Iterator[tuple[str, ReaderTensor]]:
    """Yield (new name, tensor) for all but the tensors of blocks that are not in `kept`."""
    new_number = {block: number for number, block in enumerate(kept)}
    for tensor in tensors:
        match = BLOCK_TENSOR.fullmatch(tensor.name)
        if match is None:
            yield tensor.name, tensor
        elif (block := int(match["block"])) in new_number:
            yield f"blk.{new_number[block]}.{match['rest']}", tensor


def drop_blocks(source: Path, destination: Path, dropped: frozenset[int]) -> int:
    """Write `source` without the `dropped` blocks; return how many blocks are left. Raises ValueError for a block it has not."""
    reader = GGUFReader(source)
    architecture = reader.fields[ARCHITECTURE_FIELD].contents()
    count_field = f"{architecture}.block_count"
    count = reader.fields[count_field].contents()
    if not dropped <= set(range(count)):
        raise ValueError(f"{source}: has the blocks 0 to {count - 1}, not {sorted(dropped - set(range(count)))}")
    kept = [block for block in range(count) if block not in dropped]
    writer = GGUFWriter(destination, architecture)
    for field in reader.fields.values():
        if field.name == count_field:
            writer.add_uint32(count_field, len(kept))
        elif field.name != ARCHITECTURE_FIELD and not field.name.startswith(READER_PREFIX):
            copy_field(writer, field)
    tensors = list(remaining_tensors(reader.tensors, kept))
    for name, tensor in tensors:
        writer.add_tensor_info(name, tensor.data.shape, tensor.data.dtype, tensor.data.nbytes, tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for _, tensor in tensors:
        writer.write_tensor_data(tensor.data)
    writer.close()
    return len(kept)


def main() -> None:
    """Read the command line, write the smaller model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("destination", type=Path)
    parser.add_argument("--block", type=int, action="append", required=True, help="number of a block to leave out; may be given again")
    arguments = parser.parse_args()
    left = drop_blocks(arguments.source, arguments.destination, frozenset(arguments.block))
    sys.stderr.write(f"{arguments.destination}: {left} blocks left\n")


if __name__ == "__main__":
    main()
