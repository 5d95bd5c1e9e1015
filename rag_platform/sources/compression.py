"""Decompression that cannot be used to fill the memory."""

import zlib

MAGIC = b"\x1f\x8b"


def gunzip(content: bytes, limit: int) -> bytes:
    """Decompress gzip data, all its members, to at most `limit` bytes.

    Raises:
        ValueError: the data is damaged, cut short or larger than `limit` when decompressed.
    """
    parts, room = [], limit + 1
    while content:
        stream = zlib.decompressobj(wbits=31)
        try:
            parts.append(stream.decompress(content, room))
        except zlib.error as error:
            raise ValueError(f"damaged gzip data: {error}") from error
        room -= len(parts[-1])
        if room <= 0:
            raise ValueError(f"larger than {limit} bytes when decompressed")
        if not stream.eof:
            raise ValueError("the gzip data ends too early")
        content = stream.unused_data.lstrip(b"\0")  # zeros may pad the end of a member
    return b"".join(parts)


def inflate(content: bytes, limit: int) -> bytes:
    """Decompress "deflate" data, with or without zlib's header (servers send both), to at most `limit` bytes.

    Raises:
        ValueError: the data is damaged, cut short or larger than `limit` when decompressed.
    """
    for wbits in (15, -15):
        stream = zlib.decompressobj(wbits=wbits)
        try:
            found = stream.decompress(content, limit + 1)
        except zlib.error:
            continue
        if len(found) > limit:
            raise ValueError(f"larger than {limit} bytes when decompressed")
        if not stream.eof:
            raise ValueError("the deflate data ends too early")
        return found
    raise ValueError("damaged deflate data")
