"""The program LibreOffice: which files it is given, and what it makes of each."""

from pathlib import Path

from rag_platform.documents.formats.converters.converter import SYSTEM, Converter

_ARGUMENTS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--convert-to")
_DATA = ("/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice", "/etc/fonts")
_DEVICES = ("/var/cache/fontconfig", "/proc/stat", "/sys/devices/system/cpu")
_TEXTS = ".602 .cwk .doc .hwp .lrf .lwp .mcw .mw .pages .pdb .stw .sxw .sdw .tcr .wp .wpd .wps .wpt .wri"
_SHEETS = ".123 .numbers .qpw .sdc .stc .sxc .wb1 .wb2 .wb3 .wdb .wk1 .wk3 .wk4 .wks .wq1 .wq2 .xls .xlsb"
_SLIDES = ".key .pps .ppt .sdd .sti .sxi"
_DRAWINGS = ".cdr .cmx .fh7 .fh8 .fh9 .p65 .pm6 .pmd .pub .qxd .qxp .sda .std .sxd .vsd .vsdm .vsdx .vss .vst .wpg .zmf"


def _program(launcher: Path) -> Path:
    """Return what the launcher would start in a process of its own, which the cell refuses."""
    binary = launcher.with_name("soffice.bin")
    return binary if binary.is_file() else launcher


def command(program: Path, folder: Path, given: Path | None, target: str) -> list[str]:
    """Return the command that converts a file, or without one the command that only makes the profile."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    return [str(program), profile, *_ARGUMENTS, target, "--outdir", str(folder), *([str(given)] if given else [])]


LIBREOFFICE = Converter(
    name="LibreOffice",
    purpose="files that no reader here reads: Visio, Publisher, WordPerfect, iWork …",
    install="apt-get install libreoffice-nogui",
    programs=("soffice", "libreoffice"),
    targets={
        **dict.fromkeys(_TEXTS.split(), "odt"),
        **dict.fromkeys(_SHEETS.split(), "ods"),
        **dict.fromkeys(_SLIDES.split(), "odp"),
        **dict.fromkeys(_DRAWINGS.split(), "odg"),
    },
    command=command,
    marks={
        b"\xffWPC": ".wpd",
        b"\xdb\xa5": ".doc",
        b"\x31\xbe\x00\x00": ".wri",
        b"\x00\x00\x02\x00\x06\x04\x06\x00": ".wk1",
        b"\x00\x00\x1a\x00": ".wk3",
        b"HWP Document File": ".hwp",
    },
    streams={
        "VisioDocument": ".vsd",
        "Quill": ".pub",
        "MatOST": ".wps",
        "StarWriterDocument": ".sdw",
        "StarCalcDocument": ".sdc",
        "StarDrawDocument3": ".sdd",
    },
    data=lambda program: (*SYSTEM, *_DATA, *_DEVICES, str(program.parents[1])),
    asks_version=("--version",),
    found=_program,
)
"""What it makes of files keeps most of them, and a reader here reads it."""
