"""Kill commands that write at random moments, and see that nothing is lost.

After each ``kill -9`` of a command the live version must be sound and answer. At the end one more sync must reach what
a clean build of the same sources reaches, and all that a command said was done must be there: tokens, uploads,
receipts, backups, what was forgotten; and the audit's chain must hold.
"""

import random
import time
from collections import Counter

from benchmarks.attack.outcome import Budget, Outcome
from benchmarks.attack.workspaces import Attacked, edit, leftovers, run_rag, settle

_WEIGHTS = {"sync": 6, "sync, other chunks": 2, "restore": 2, "backup": 2, "forget": 2}
"""How often a command comes; the others once."""


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Kill until a third of the time is left, which the last sync and the clean build take."""
    began = time.monotonic()
    attacked = Attacked(budget.scratch / "home", chance)
    attacked.start()
    usual = time.monotonic() - began
    problems, killed, ended = [], Counter[str](), 0
    while not killed or time.monotonic() - began < budget.minutes * 60 - 2.5 * usual:
        name, problem = kill_one(attacked, usual / 2)
        killed[name] += 1
        ended += problem is None
        problems += [f"after {name}, kill {sum(killed.values())}: {one}" for one in problem or ()]
        problems += [f"after {name}, kill {sum(killed.values())}: {one}" for one in attacked.complaints()]
    problems += settle(attacked.home) + leftovers(attacked.home)
    lost = attacked.lost()
    problems += attacked.differences()
    fell = ", ".join(f"{name} {count}" for name, count in killed.most_common())
    notes = (f"commands: {fell}; {ended} ended by themselves", *problems[:5], *lost[:5])
    return [Outcome("kill -9 of every command that writes", sum(killed.values()), len(problems), len(lost), notes)]


def kill_one(attacked: Attacked, longest: float) -> tuple[str, list[str] | None]:
    """Run a command by chance and kill it by chance; returns its name and what it got wrong, None: it had ended."""
    makers = attacked.commands()
    (name,) = attacked.chance.choices(list(makers), [_WEIGHTS.get(one, 1) for one in makers])
    edit(attacked.home, attacked.chance)
    command, after = makers[name](), attacked.chance.uniform(0.1, 1.0) * longest
    code, out, err = run_rag(attacked.home, command.words, kill_after=after, **command.variables)
    if code == 0 or name == "restore":  # which may have exchanged all before it was killed
        command.done(out)
    if code >= 0:
        return name, ["a traceback: " + err[-200:]] if "Traceback" in err else None
    return name, []
