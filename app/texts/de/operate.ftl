## Betrieb: die Teile

operate-title = Betrieb
operate-part = Teil des Betriebs
operate-now = Jetzt
operate-sources = Quellen
operate-review = Durchsicht
operate-asked = Gefragt
operate-holding = Speicher
operate-costs = Kosten
operate-audit = Protokoll
operate-decided = Zugang

## Zugang

operate-no-rules = Niemand hat etwas darüber entschieden, wer lesen darf: Es gilt, was die Quellen sagen.
operate-rules = Regeln
operate-rule-allow = { $who } darf es lesen
operate-rule-deny = { $who } darf es nicht lesen
operate-rule-remove = Zurücknehmen
operate-rule-removed = im Betrieb zurückgenommen
operate-changes = Änderungen
operate-change-when = Wann
operate-change-who = Von
operate-change-what = Was
operate-change-why = Warum

## Jetzt

operate-running = Läuft
operate-idle = Nichts läuft.
operate-doing = { $stage }{ $source ->
        [none] { "" }
       *[other] { ": " }{ $source }
    }, seit { $elapsed }
operate-done-of = · { $done } von { $total }
operate-stage-sync = Vorbereiten
operate-stage-fetch = Holen
operate-stage-extract = Lesen
operate-stage-chunk = Schneiden
operate-stage-embed = Einbetten
operate-stage-index = Index bauen
operate-stage-evaluate = Bewerten
operate-sync-failed = Der letzte Abgleich ({ $when }) ist gescheitert: { $reason }
operate-health = Zustand
operate-damaged = Die gültige Version braucht jemanden: { $notice }
operate-all-well = Auf dieser Maschine und in diesem Arbeitsbereich ist nichts verkehrt.
operate-all-checks = Alle { $count } Prüfungen
operate-level-ok = gut
operate-level-hint = Hinweis
operate-level-wrong = falsch
operate-moves = Wechsel der gültigen Version
operate-no-moves = Noch wurde nichts veröffentlicht.
operate-when = Wann (UTC)
operate-what = Was
operate-who = Wer
operate-why = Warum
operate-rollback = zurück: { $before } → { $version }
operate-redact = geschwärzt: { $before } → { $version }

## Quellen

operate-no-sources = <h3>Noch gibt es keine Quelle</h3>Aus einer Quelle kommen Dokumente: aus einem Ordner, einem Feed, einer Website, einem Portal, einer
    Tabelle. Fügen Sie eine unter <b>Sammlungen</b> hinzu oder in <code>rag.toml</code>.
operate-attention = { $count ->
        [0] Alle { $of } Quellen sind, wie sie sein sollen.
        [one] 1 von { $of } Quellen braucht Aufmerksamkeit.
       *[other] { $count } von { $of } Quellen brauchen Aufmerksamkeit.
    }
operate-well = Gut
operate-look = Braucht Aufmerksamkeit
operate-schedule = Zeitplan { $cron }
operate-no-schedule = ohne Zeitplan
operate-check-failures = Fehler
operate-check-boilerplate = Beiwerk
operate-check-count = Anzahl der Dokumente
operate-check-length = Länge der Dokumente
operate-check-languages = Sprachen
operate-check-freshness = Überfällig
operate-check-instructions = Anweisungen
operate-check-readable = Nicht lesbar
operate-do-failures = Unten steht, was gescheitert ist; was vorübergehen kann, wird beim nächsten Abgleich noch einmal versucht.
operate-do-boilerplate = Sehen Sie einige ihrer Dokumente an: Ist der eigentliche Text da?
operate-do-count = Wenn das stimmt, ist nichts zu tun; sonst sehen Sie die Quelle selbst an.
operate-do-length = Sehen Sie einige ihrer Dokumente an: Ist der ganze Text da?
operate-do-languages = Sehen Sie einige ihrer Dokumente an: Ist ihr Text lesbar?
operate-do-freshness = Gleichen Sie sie unter Sammlungen ab; sehen Sie nach, ob Dagster läuft und ob die Quelle erreichbar ist.
operate-do-instructions = Lesen Sie diese Dokumente: Sie versuchen, einem Sprachmodell zu sagen, was es tun soll. Was sie sagen, wird nie befolgt.
operate-do-readable = Rufen Sie „rag repair“ auf: Es wird beiseitegelegt und neu gemacht.
operate-failures = { $count ->
        [one] 1 Stück ist gescheitert
       *[other] { $count } Stücke sind gescheitert
    }
operate-mend-fetch = Wird beim nächsten Abgleich noch einmal versucht.
operate-mend-read = Richten Sie das Dokument dort, wo es herkommt, und gleichen Sie dann ab.
operate-more = und { $count } weitere

## Gefragt

operate-period = Zeitraum
operate-days = { $count } Tage
operate-nothing-asked = <h3>In dieser Zeit wurde nichts gefragt</h3>Sobald jemand fragt und sucht, sehen Sie hier, wie viel es am Tag ist, was lange
    gedauert hat und was die Dokumente nicht beantwortet haben.
operate-questions = Fragen
operate-unanswered = Nicht beantwortet
operate-answered = Beantwortet
operate-share = { $percent } davon
operate-searches = Suchen
operate-searches-mean = auch die während des Schreibens
operate-days-spoken = { $questions } Fragen in { $days } Tagen, { $unanswered } davon nicht beantwortet
operate-day = Tag (UTC)
operate-by-day = Fragen und Suchen nach Tagen
operate-as-table = Als Tabelle
operate-p95 = 95. Perzentil
operate-unanswered-part = Nicht beantwortet
operate-unanswered-mean = Was die Dokumente nicht enthielten, geordnet nach dem, worum es geht. Wer gefragt hat, wird nicht gezeigt.
operate-all-answered = Jede Frage dieser Zeit wurde beantwortet.
operate-grouping = Wird nach Bedeutung geordnet …
operate-no-model = Dies ist nicht geordnet, weil das Modell nicht benutzt werden kann: { $reason }
operate-most-asked = Die { $most } häufigsten von { $of } verschiedenen Fragen.
operate-show-all = Alle { $count } zeigen
operate-asked-times = { $times ->
        [one] einmal
       *[other] { $times }-mal
    } gefragt{ $wordings ->
        [one] { "" }
       *[other] { "" } in { $wordings } Formulierungen
    }, zuletzt { $last }
operate-times = { $times ->
        [one] einmal
       *[other] { $times }-mal
    }
operate-propose = Als Prüffrage vorschlagen
operate-propose-help = Die Dokumente sollten sie beantworten. Sie kommt zu Qualität, unter Vorgeschlagen, wo die Redaktion die Wörter auswählt, die sie beantworten.
operate-propose-unanswerable = Ablehnen war richtig
operate-propose-unanswerable-help = Die Dokumente müssen sie nicht beantworten. Sie kommt zu Qualität, unter Vorgeschlagen, als Frage, die abgelehnt werden muss.
operate-proposed = Vorgeschlagen. Die Redaktion findet sie unter Qualität.
operate-slow = Am langsamsten
operate-slow-mean = Wer gefragt hat, wird nicht gezeigt.
operate-stage = Schritt
operate-took-total = Insgesamt
operate-took-search = Suchen
operate-took-generate = Schreiben
operate-took-verify = Prüfen
operate-question = Frage
operate-model = Geschrieben von

## Speicher

operate-no-data = <h3>Noch ist nichts gespeichert</h3>Der erste Abgleich legt den Ordner <code>data</code> an.
operate-measuring = Wird gemessen …
operate-free = Frei auf der Platte
operate-of-disk = von { $size }
operate-live-index = Gültige Version
operate-chunks = { $count ->
        [one] 1 Stelle
       *[other] { $count } Stellen
    }
operate-in-data = Was data/ enthält
operate-folder = Ordner oder Datei
operate-size = Größe
operate-holds-index = alle aufbewahrten Versionen
operate-holds-raw = was Quellen auflisteten, und die Bytes, wie sie geholt wurden
operate-holds-documents = reine Texte
operate-holds-chunks = Stellen
operate-holds-embeddings = Vektoren, aufgehoben, damit kein Text zweimal eingebettet wird
operate-holds-evals = Berichte und Geschichte der Bewertungen
operate-holds-uploads = Sammlungen hochgeladener Dateien
operate-holds-dagster = Dagsters Geschichte der Läufe
operate-holds-logs = was gestartete Programme ausgeben
operate-holds-app-sqlite = Belege, Chats und Urteile
operate-versions = Versionen des Index
operate-no-versions = Noch wurde keine gebaut.
operate-live = Gültig
operate-part-vectors = Vektoren
operate-part-words = Wörter
operate-part-catalog = Texte
operate-part-other = Anderes
operate-version-holds = { $documents ->
        [one] 1 Dokument
       *[other] { $documents } Dokumente
    }, { $chunks ->
        [one] 1 Stelle
       *[other] { $chunks } Stellen
    } · { $models }
operate-dimension = Die Zahl hinter dem Namen eines Modells ist die Dimension seiner Vektoren. Eine Version mit mehreren Modellen hat für jedes einen Vektorraum.

## Kosten

operate-no-costs = <h3>Noch wurde kein Lauf aufgezeichnet</h3>Jeder Schritt jedes Abgleichs schreibt auf, was er getan und wie lange er gebraucht hat.
operate-time-by-day = Zeit nach Tagen
operate-time-spoken = { $time } an { $days } Tagen
operate-runs = Läufe
operate-runs-mean = Was sich geändert hat, wird neu gemacht, alles andere wiederverwendet: Ein Lauf kostet also, was sich geändert hat, nicht, was da ist.
operate-time = Zeit
operate-seconds = Sekunden
operate-made = Gemacht
operate-reused = Wiederverwendet
operate-tokens = Token
operate-written = Geschrieben

## Durchsicht

operate-held = Zur Durchsicht zurückgehalten
operate-held-mean = Niemand kann diese finden, bis jemand sie annimmt.
operate-none-held = Nichts wird zurückgehalten.
operate-held-since = zurückgehalten { $when }
operate-accept = Annehmen
operate-accept-help = Es antwortet von jetzt an, ohne Abgleich. Sobald seine Quelle den Text ändert, wird es wieder zurückgehalten.
operate-accepted = „{ $title }“ antwortet von jetzt an.
operate-reject = Ablehnen
operate-reject-help = Niemand liest es mehr, was immer aus seinem Text wird. Nichts wird gelöscht.
operate-rejected = „{ $title }“ darf niemand lesen.
operate-flagged = Auffällig
operate-flagged-mean = Diese versuchen, einem Sprachmodell, das sie liest, Anweisungen zu geben. Sie werden wie alle anderen gefunden, wenn nicht hold_flagged in [documents] an ist.
operate-none-flagged = Kein Dokument ist auffällig.

# Das Protokoll

operate-audit-who = Nur von dieser Person oder diesem Token
operate-audit-none = Nichts Aufgezeichnetes passt dazu.
operate-audit-through = Durch
operate-audit-documents = Gezeigte Dokumente
operate-audit-question = Frage
operate-audit-erased = (gelöscht)
operate-audit-refused = abgewiesen
operate-audit-search = Suche
operate-audit-answer = Antwort
operate-audit-open = Ein Dokument geöffnet
operate-audit-original = Ein Original heruntergeladen
operate-audit-erase = Teile von Ereignissen gelöscht
operate-audit-see_as = Mit den Augen eines anderen gesehen
operate-audit-share = Geändert, mit wem etwas geteilt ist
operate-change = Ihre Einstellungen ändern
