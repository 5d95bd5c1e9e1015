"""Kill commands that write at random moments, and see that nothing is lost.

The moment is drawn over the length that the command has when it is left alone, so that nearly every kill hits it at
work; one that had ended before counts as no try. After each ``kill -9`` the live version must be sound and answer. At
the end one more sync must reach what a clean build of the same sources reaches, and all that a command said was done
must be there: tokens, uploads, receipts, rules, backups, what was forgotten; and the audit's chain must hold.
"""

import random
import time
from collections import Counter

from benchmarks.attack.commands import Running, run_rag
from benchmarks.attack.outcome import Budget, Outcome
from benchmarks.attack.workspaces import Attacked, Command, edit, leftovers, settle, unexpected

_WEIGHTS = {"sync": 4, "sync, other chunks": 2, "restore": 2, "backup": 2, "forget": 2}
"""How often a command comes; the others once."""
_LEFT_ALONE = 0.15
"""The share of commands that are not killed: what they did must be kept, and their length is measured."""


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Kill until the time has come that the last sync and the clean build take."""
    began = time.monotonic()
    attacked = Attacked(budget.scratch / "home", chance)
    attacked.start()
    usual, killing = time.monotonic() - began, Killing(attacked)
    while not killing.killed or time.monotonic() - began < budget.minutes * 60 - 2 * usual:
        killing.go_on()
    spent = time.monotonic() - began - usual
    problems = killing.problems + settle(attacked.home) + leftovers(attacked.home)
    lost = attacked.lost()
    problems += attacked.differences()
    tries = sum(killing.killed.values())
    fell = ", ".join(f"{name} {count}" for name, count in killing.killed.most_common())
    notes = (
        f"kills that fell while it ran: {tries} of {tries + killing.missed} in {spent / 60:.1f} minutes: {fell}",
        *problems[:5],
        *lost[:5],
    )
    return [Outcome("kill -9 of every command that writes", tries, len(problems), len(lost), notes)]


class Killing:
    """The commands that were killed, and what was wrong afterwards."""

    def __init__(self, attacked: Attacked) -> None:
        self.attacked = attacked
        self.killed: Counter[str] = Counter()
        self.missed = 0
        self.problems: list[str] = []
        self._lengths: dict[str, float] = {}

    def go_on(self) -> None:
        """Run a command by chance, and kill it by chance."""
        chance, makers = self.attacked.chance, self.attacked.commands()
        (name,) = chance.choices(list(makers), [_WEIGHTS.get(one, 1) for one in makers])
        edit(self.attacked.home, chance, count=2)
        if name not in self._lengths or chance.random() < _LEFT_ALONE:
            self._leave_alone(name, makers[name]())
        else:
            self._kill(name, makers[name]())
        self.problems += [f"after {name}, kill {self.killed.total()}: {one}" for one in self.attacked.complaints()]

    def _leave_alone(self, name: str, command: Command) -> None:
        began = time.monotonic()
        self._ended(name, command, *run_rag(self.attacked.home, command.words, **command.variables))
        self._lengths[name] = time.monotonic() - began

    def _kill(self, name: str, command: Command) -> None:
        if name == "repair":
            self.attacked.damage()
        running = Running(self.attacked.home, command.words, command.variables)
        hit = running.kill(self.attacked.chance.uniform(0, self._lengths[name]))
        self.killed[name] += hit
        self.missed += not hit
        self._ended(name, command, *running.ended())
        if name == "repair":  # what it had begun, the next one ends
            self._ended(name, command, *run_rag(self.attacked.home, command.words))

    def _ended(self, name: str, command: Command, code: int, out: str, err: str) -> None:
        if code == 0 or name == "restore":  # which may have exchanged all before it was killed
            command.done(out)
        self.problems += unexpected(name, code, out, err) if code >= 0 else []
