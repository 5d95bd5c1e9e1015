"""Several processes that write the same workspace at once: no error but an honest "busy", and nothing lost.

At the end the workspace must be what one process alone makes of the same sources.
"""

import random
import time
from collections import Counter

from benchmarks.attack.commands import Running
from benchmarks.attack.outcome import Budget, Outcome
from benchmarks.attack.workspaces import Attacked, edit, leftovers, settle, unexpected

_AT_ONCE = 4


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Start rounds of commands until the time for the last sync and the clean build has come."""
    began = time.monotonic()
    attacked = Attacked(budget.scratch / "home", chance)
    attacked.start()
    usual, problems, tries = time.monotonic() - began, [], Counter[str]()
    while not tries or time.monotonic() - began < budget.minutes * 60 - 2.5 * usual:
        problems += one_round(attacked, tries)
    problems += attacked.complaints() + settle(attacked.home) + leftovers(attacked.home)
    lost = attacked.lost()
    problems += attacked.differences()
    ran = ", ".join(f"{name} {count}" for name, count in tries.most_common())
    notes = (f"commands: {ran}; {_AT_ONCE} at once", *problems[:5], *lost[:5])
    return [Outcome("writers at once", sum(tries.values()), len(problems), len(lost), notes)]


def one_round(attacked: Attacked, tries: Counter[str]) -> list[str]:
    """Run some commands at once; returns errors that are not honest."""
    makers = attacked.commands()
    edit(attacked.home, attacked.chance)
    names = attacked.chance.sample(list(makers), _AT_ONCE)
    # A restore decides what there is: what the others have done before it may be gone, so it is asked last.
    commands = sorted(((name, makers[name]()) for name in names), key=lambda one: one[0] == "restore")
    running = [(name, one, Running(attacked.home, one.words, one.variables)) for name, one in commands]
    problems = []
    for name, command, process in running:
        code, out, err = process.ended()
        tries[name] += 1
        if code == 0:
            command.done(out)
        problems += unexpected(name, code, out, err)
    return problems
