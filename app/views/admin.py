"""Admin: people and what they may read, tokens, limits, models and servers, backups. The part is in the address."""

from app import frame
from app.admin.backups import show_backups
from app.admin.limits import show_limits
from app.admin.people import show_people
from app.admin.reading import show_reading
from app.admin.servers import show_servers
from app.admin.tokens import show_tokens
from app.parts import show_parts, tell_notice

PARTS = {
    "people": show_people,
    "reading": show_reading,
    "tokens": show_tokens,
    "limits": show_limits,
    "servers": show_servers,
    "backups": show_backups,
}

person = frame.require("admin")
tell_notice()
show_parts("admin", PARTS, person)
