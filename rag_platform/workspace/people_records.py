"""What people do in a workspace: what they ask, judge and choose, how often, and what they were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_platform.core.lazy import locked_cached_property
from rag_platform.workspace.stores import Stores

if TYPE_CHECKING:
    from rag_platform.audit.audit_log import AuditLog
    from rag_platform.journal.answer_judgements import Feedback
    from rag_platform.journal.answer_preferences import AnswerPreferences
    from rag_platform.journal.journal import Journal
    from rag_platform.journal.proposals import Proposals
    from rag_platform.journal.usage import UsageCounter
    from rag_platform.people.arranging.branches import ChatBranches
    from rag_platform.people.arranging.folders import ChatFolders
    from rag_platform.people.chat_files import ChatAttachments
    from rag_platform.people.chat_scopes import ChatScopes
    from rag_platform.people.chats import Chats
    from rag_platform.people.grids.grid_cells import GridCells
    from rag_platform.people.grids.grids import Grids
    from rag_platform.people.preferences import Preferences
    from rag_platform.people.rate_limits import RateLimits
    from rag_platform.people.sharing.assistants import Assistants
    from rag_platform.people.sharing.question_templates import QuestionTemplates
    from rag_platform.people.watches import Watches
    from rag_platform.trials.shadow_set import ShadowSet
    from rag_platform.trials.trial_records import Trials


class Records(Stores):
    """A workspace's records of people."""

    @locked_cached_property
    def journal(self) -> Journal:
        """What the applications write: receipts, chats, feedback."""
        from rag_platform.journal.journal import Journal
        from rag_platform.journal.migrations import MIGRATIONS

        return Journal(self.database("app.sqlite", MIGRATIONS))

    @locked_cached_property
    def preferences(self) -> Preferences:
        """What people chose last."""
        from rag_platform.people.preferences import Preferences

        return Preferences(self.journal)

    @locked_cached_property
    def feedback(self) -> Feedback:
        """What people think of answers, in the journal's file."""
        from rag_platform.journal.answer_judgements import Feedback

        return Feedback(self.journal)

    @locked_cached_property
    def preferred(self) -> AnswerPreferences:
        """Which of two answers people find better, in the journal's file."""
        from rag_platform.journal.answer_preferences import AnswerPreferences

        return AnswerPreferences(self.journal)

    @locked_cached_property
    def chats(self) -> Chats:
        """Conversations, in the journal's file."""
        from rag_platform.people.chats import Chats

        return Chats(self.journal)

    @locked_cached_property
    def attachments(self) -> ChatAttachments:
        """The files of chats, in the journal's file."""
        from rag_platform.people.chat_files import ChatAttachments

        return ChatAttachments(self.journal)

    @locked_cached_property
    def chat_scopes(self) -> ChatScopes:
        """What each chat is answered from."""
        from rag_platform.people.chat_scopes import ChatScopes

        return ChatScopes(self.journal)

    @locked_cached_property
    def branches(self) -> ChatBranches:
        """What stands beside each message of a chat."""
        from rag_platform.people.arranging.branches import ChatBranches

        return ChatBranches(self.journal)

    @locked_cached_property
    def folders(self) -> ChatFolders:
        """Where people keep their chats."""
        from rag_platform.people.arranging.folders import ChatFolders

        return ChatFolders(self.journal)

    @locked_cached_property
    def assistants(self) -> Assistants:
        """How somebody wishes to be answered, under a name."""
        from rag_platform.people.sharing.assistants import Assistant
        from rag_platform.people.sharing.shelf import Shelf

        return Shelf(self.journal, "assistant", Assistant)

    @locked_cached_property
    def templates(self) -> QuestionTemplates:
        """Questions with gaps."""
        from rag_platform.people.sharing.question_templates import QuestionTemplate
        from rag_platform.people.sharing.shelf import Shelf

        return Shelf(self.journal, "template", QuestionTemplate)

    @locked_cached_property
    def watches(self) -> Watches:
        """Questions and searches whose outcome people are told of when it changes, in the journal's file."""
        from rag_platform.people.watches import Watches

        return Watches(self.journal)

    @locked_cached_property
    def grids(self) -> Grids:
        """Tables of questions and documents, in the journal's file."""
        from rag_platform.people.grids.grids import Grids

        return Grids(self.journal)

    @locked_cached_property
    def grid_cells(self) -> GridCells:
        """What is kept of the answers of grids, and which wait to be filled."""
        from rag_platform.people.grids.grid_cells import GridCells

        return GridCells(self.journal)

    @locked_cached_property
    def proposals(self) -> Proposals:
        """Questions that people's judgements propose for the evaluation."""
        from rag_platform.journal.proposals import Proposals

        return Proposals(self.journal, self.versions)

    @locked_cached_property
    def audit(self) -> AuditLog:
        """Who was shown what."""
        from rag_platform.audit.audit_log import AuditLog
        from rag_platform.index.releases.release_log import acting_user

        return AuditLog(
            self.settings.data / "audit.sqlite", self.settings.audit, lambda: (acting_user(), self.interface)
        )

    @locked_cached_property
    def rates(self) -> RateLimits:
        """How often one person may ask and search: in this process, with [scale] database in all of them together."""
        from rag_platform.journal.shared_counts import SharedCounts
        from rag_platform.people.rate_limits import RateLimits

        access = self.settings.access
        limits = {"questions": access.questions_per_minute, "searches": access.searches_per_minute}
        limits["questions of visitors"] = access.widget_questions_per_minute
        limits["answers of grids"] = access.grid_answers_per_minute
        return RateLimits(
            limits,
            counted=lambda kind, cost: self.uses.count(kind, cost) if kind == "searches" else None,
            shared=SharedCounts(self.journal) if self.settings.scale.database else None,
        )

    @locked_cached_property
    def uses(self) -> UsageCounter:
        """How many searches there were each day; questions leave receipts."""
        from rag_platform.journal.usage import UsageCounter

        return UsageCounter(self.journal)

    @locked_cached_property
    def shadow_set(self) -> ShadowSet:
        """Real questions that were kept, with leave, and masked."""
        from rag_platform.trials.shadow_set import ShadowSet

        return ShadowSet(self.settings.data / "shadow.sqlite", self.settings.shadow)

    @locked_cached_property
    def trials(self) -> Trials:
        """Versions on trial beside the live one."""
        from rag_platform.trials.trial_records import Trials

        return Trials(self.shadow_set, self.versions)
