"""Operate: what runs and what is wrong, sources, reviews, what is asked, what lies on the disk, what it costs."""

from app import frame
from app.operate.access_log import show_access
from app.operate.activity import show_activity
from app.operate.audit import show_audit
from app.operate.costs import show_costs
from app.operate.questions import show_questions
from app.operate.review import show_review
from app.operate.sources import show_sources
from app.operate.storage import show_storage
from app.parts import show_parts, tell_notice

PARTS = {
    "now": show_activity,
    "sources": show_sources,
    "review": show_review,
    "asked": show_questions,
    "holding": show_storage,
    "costs": show_costs,
    "decided": show_access,
    "audit": show_audit,
}

person = frame.require("admin")
tell_notice()
show_parts("operate", PARTS, person)
