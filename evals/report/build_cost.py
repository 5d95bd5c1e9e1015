"""The cost ledger to the figures of a report."""

from collections.abc import Mapping
from typing import Any

from rag_platform.monitoring.cost_ledger import CostLedger, total

_COUNTS: dict[str, tuple[str, ...]] = {
    "items_seen": ("fetch.seen",),
    "items_new_or_changed": ("fetch.new", "fetch.changed"),
    "documents_read": ("extract.extracted",),
    "tokens_embedded": ("embed.tokens",),
}


def cost_of_last_build(costs: CostLedger, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the last build cost; nothing when it made no new version.

    `seconds` per stage, `chunks` (total, embedded, reused), `bytes_written`, and how many items were seen and changed,
    documents read and tokens embedded.
    """
    spent = total(costs.last_build())
    counts = spent["counts"]
    if not counts.get("index.versions"):
        return {}
    made = {name: sum(counts.get(key, 0) for key in keys) for name, keys in _COUNTS.items()}
    return made | {
        "seconds": spent["seconds"],
        "bytes_written": sum(spent["bytes_written"].values()),
        "chunks": {
            "total": manifest["counts"]["chunks"],
            "embedded": counts.get("embed.embedded", 0),
            "reused": counts.get("embed.reused", 0),
        },
    }
