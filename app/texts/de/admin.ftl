## Verwaltung

admin-title = Verwaltung
admin-part = Teil dieser Ansicht
admin-people = Personen
admin-reading = Wer was liest
admin-tokens = Token
admin-limits = Grenzen
admin-servers = Modelle
admin-backups = Sicherungen
admin-who = Wer
admin-why = Warum
admin-name-hint = user:ilse@example.org oder group:data

## Personen

admin-people-about = Alle, die Einstellungen, Gruppen, Regeln, Quellen oder Token nennen oder die zuletzt hier waren. Wem was
    gezeigt wurde und wer geändert hat, was gelesen werden darf, steht unter <a href="operate?part=audit" target="_self">Betrieb</a>.
admin-find = Einen Namen finden
admin-nobody = Noch ist niemand genannt. Quellen ohne <code>principals</code> sind öffentlich.
admin-role = Rolle
admin-groups = In den Gruppen
admin-known-by = Bekannt durch
admin-by-settings = eine Rolle
admin-by-group = eine Gruppe
admin-by-rule = eine Regel
admin-by-source = eine Quelle
admin-by-token = ein Token
admin-by-seen = einen Besuch
admin-seen = zuletzt hier { $age }
admin-members = enthält { $names }
admin-role-admin = Verwaltung
admin-role-editor = Redaktion
admin-role-reader = Lesen
admin-role-none = Keine
admin-give-role = Eine Rolle geben
admin-role-about = Wird in <code>[access]</code> von <code>rag.toml</code> geschrieben. Gruppen gelten so, wie der
    Anmeldedienst sie bei der Anmeldung nennt.
admin-give = Geben
admin-role-given = Die Rolle von { $name } wurde geändert.
admin-group-change = Eine Gruppe ändern
admin-group-about = Zusätzlich zu den Gruppen aus der Anmeldung. Es gilt ab der nächsten Frage.
admin-group = Gruppe
admin-member = Wer darin ist
admin-join = Aufnehmen
admin-leave = Herausnehmen
admin-joined = { $member } ist jetzt in { $group }.
admin-left = { $member } ist nicht mehr in { $group }.

## Wer was liest

admin-reading-about = Was jemand jetzt lesen darf und durch welchen seiner Namen. Ohne Namen: was öffentlich ist.
admin-also-in = Auch in diesen Gruppen
admin-also-in-help = Gruppen des Anmeldedienstes, mit denen die Person noch nicht hier war.
admin-see-as = Sehen wie { $name }
admin-reads-as = Liest als { $names }.
admin-source = Quelle
admin-may-read = Darf lesen
admin-of = { $documents } von { $of }
admin-because = Weil die Quelle einlässt
admin-because-own = Dokumente oder Regeln sagen es selbst
admin-because-no = keinen dieser Namen
admin-rules = Regeln, die sie nennen
admin-rule = Regel
admin-rule-about = Worüber
admin-document = Ein Dokument
admin-document-address = Seine Adresse, das Ende einer Adresse oder seine ID
admin-document-none = Kein Dokument heißt so. { $reason }
admin-document-yes = Darf es lesen.
admin-document-no = Darf es nicht lesen.

## Token

admin-tokens-about = Mit einem Token fragt ein Programm über HTTP im Namen dessen, für den es gemacht wurde, und niemandes sonst.
admin-no-tokens = Es gibt noch kein Token.
admin-token-new = Ein Token machen
admin-token-make = Machen
admin-token-once = Das ist das Token <b>{ $name }</b>. Es wird nur dieses eine Mal gezeigt: Kopieren Sie es jetzt.
admin-token-noted = Ich habe es kopiert
admin-token-which = Welches
admin-scopes = Darf
admin-scope-read = suchen und lesen
admin-scope-ask = Antworten schreiben lassen
admin-scope-edit = Sammlungen ändern und Abgleiche beginnen
admin-scope-widget = durch das Widget fragen, sonst nichts
admin-scope-metrics = die Metriken ansehen, sonst nichts
admin-scope-admin = alles
admin-reads = Liest als
admin-reads-help = Personen und Gruppen. Keine: Es liest, was öffentlich ist.
admin-public = was öffentlich ist
admin-limited = Nur diese Sammlungen
admin-unlimited = alle Sammlungen
admin-made = Gemacht
admin-made-by = { $age } von { $who }
admin-revoke = Widerrufen
admin-revoke-means = Wer es hat, wird sofort abgewiesen. Sie können das zehn Sekunden lang rückgängig machen.

## Grenzen

admin-limits-about = Wird in <code>rag.toml</code> geschrieben. Diese Seite hält sich sofort daran; ein Server, der schon
    läuft, erst nach einem Neustart.
admin-limits-access = Was eine Person darf
admin-limits-answer = Was eine Antwort kosten darf
admin-limits-generator = Was das Sprachmodell schreiben darf

## Modelle und Server

admin-servers-about = Jedem wird eine echte, kleine Anfrage geschickt; gezeigt wird, was zurückkommt, oder der Fehler.
admin-try = Prüfen
admin-trying = Es wird auf eine Antwort gewartet …
admin-answers = Antwortet
admin-fails = Antwortet nicht
admin-here = in diesem Prozess
admin-first-model = das erste Modell des Servers
admin-sort-language = Sprachmodell
admin-sort-embedding = Einbettungsmodell
admin-sort-transcription = Transkription
admin-key-set = Schlüssel in { $name }
admin-key-missing = kein Schlüssel in { $name }
admin-no-server = Kein Sprachmodell ist eingerichtet: Antworten sind Zitate. Nennen Sie eines in <code>[generator]</code> von
    <code>rag.toml</code>.

## Sicherungen

admin-backups-about = Eine Kopie des ganzen Arbeitsbereichs, wie er ist, während er benutzt wird. Was schon dort ist, wird nicht
    noch einmal kopiert. Passwörter und Schlüssel sind nicht darin.
admin-backup-target = Wohin: ein Ordner oder eine Adresse wie s3://bucket/folder
admin-backup-keep = Wie viele bleiben
admin-backup-make = Eine Sicherung machen
admin-backup-begun = Die Sicherung wurde begonnen.
admin-backup-running = Das läuft gerade …
admin-backup-never = Von hier wurde noch keine Sicherung gemacht.
admin-backup-well = Die letzte Sicherung endete { $when }: { $size } in { $target }.
admin-backup-failed = Die letzte Sicherung ist { $when } gescheitert: { $reason }
admin-backup-verify = Alle Kopien zurücklesen
admin-verify-begun = Die Prüfung wurde begonnen.
admin-verify-never = Von hier wurde noch keine Kopie zurückgelesen.
admin-verify-well = { $count ->
        [one] Die Kopie wurde { $when } zurückgelesen und ist unversehrt.
       *[other] Alle { $count } Kopien wurden { $when } zurückgelesen und sind unversehrt.
    }
admin-verify-failed = Kopien sind beschädigt, wie sich { $when } zeigte: { $reason } Die nächste Sicherung kopiert noch einmal, was fehlt.
admin-backup-unreadable = Was dort liegt, kann nicht gelesen werden. { $reason }
admin-backup-empty = Dorthin wurde noch nichts kopiert.
admin-backup-copies = { $count ->
        [one] Eine Kopie ist dort
       *[other] { $count } Kopien sind dort
    }
admin-backup-live = Gültige Version
admin-backup-size = Größe
admin-files = Dateien
