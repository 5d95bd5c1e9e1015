"""The shape of the code, in numbers: ``python -m benchmarks.tree [CHECKOUT]``.

Prints for `rag_platform` and `evals` of a checkout how many modules and lines there are, how long modules and
functions are, how many modules lie loose at the top and in the fullest folder, and which modules import each other in
a circle (imports for type checkers included).
"""

import ast
import sys
from pathlib import Path
from statistics import median

import grimp

PACKAGES = ("rag_platform", "evals")


def circles(package: str) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or on the way round, the largest first."""
    graph = grimp.build_graph(package, cache_dir=None)
    found: set[tuple[str, ...]] = set()
    for module in graph.modules:
        both = graph.find_upstream_modules(module) & graph.find_downstream_modules(module)
        if both - {module}:
            found.add(tuple(sorted(both | {module})))
    return sorted(map(list, found), key=len, reverse=True)


def functions(path: Path) -> list[int]:
    """Return the lengths of a module's functions in lines, docstrings included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [node.end_lineno - node.lineno + 1 for node in made if node.end_lineno]


def describe(root: Path, package: str) -> dict[str, object]:
    """Count one package."""
    paths = sorted((root / package).rglob("*.py"))
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    modules = [path for path in paths if path.name != "__init__.py"]
    per_folder = [sum(path.parent == folder for path in modules) for folder in {path.parent for path in modules}]
    longest = max(modules, key=lines.__getitem__)
    lengths = [length for path in paths for length in functions(path)]
    return {
        "modules": len(modules),
        "folders": len(per_folder),
        "lines": sum(lines.values()),
        "median module": median(lines[path] for path in modules),
        "longest module": f"{lines[longest]} ({longest.relative_to(root)})",
        "modules over 250 lines": sum(lines[path] > 250 for path in modules),
        "functions": len(lengths),
        "median function": median(lengths),
        "functions over 40 lines": sum(length > 40 for length in lengths),
        "loose at the top": sum(path.parent == root / package for path in paths),
        "fullest folder": max(per_folder),
        "circles": ", ".join(f"{len(circle)} modules" for circle in circles(package)) or "none",
    }


def main() -> None:
    """Print the counts of both packages, a line each."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    sys.path.insert(0, str(root))
    columns = [describe(root, package) for package in PACKAGES]
    print(f"{'':26}" + "".join(f"{package:>36}" for package in PACKAGES))
    for name in columns[0]:
        print(f"{name:26}" + "".join(f"{column[name]!s:>36}" for column in columns))


if __name__ == "__main__":
    main()
