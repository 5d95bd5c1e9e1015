"""A workspace of fourteen small documents, half of them pages with navigation, and questions of people about them."""

import json
from collections.abc import Sequence
from pathlib import Path

NAVIGATION = "Home About us Timetable Contact Imprint Log in Newsletter"
PAGES = {
    "ferry": "The ferry at Alder Lock crosses every twenty minutes from six in the morning until dusk. In a flood it "
    "stays at its mooring, and the nearest bridge is at Hartwell. Bicycles travel free of charge on weekdays.",
    "gauges": "Every river gauge is calibrated in spring by two wardens with a levelling staff. The readings are sent "
    "by radio to the station at Corvin. A gauge that fails twice in a month is replaced within ten days.",
    "herons": "Grey herons nest in the reeds below the old paper mill from the first week of March. Visitors keep "
    "to the boardwalk while the chicks are small. Dogs must stay on a lead between the mill and the weir.",
    "boathouse": "The boathouse closes at nine in the evening, and the keys go back to the warden on duty. Members may "
    "borrow a canoe for three hours without booking. Life jackets hang behind the eastern door.",
    "weir": "The weir was rebuilt in 1931 from granite blocks quarried at Penrose. Its fish ladder has eleven steps "
    "and lets salmon pass upstream in autumn. Engineers inspect the sluice gates after each storm.",
    "museum": "The river museum shows a diving bell that raised cannon from the wreck of the Marigold. Guided tours "
    "for schools begin at half past ten on Tuesdays. The entrance fee for adults is four crowns.",
    "bakery": "The bakery by the towpath sells rye loaves that rest for two nights before they are baked. Flour comes "
    "from the water mill at Sallow End. On Sundays the oven stays cold and only tea is served.",
    "anglers": "Anglers need a day ticket, which the kiosk at the northern bank sells for two crowns. Pike shorter "
    "than fifty centimetres must be returned to the water. Night fishing is allowed in July and August only.",
    "flood": "When the water rises above the red mark, sirens sound three long tones across the valley. Families on "
    "Mill Lane gather in the school gymnasium on the hill. Sandbags are stored in the old fire station.",
    "market": "A floating market of fourteen barges moors at Corvin on the last Saturday of each month. Traders sell "
    "honey, baskets and smoked eel until the afternoon. Barges over eighteen metres need a pilot.",
}
NOTES = {
    "budget": "The association spent nine thousand crowns on dredging the harbour last year. The council approved a "
    "loan for a second tugboat in November.",
    "volunteers": "Forty volunteers cleared driftwood from the spillway after the October gale. Newcomers receive "
    "waterproof gloves and a whistle from the quartermaster.",
    "archive": "The oldest chart in the archive was drawn by the surveyor Elian Marsh in 1764. Copies on linen may be "
    "ordered from the librarian for seven crowns.",
    "orchestra": "The barge orchestra rehearses Handel on the upper deck every Thursday evening. Its new cellist "
    "arrived from Lisbon with a borrowed instrument.",
}
QUESTIONS = (
    ("ferry", "how often does the boat at Alder Lock go over?", "crosses every twenty minutes"),
    ("gauges", "Who checks the water level instruments, and when?", "calibrated in spring by two wardens"),
    ("herons", "Where do the big grey birds breed?", "nest in the reeds below the old paper mill"),
    ("weir", "How many steps are there for the salmon?", "Its fish ladder has eleven steps"),
    ("museum", "price of admission to the exhibition", "The entrance fee for adults is four crowns"),
    ("anglers", "Which pike may I keep?", "Pike shorter than fifty centimetres must be returned"),
    ("budget", "What did dredging cost?", "nine thousand crowns on dredging the harbour"),
    ("archive", "Who drew the oldest map?", "drawn by the surveyor Elian Marsh in 1764"),
)
ASKED = ("When does the ferry stop?", "Where are sandbags kept?", "Who plays on the barge?")


def write_river(home: Path, questions: Sequence[tuple[str, str, str]] = ()) -> Path:
    """Write the workspace into a new folder."""
    (home / "pages").mkdir(parents=True)
    (home / "notes").mkdir()
    (home / "rag.toml").write_text(
        "".join(f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n' for name in ("pages", "notes"))
    )
    links = "".join(f"<a href='/'>{name}</a> " for name in NAVIGATION.split())
    for number, (name, text) in enumerate(PAGES.items()):
        page = (
            f"<html><head><title>{name.title()}</title></head><body><nav>{links} page {number}</nav>"
            f"<main><article><h1>{name.title()}</h1><p>{text}</p></article></main></body></html>"
        )
        (home / "pages" / f"{name}.html").write_text(page)
    for name, text in NOTES.items():
        (home / "notes" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    if questions:
        (home / "questions").mkdir()
        rows = [
            {
                "id": name,
                "question": asked,
                "relevant": [{"uri": f"{name}.{'html' if name in PAGES else 'md'}", "quote": quote}],
            }
            for name, asked, quote in questions
        ]
        (home / "questions" / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return home
