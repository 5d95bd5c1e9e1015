## Sammlungen von Dateien, und Quellen

collections-title = Sammlungen
collections-both = Was gezeigt wird
collections-show-collections = Sammlungen
collections-show-sources = Quellen
collections-new = Neue Sammlung
collections-create = Anlegen
collections-save = Speichern
collections-edit = Bearbeiten
collections-back = Alle Sammlungen
collections-back-sources = Alle Quellen
collections-find = Eine Sammlung finden
collections-find-file = Eine Datei finden
collections-found-none = Nichts hier heißt „{ $words }“.
collections-found-some = { $found } von { $all }
collections-place = Quelle
collections-empty = <h3>Legen Sie hier Ihr eigenes Material ab</h3>Eine Sammlung enthält Dateien, die zusammengehören: die Unterlagen
    eines Kurses, die Texte eines Projekts. Legen Sie eine an, legen Sie Ihre Dateien hinein, und drücken Sie <b>Jetzt abgleichen</b>. Jede
    Datei wird gelesen, in Stellen geschnitten und in den Index aufgenommen; dann können Sie danach <b>fragen</b> und darin <b>suchen</b>, und
    jede Antwort führt zurück zu der Stelle in Ihrer Datei.
collections-empty-reader = <h3>Für Sie gibt es noch keine Sammlungen</h3>Eine Sammlung enthält Dateien, die zusammengehören.
    Sobald jemand eine mit Ihnen teilt, steht sie hier.
collections-no-place = <h3>Noch ist kein Platz für Dateien da</h3>Eine Sammlung enthält Dateien, die Sie hier ablegen: Dokumente,
    Webseiten, E-Mails. Die Verwaltung schafft mit einem Klick Platz dafür; Ordner, Feeds und Websites werden unter <b>Quellen</b> gelesen.
collections-make-place = Platz für Dateien schaffen
collections-nothing = In dieser Sammlung ist noch nichts.
collections-nothing-drop = In dieser Sammlung ist noch nichts. Legen Sie oben Dateien ab, oder drücken Sie <b>Upload</b>, um welche auszuwählen.

collections-wanted = Die Dokumente beantworten <q>{ $question }</q> nicht. Fügen Sie einer Sammlung eines hinzu, das es tut, oder unter
    <b>Quellen</b> den Ordner, Feed oder die Website, die es hat; nach dem nächsten Abgleich kann noch einmal gefragt werden.
collections-wanted-back = Zurück zum Chat

collections-field-title = Titel
collections-hint-title = Physik, erstes Jahr
collections-field-description = Was sie enthält
collections-field-readers = Wer sie lesen darf
collections-help-readers = Niemand gewählt: alle, die die Quelle lesen dürfen. Nur Gruppen und Personen, als die Sie selbst lesen, stehen zur Wahl.
collections-everyone = alle
collections-language-field = Sprache ihrer Texte
collections-language-help = Für Texte, die zu kurz sind, um sie zu erkennen.
collections-language = { $code ->
    [none] Am Text erkannt
    [ar] Arabisch
    [ca] Katalanisch
    [zh] Chinesisch
    [cs] Tschechisch
    [da] Dänisch
    [nl] Niederländisch
    [en] Englisch
    [fi] Finnisch
    [fr] Französisch
    [de] Deutsch
    [hi] Hindi
    [it] Italienisch
    [ja] Japanisch
    [ko] Koreanisch
    [ne] Nepali
    [pl] Polnisch
    [pt] Portugiesisch
    [ru] Russisch
    [es] Spanisch
    [sv] Schwedisch
    [tr] Türkisch
    [uk] Ukrainisch
   *[other] { $other }
}
collections-files = { $count ->
    [one] { $count } Datei
   *[other] { $count } Dateien
}
collections-passages = { $count ->
    [one] { $count } Stelle
   *[other] { $count } Stellen
}
collections-documents = { $count ->
    [one] { $count } Dokument
   *[other] { $count } Dokumente
}
collections-read-by = gelesen von { $who }
collections-revision = Fassung { $number }
collections-added = hinzugefügt { $age }
collections-added-by = hinzugefügt { $age } von { $who }
collections-drop = Dateien hier ablegen: Dokumente, Webseiten, E-Mails, Archive, jede höchstens { $most }{ "\u00A0" }MB
collections-remove = Entfernen
collections-remove-help = { $name } entfernen
collections-open-help = { $name } öffnen

collections-state-uploaded = Hochgeladen, wartet auf den nächsten Abgleich
collections-state-fetched = Geholt, wird als Nächstes gelesen
collections-state-read = Gelesen, wird als Nächstes in Stellen geschnitten
collections-state-chunked = In Stellen geschnitten, wird als Nächstes eingebettet
collections-state-embedded = Eingebettet, wird mit der nächsten Version veröffentlicht
collections-state-live = Gültig: Es kann gefunden werden
collections-state-failed = Konnte nicht gelesen werden
collections-state-excluded = Ausgelassen
collections-state-forgotten = Vergessen
collections-short-uploaded = hochgeladen
collections-short-fetched = wartet darauf, gelesen zu werden
collections-short-read = gelesen
collections-short-chunked = geschnitten
collections-short-embedded = eingebettet
collections-short-live = gültig
collections-short-failed = konnte nicht gelesen werden
collections-short-excluded = ausgelassen
collections-short-forgotten = vergessen
collections-step = Schritt { $step } von { $of }

collections-delete = Löschen
collections-delete-title = Diese Sammlung löschen?
collections-delete-source-title = Diese Quelle löschen?
collections-delete-files = { $count ->
    [0] Sie hat keine Dateien.
    [one] Ihre eine Datei geht für immer.
   *[other] Ihre { $count } Dateien gehen für immer.
}
collections-delete-index = { $documents ->
    [0] Nichts davon ist im Index.
    [one] Ein Dokument mit { $chunks } Stellen verlässt den Index mit der nächsten Version.
   *[other] { $documents } Dokumente mit { $chunks } Stellen verlassen den Index mit der nächsten Version.
}
collections-delete-answers = { $answers ->
    [0] Keine frühere Antwort zitiert sie.
    [one] Eine frühere Antwort zitiert sie. Die Antwort bleibt; ihre Verweise führen zu den aufbewahrten Versionen.
   *[other] { $answers } frühere Antworten zitieren sie. Die Antworten bleiben; ihre Verweise führen zu den aufbewahrten Versionen.
}
collections-delete-last = Sonst ist nichts im Index. Deshalb bleibt die gültige Version, bis etwas anderes gelesen wurde.
collections-delete-kept = Was davon gelesen wurde, bleibt in <code>data/</code>, damit sie schnell wieder hinzugefügt ist. Um es überall
    und nachweislich zu löschen: <code>rag forget { $id }</code>.
collections-delete-gate = Wenn Fragen Ihrer Fragensammlungen darauf beruhen, lehnt die Prüfung die nächste Version ab, bis Sie sie herausnehmen.
collections-type-name = Schreiben Sie zur Bestätigung { $name }

## Einem Abgleich zusehen

collections-sync = Jetzt abgleichen
collections-sync-help = Liest, was neu ist, prüft es und veröffentlicht es.
collections-sync-local = Ohne Dagster abgleichen
collections-cancel = Abbrechen
collections-look-again = Noch einmal nachsehen
collections-in-dagster = Den Lauf in Dagster ansehen
collections-ready = Wird vorbereitet
collections-stage = { $stage ->
    [sync] Wird vorbereitet
    [fetch] Wird geholt
    [extract] Wird gelesen
    [chunk] Wird geschnitten
    [embed] Wird eingebettet
    [index] Der Index wird gebaut
    [evaluate] Wird bewertet
    [publish] Wird veröffentlicht
   *[other] { $stage }
}
collections-stage-of = { $stage }: { $done } von { $total }
collections-rate = { $rate } je Sekunde
collections-left = insgesamt noch etwa { $time }
collections-waits = Wartet auf den laufenden Abgleich; dann wird alles, was wartet, zusammen gelesen
collections-joined = Andere Quellen dieses Abgleichs werden gelesen
collections-run-queued = Wartet in Dagster, bis es an der Reihe ist
collections-run-starting = Dagster startet den Lauf
collections-run-canceling = Der Lauf endet
collections-run-by = begonnen { $age }
collections-waiting = Neue Dateien werden nach dem nächsten Abgleich gefunden.
collections-synced = Letzter Abgleich { $age }.
collections-never = noch nicht gelesen
collections-failed = Der letzte Abgleich ({ $age }) ist gescheitert: { $reason }
collections-canceled = Der letzte Abgleich wurde abgebrochen ({ $age }). Was fertig war, ist gespeichert; der nächste macht dort weiter.
collections-refused = Der letzte Abgleich ({ $age }) wurde nicht veröffentlicht: { $reason }
collections-paused-note = Diese Quelle ruht: Kein Zeitplan liest sie. Setzen Sie sie fort, damit es weitergeht.
collections-down = <b>{ $why }.</b> Starten Sie es mit <code>make up</code> oder mit <code>dg dev</code> im Ordner
    des Arbeitsbereichs. Bis dahin können Sie ohne Dagster abgleichen.
collections-interrupted = Ein Lauf war unterwegs (begonnen { $age }), als Dagster verschwand, und niemand arbeitet mehr daran.
    Was fertig war, ist gespeichert; der nächste Abgleich macht dort weiter.
collections-lost = <b>Der Lauf ist tot.</b> Dagster hält ihn noch für laufend, aber seinen Prozess gibt es nicht mehr. Was fertig
    war, ist gespeichert; räumen Sie ihn weg und gleichen Sie noch einmal ab.
collections-clear = Wegräumen
collections-idle = Der Webserver von Dagster antwortet, aber sein Daemon läuft nicht, deshalb wartet der Lauf. Starten Sie beide mit
    <code>make up</code> oder <code>dg dev</code>, oder brechen Sie den Lauf ab und gleichen Sie ohne Dagster ab.
collections-busy = Es läuft außerhalb von Dagster und kann hier deshalb nicht abgebrochen werden.

## Quellen

collections-add = Eine Quelle hinzufügen
collections-sources-empty = <h3>Noch wird nichts gelesen</h3>Eine Quelle ist, was diese Plattform liest und frisch hält: ein Feed, eine
    Website, ein Ordner, ein Portal hinter einer Anmeldung, die Zeilen einer Datenbank. Fügen Sie eine hinzu, sehen Sie vorab an, was gelesen würde, und speichern Sie sie.
collections-sources-empty-editor = <h3>Für Sie gibt es noch keine Quellen</h3>Eine Quelle ist, was diese Plattform liest und frisch
    hält. Fügen Sie einen Feed, eine Website oder ein Portal hinzu; die Verwaltung kann auch Ordner und Datenbanken hinzufügen.
collections-find-source = Eine Quelle finden
collections-kind = { $kind ->
    [feed] Feed
    [web] Website
    [portal] Portal
    [folder] Ordner
    [sql] Datenbank
    [objects] Bucket
    [upload] Uploads
    [more] Alle Arten
   *[other] { $kind }
}
collections-gallery-about = Alles, was eine Quelle sein kann, auch ohne Formular. Die Verwaltung schreibt die Tabelle in
    <code>rag.toml</code> oder in eine Datei für <code>rag source add</code> und passt sie an; was als
    <code>$&#123;secret:name&#125;</code> dasteht, wird mit <code>rag secret set name</code> aufbewahrt.
collections-gallery-reads = { $kind ->
    [feed] Feeds in RSS, Atom oder JSON, mit den Seiten ihrer Artikel.
    [web] Seiten einer Website: aus ihrer Sitemap, entlang ihrer Links oder nach einer Liste.
    [portal] Eine Website hinter einer Anmeldung, etwa ein Kursportal.
    [folder] Dateien unterhalb eines Ordners dieser Maschine.
    [sql] Zeilen einer Datenbank, jede ein Dokument.
    [objects] Dateien eines Buckets: S3 und andere Speicher.
    [upload] Dateien, die jemand hier ablegt.
    [git] Dateien eines Git-Repositorys, auch die Wikis von GitLab und Gitea.
    [imap] Die Post eines Kontos, nach Gesprächen.
    [webdav] Dateien eines WebDAV-Servers wie Nextcloud.
    [mediawiki] Seiten eines MediaWikis wie Wikipedia.
    [store] Was Chroma, Qdrant, pgvector, LanceDB, LlamaIndex oder LangChain in ihren Index aufgenommen haben.
    [dlt] Was irgendeine Quelle von dlt liest: beschriebene REST-APIs, Tabellen, Dateien, Hunderte von Diensten.
    [llamahub] Was irgendein Reader von LlamaHub liest: Confluence, Notion, Slack, Drive, SharePoint, Jira und mehr.
   *[other] { $reads }
}
collections-gallery-add = Eine Quelle der Art { $kind } hinzufügen
collections-gallery-missing = Nicht installiert: die Extras { $extras }, die manches davon braucht.
collections-gallery-broken = Sein Paket kann nicht benutzt werden: { $reason }
collections-gallery-own = Für alles andere schreibt <code>rag source new-kind</code> ein Paket mit einer eigenen Art, das
    läuft und seine Tests hat.
collections-kind-about = { $kind ->
    [feed] Feeds in RSS, Atom oder JSON, mit den Seiten ihrer Artikel.
    [web] Seiten einer Website: aus ihrer Sitemap, entlang ihrer Links oder nach einer Liste.
    [portal] Eine Website hinter einer Anmeldung, etwa ein Kursportal.
    [folder] Dateien unterhalb eines Ordners dieser Maschine.
    [sql] Zeilen einer Datenbank, jede ein Dokument.
   *[other] { $kind }
}
collections-paused = ruht
collections-late = überfällig
collections-running = läuft
collections-some-failed = { $count } gescheitert
collections-read-at = gelesen { $age }
collections-next-at = nächstes Mal { $when }
collections-unscheduled = ohne Zeitplan
collections-in-hours = in { $count } Std.
collections-in-days = in { $count } Tagen
collections-pause = Ruhen lassen
collections-resume = Fortsetzen
collections-pause-help = Zeitpläne lassen sie aus, bis jemand sie fortsetzt.
collections-settings = Ihre Einstellungen
collections-failures = Was gescheitert ist
collections-failures-more = … und { $count } weitere
collections-as-they = Andere sehen davon, was sie lesen dürfen.

## Das Formular einer neuen Quelle

collections-add-title = Eine Quelle hinzufügen
collections-which = Was ist es?
collections-more = Weitere Einstellungen
collections-preview = Vorab ansehen, was gelesen würde
collections-previewing = Es wird nachgesehen, was die Quelle auflistet …
collections-preview-again = Noch einmal vorab ansehen
collections-preview-stop = Anhalten
collections-preview-none = Nichts wird gespeichert: Die Vorschau listet nur auf, was ein Abgleich lesen würde.
collections-preview-count = { $cut ->
    [yes] Mindestens { $count } würden gelesen.
   *[no] { $count ->
        [0] Nichts würde gelesen.
        [one] Ein Dokument würde gelesen.
       *[other] { $count } Dokumente würden gelesen.
    }
}
collections-preview-took = In { $seconds } s aufgelistet; nichts wurde gespeichert.
collections-preview-more = … und { $count } weitere
collections-preview-failed = <b>So kann es nicht gelesen werden.</b> { $reason }
collections-preview-part = Konnte nicht aufgelistet werden:
collections-preview-old = Das Formular wurde nach dieser Vorschau geändert.
collections-save-source = Die Quelle hinzufügen
collections-mend = Verbessern Sie zuerst, was oben angemerkt ist.
collections-added-source = { $id } wurde hinzugefügt. Drücken Sie „Jetzt abgleichen“, um sie zu lesen.
collections-local-only = Ordner und Datenbanken liegen auf dieser Maschine oder in ihrem Netz, deshalb darf nur die Verwaltung sie hinzufügen.

collections-help-id = In Filtern, Berichten und Dagster. Er kann später nicht geändert werden.
collections-field-address = Adresse des Feeds
collections-field-others = Weitere Feeds
collections-help-others = In jeder Zeile eine Adresse.
collections-field-articles = Die Seiten der Artikel lesen, nicht nur den Text des Feeds
collections-field-max_age_days = Einträge auslassen, die älter sind als (Tage)
collections-field-allow_private = Sie liegt im eigenen Netz dieser Maschine
collections-help-allow_private = Private Adressen werden abgewiesen, wenn dies nicht an ist.
collections-field-way = Wie ihre Seiten gefunden werden
collections-way-crawl = Links folgen
collections-way-urls = Liste von Seiten
collections-field-sitemap = Adresse der Sitemap
collections-field-crawl = Seite, bei der begonnen wird
collections-help-crawl = Ihren Links wird gefolgt, innerhalb des Ordners, in dem sie liegt.
collections-field-urls = Seiten
collections-help-urls = In jeder Zeile eine Adresse.
collections-field-include = Nur, was passt zu
collections-help-include = Muster wie **/*.pdf, in jeder Zeile eines. Leer: alles.
collections-field-exclude = Auslassen, was passt zu
collections-help-exclude = Muster wie **/drafts/**, in jeder Zeile eines.
collections-field-limit = Höchstens so viele Seiten
collections-field-javascript = Skripte machen ihre Seiten: in einem Browser öffnen
collections-field-url = { $kind ->
    [sql] Adresse der Datenbank
   *[other] Adresse des Portals
}
collections-field-profile = Art des Portals
collections-profile-generic = Irgendeines
collections-field-user = Benutzer
collections-field-password = Passwort
collections-help-password = Wird verschlüsselt bei den Geheimnissen aufbewahrt, nie in rag.toml, und nie wieder gezeigt.
collections-field-logged_in = Text, den nur sieht, wer angemeldet ist
collections-field-depth = Wie viele Links entfernt Seiten gelesen werden
collections-field-path = Ordner
collections-help-path = Ein Pfad auf dieser Maschine; ein relativer beginnt im Ordner des Arbeitsbereichs.
collections-field-query = Abfrage
collections-field-key = Spalte, an der man eine Zeile erkennt
collections-field-title-sql = Titel
collections-field-template = Text eines Dokuments
collections-help-template = Markdown; {"{"}column{"}"} wird durch den Wert der Zeile ersetzt.
collections-field-uri = Adresse einer Zeile
collections-field-cursor = Spalte, die sich mit jeder Änderung der Zeile ändert
collections-field-published_at = Spalte des Datums
collections-field-updated_at = Spalte der letzten Änderung
collections-field-schedule = Wieder lesen
collections-schedule-none = Nur auf Wunsch
collections-schedule-quarter = Alle 15 Minuten
collections-schedule-hour = Jede Stunde
collections-schedule-day = Jeden Tag um 06:00 UTC
collections-schedule-week = Jeden Montag um 06:00 UTC
collections-schedule-own = Zu eigenen Zeiten
collections-field-cron = Zeiten in der Schreibweise von cron (UTC)
collections-field-language = Sprache ihrer Texte
collections-field-comments = Behalten, was Leser unter ihre Seiten schrieben
collections-field-page_text = Text von PDFs und Bildern aus
collections-help-page_text = Wo die Textschicht einer Seite fehlt oder schlecht ist, wird ihr Bild gelesen. Ein Modell für Bilder liest nur, wo eines eingerichtet ist.
collections-page_text-auto = Was am besten ist
collections-page_text-layer = Textschicht
collections-page_text-ocr = Texterkennung
collections-page_text-vision = Modell für Bilder
collections-field-half_life_days = Alter, in dem ein Dokument halb zählt (Tage)
collections-field-fresh_within_hours = Überfällig, wenn nicht gelesen seit (Stunden)
collections-field-principals = Wer sie lesen darf
collections-help-principals = Niemand gewählt: alle. Nur Gruppen und Personen, als die Sie selbst lesen, stehen zur Wahl.

collections-wrong-missing = Das wird gebraucht.
collections-wrong-taken = Eine Quelle { $id } gibt es schon. Wählen Sie einen anderen Namen.
collections-wrong-id = Kleine Buchstaben, Ziffern, - und _, zu Beginn ein Buchstabe oder eine Ziffer; höchstens 63.
collections-wrong-address = „{ $given }“ ist keine Webadresse. Sie beginnt mit https:// oder http:// und nennt einen Host.
collections-wrong-password = Lassen Sie das Passwort aus der Adresse weg: In rag.toml könnte man es lesen. Schreiben Sie es in sein Feld weiter unten, wo es eines gibt.
collections-wrong-placeholder = Namen von Geheimnissen gelten nur in rag.toml selbst. Schreiben Sie das Passwort in sein eigenes Feld.
collections-wrong-database = Die Adresse einer Datenbank sieht so aus: postgresql+psycopg://reader@db.example.org/desk oder sqlite:///data/desk.sqlite.
collections-wrong-user = Mit einem Passwort nennt die Adresse den Benutzer: postgresql+psycopg://reader@db.example.org/desk.
collections-wrong-cron = Fünf Felder: Minute, Stunde, Tag, Monat, Wochentag. „30 7 * * 1-5“ ist 07:30 von Montag bis Freitag.
collections-wrong-number = Eine Zahl über null.
collections-wrong-folder = Einen solchen Ordner gibt es auf dieser Maschine nicht.
collections-wrong-kind = Nur die Verwaltung darf Quellen dieser Art hinzufügen.

## Einstellungen einer Quelle jeder Art

collections-change = Ändern
collections-change-title = Einstellungen von { $id }
collections-change-about = Eine Quelle der Art <code>{ $kind }</code>. Die Felder heißen wie in <code>rag.toml</code>;
    was leer bleibt, ist wie üblich. Ein Passwort wird nie gezeigt: Ein leeres Feld behält das, das es gibt.
    <code>principals</code> gilt ab der nächsten Frage, alles andere ab dem nächsten Abgleich.
collections-change-by-file = Womit eine Quelle der Art <code>{ $kind }</code> liest, kann jedes Programm sein, deshalb wird sie
    nur in <code>rag.toml</code> geändert.
collections-changed = { $count ->
        [0] Nichts war anders als zuvor.
        [one] Eine Einstellung wurde geändert.
       *[other] { $count } Einstellungen wurden geändert.
    }
collections-add-by-settings = Eine Quelle der Art <code>{ $kind }</code>. Die Felder heißen wie in
    <code>rag.toml</code>; die mit einem Stern werden gebraucht. Ein Passwort wird verschlüsselt aufbewahrt, und die Datei nennt nur seinen Namen.
collections-secret-kept = Bleibt, wie es ist
collections-hint-lines = In jeder Zeile eines
collections-hint-json = Als JSON
collections-not-set = Wie üblich
collections-ask = Nach diesen Dokumenten fragen
