"""From a token's leaving the model's server to its standing in the page, in a real browser.

    python -m benchmarks.streaming [QUESTIONS] [--chromium /usr/bin/chromium]

A small workspace is published, a server on loopback streams scripted answers, a token every 50 ms, and an observer in
the page notes when each token first stands in the document. Server, page and browser are on this machine and share its
clock.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import FLAGS, page_over
from tests.chat_server import END, ROLE, ChatServer, chunk, serving

TOKENS = 20
WATCH = """() => {
  window.seen = {};
  const look = () => {
    const text = [...document.querySelectorAll(".answer.writing")].map(each => each.textContent).join(" ");
    for (const token of text.match(/token\\d+x/g) ?? []) window.seen[token] ??= Date.now() / 1000;
  };
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


def main() -> None:
    """Ask, and print how long the first token and the others took, in milliseconds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", nargs="?", type=int, default=10)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    first: list[float] = []
    others: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving() as model,
        page_over(_workspace(Path(folder), model)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        for number in range(options.questions + 1):
            page = browser.new_page()
            took = _asked(page, address, model)
            page.context.close()
            if number:  # the first question loads the models
                first.append(took[0])
                others.extend(took[1:])
        browser.close()
    for name, took in (("first token", first), ("other tokens", others)):
        worst, most = max(took), statistics.quantiles(took, n=20, method="inclusive")[-1]
        print(f"{name}: median {statistics.median(took):.0f} ms, 95 % below {most:.0f} ms, most {worst:.0f} ms")


def _asked(page: Page, address: str, model: ChatServer) -> list[float]:
    """Return the milliseconds from each token's sending to its being seen."""
    tokens = [f"token{number}x" for number in range(TOKENS)]
    model.script = [[ROLE, 0.3, *(event for token in tokens for event in (chunk(f"{token} "), 0.05)), *END]]
    model.sent_at.clear()
    page.goto(address)
    page.get_by_placeholder("Ask about your documents").wait_for(timeout=60_000)
    page.evaluate(WATCH)
    page.get_by_placeholder("Ask about your documents").fill("How many days of paid leave do employees get?")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => Object.keys(window.seen ?? {{}}).length >= {TOKENS}", timeout=120_000)
    seen = page.evaluate("window.seen")
    sent = dict(zip(tokens, model.sent_at[1:], strict=False))  # the role comes first
    return [1000 * (seen[token] - sent[token]) for token in tokens]


def _workspace(home: Path, model: ChatServer) -> Path:
    (home / "docs").mkdir()
    (home / "docs" / "leave.md").write_text("# Leave\n\nEmployees get 25 days of paid leave per year.\n")
    (home / "rag.toml").write_text(
        f'[generator]\nbase_url = "{model.address}"\n\n[[sources]]\nid = "handbook"\nkind = "folder"\npath = "docs"\n'
    )
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "benchmark")
    return home


if __name__ == "__main__":
    main()
