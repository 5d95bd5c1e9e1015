## Qualität: die Teile

quality-title = Qualität
quality-part = Teil der Qualität
quality-overview = Überblick
quality-versions = Versionen
quality-questions = Fragen
quality-proposed = Vorgeschlagen
quality-proposed-count = Vorgeschlagen{ $count ->
        [0] { "" }
       *[other] { " " }({ $count })
    }

## Die neueste Version

quality-nothing-built = <h3>Noch gibt es nichts zu beurteilen</h3>Eine Version des Index wird durch <code>rag sync</code> gebaut oder mit
    <b>Jetzt abgleichen</b> unter Sammlungen. Jeder werden dieselben Fragen gestellt, und sie wird hier neben der gezeigt, die gilt.
quality-never = <h3>{ $version } wurde noch nicht beurteilt</h3>Drücken Sie <b>Jetzt bewerten</b>: Der Version werden Ihre Fragen gestellt,
    sie wird mit der geltenden verglichen, und das Urteil steht dann hier. Veröffentlicht wird dadurch nichts.
quality-newest = Neueste Version: <code>{ $version }</code>
quality-newest-live = Neueste Version: <code>{ $version }</code>, sie gilt
quality-evaluate = Jetzt bewerten
quality-evaluate-help = Stellt der neuesten Version die Fragen von heute und vergleicht sie mit der geltenden. Veröffentlicht nichts.
quality-evaluating = Die Bewertung wird vorbereitet …
quality-evaluating-of = Frage { $done } von { $total } wird gestellt …
quality-failed = Die letzte Bewertung ist gescheitert: { $reason }
quality-damaged = Was von der Bewertung von { $version } aufbewahrt wurde, ist beschädigt ({ $error }). Drücken Sie „Jetzt bewerten“ oder rufen Sie
    „rag sync“ auf, um sie noch einmal zu beurteilen.
quality-passed = Bestanden
quality-refused = Abgelehnt
quality-rescore = Nicht verglichen
quality-not-judged = Nicht beurteilt
quality-reasons = { $count ->
        [one] Der Grund im Wortlaut
       *[other] Alle { $count } Gründe im Wortlaut
    }
quality-against-live = Gegen die geltende
quality-interval = zu 95 % sicher: { $ends }
quality-card-questions = Gewonnen : verloren
quality-of = von { $count } Fragen
quality-card-search = Suche im Median
quality-card-p95 = 95. Perzentil { $ms } ms

quality-over-time = Im Lauf der Zeit
quality-measure = Maß
quality-chart-key = Jeder Punkt ist eine Bewertung, sein Balken das 95-%-Intervall. Ein hohler Punkt wurde abgelehnt. Wo die Linie unterbrochen ist,
    haben sich die Fragen geändert: Was links und rechts davon steht, lässt sich nicht vergleichen.
quality-one-evaluation = Bisher gibt es eine Bewertung; mit der nächsten beginnt eine Linie.
quality-all-evaluations = { $count ->
        [one] Die Bewertung als Tabelle
       *[other] Alle { $count } Bewertungen als Tabelle
    }
quality-on = Am
quality-interval-95 = 95-%-Intervall
quality-gate = Schranke
quality-scored-again = Neu bewertet
quality-no-questions = <h3>Nichts wurde gemessen</h3>Nur der Index selbst wurde geprüft, denn noch gibt es keine Fragen. Schreiben Sie einige
    unter <b>Fragen</b>: was gefragt wird, und die Wörter eines Dokuments, die es beantworten. Drücken Sie dann <b>Jetzt bewerten</b>.
quality-side-by-side = { $now } neben { $then }
quality-scores = Werte
quality-other-questions = Der vorigen Version wurden andere Fragen gestellt; darum werden die beiden nicht verglichen.
quality-more-measures = Weitere Maße
quality-by = { $metric } nach { $group }
quality-change = Änderung

quality-moved = Gewonnene und verlorene Fragen
quality-worse = Verloren ({ $count })
quality-better = Gewonnen ({ $count })
quality-none-moved = Keine.
quality-show-all = Alle { $count } zeigen
quality-ranks = Rang { $before } → { $after }
quality-not-found = keiner
quality-cause = Die Ursache: { $cause }.
quality-no-cause = An den gefundenen Dokumenten hat sich nichts geändert.
quality-competition = Die eigenen Stellen sind dieselben; andere kamen davor oder fielen weg.
quality-found-by = { $version } fand
quality-found-nothing = Nichts.
quality-right = (eine richtige)
quality-unreadable-hit = Ein Dokument, das Sie nicht lesen dürfen
quality-hidden = Fragen zu Dokumenten, die Sie nicht lesen dürfen, zählen mit und werden nicht gezeigt.

## Versionen

quality-damaged-versions = { $count ->
        [one] 1 Version kann
       *[other] { $count } Versionen können
    } nicht gelesen werden: Eine Datei, die sie beschreibt, ist beschädigt. <code>rag repair</code> behebt das.
quality-admins-publish = Versionen veröffentlichen und zu ihnen zurückkehren darf nur die Verwaltung.
quality-live = Gilt
quality-candidate = Kandidat
quality-pinned = Angeheftet
quality-version-facts = Gebaut { $age } ({ $date }) · { $documents ->
        [one] 1 Dokument
       *[other] { $documents } Dokumente
    } · { $chunks ->
        [one] 1 Stelle
       *[other] { $chunks } Stellen
    } · { $model }
quality-not-scored = Noch kein Wert.
quality-by-promote = Veröffentlicht von { $who } { $when }: { $why }
quality-by-rollback = Zurückgekehrt durch { $who } { $when }: { $why }
quality-by-redact = Vergessene Dokumente geschwärzt { $when } von { $who }: { $why }
quality-why-refused = Warum sie abgelehnt wurde
quality-promote = Veröffentlichen …
quality-rollback = Zu ihr zurückkehren …
quality-again = Wieder veröffentlichen …
quality-release = Veröffentlichen wieder zulassen …
quality-report = Bericht
quality-compare = Mit der geltenden vergleichen

quality-promote-title = { $version } veröffentlichen?
quality-rollback-title = Zu { $version } zurückkehren?
quality-promote-means = Von der nächsten Frage an wird allen aus dieser Version geantwortet. Das dauert einen Augenblick und lässt sich genauso
    rückgängig machen. Nach einer Rückkehr veröffentlichen Abgleiche wieder von selbst.
quality-rollback-means = Von der nächsten Frage an wird allen aus dieser Version geantwortet. Das dauert einen Augenblick. Bis jemand
    eine Version veröffentlicht, wird nichts von selbst veröffentlicht: Abgleiche bauen und beurteilen weiter.
quality-reason = Der Grund, für das Protokoll
quality-reason-example = Die Preise der neuesten stimmen nicht
quality-reason-missing = Sagen Sie, warum: Wer später in das Protokoll sieht, will es wissen.
quality-promote-now = Veröffentlichen
quality-rollback-now = Zurückkehren
quality-override-means = Diese Version ist an der Schranke nicht vorbeigekommen. Sie trotzdem zu veröffentlichen, ist ein Übergehen, das mit Ihrem
    Namen im Protokoll steht.
quality-override = Die Schranke übergehen: { $version } veröffentlichen, obwohl sie nicht bestanden hat
quality-override-logged = { $reason } (obwohl die Schranke sie nicht durchgelassen hatte)
quality-moved-meanwhile = Inzwischen gilt { $version }. Schließen Sie das hier, sehen Sie noch einmal nach und entscheiden Sie neu.
quality-is-live = { $version } gilt
quality-documents = Dokumente
quality-chunks = Stellen
quality-now = jetzt: { $version }
quality-then = dann: { $version }
quality-what-changes = Was sich ändert
quality-documents-move = Dokumente: { $came } kommen, { $went } gehen, { $edited } ändern sich.

## Berichte und Vergleiche

quality-report-of = Bericht zu { $version }
quality-one-version = <h3>Noch gibt es nichts zu vergleichen</h3>Dafür braucht es zwei Versionen: Jeder Abgleich, der etwas ändert, baut eine.
quality-compare-title = Was sich unterscheidet
quality-side-a = Vorher
quality-side-b = Nachher
quality-same-version = Das ist zweimal dieselbe Version. Wählen Sie eine andere.
quality-passages = Stellen: { $kept } sind geblieben, { $new } sind neu, { $gone } sind weg.
quality-disk = Auf der Platte: { $then } vorher, { $now } nachher.
quality-made-with = Gemacht mit
quality-source = Quelle
quality-by-source = Nach Quelle
quality-came-added = kamen
quality-came-removed = gingen
quality-came-edited = geändert
quality-kind-added = Gekommen ({ $count })
quality-kind-removed = Gegangen ({ $count })
quality-kind-source = An der Quelle geändert ({ $count })
quality-kind-extractor = Aus denselben Bytes anders gelesen ({ $count })
quality-kind-description = Anders beschrieben, gleicher Text ({ $count })
quality-more = und { $count } weitere
quality-unreadable = und { $count }, die Sie nicht lesen dürfen

## Fragen

quality-no-questions-yet = <h3>Gute Fragen halten schlechte Versionen fern</h3>Schreiben Sie auf, was Menschen fragen, in ihren eigenen Worten, und wählen Sie
    die Wörter eines Dokuments, die es beantworten. Jeder neuen Version werden diese Fragen gestellt, und eine, die schlechter ist, wird nicht
    veröffentlicht. Fünfzig sind ein guter Anfang; einige davon sollten so sein, dass die Dokumente sie nicht beantworten.
quality-add = Frage hinzufügen
quality-import = Importieren
quality-import-title = Fragen importieren
quality-import-means = Eine Datei mit einem JSON-Objekt je Zeile, wie <b>Exportieren</b> sie schreibt. Alles davon wird übernommen oder nichts; der Name der
    Datei gibt der Menge ihren Namen.
quality-import-file = Fragenmenge
quality-imported = { $count ->
        [one] 1 Frage wurde hinzugefügt
       *[other] { $count } Fragen wurden hinzugefügt
    }{ $lost ->
        [0] .
        [one] ; 1 Zitat steht in keinem Dokument, das Sie lesen dürfen.
       *[other] ; { $lost } Zitate stehen in keinem Dokument, das Sie lesen dürfen.
    }
quality-export = Exportieren
quality-malformed = Diese Zeile kann nicht gelesen werden und hält jede Bewertung auf: <code>{ $where }</code>. Bringen Sie sie in der Datei in Ordnung;
    <code>rag questions check</code> sagt mehr.
quality-find-question = Frage suchen
quality-find-question-hint = Wörter daraus, eine Kennung oder ein Schlagwort
quality-set = Menge
quality-all-sets = Alle Mengen
quality-unanswerable = Nicht zu beantworten
quality-lost = Zitat nicht gefunden
quality-train = zum Einstellen
quality-edit = Bearbeiten

quality-adding = Eine neue Frage
quality-editing = Frage bearbeiten
quality-accepting = Vorgeschlagene Frage aufnehmen
quality-no-such-question = <h3>Diese Frage ist nicht hier</h3>Sie wurde gelöscht oder geändert, oder sie handelt von Dokumenten, die Sie nicht lesen dürfen.
quality-question = Was gefragt wird
quality-question-hint = Wie viele Urlaubstage habe ich?
quality-answerable = Die Dokumente beantworten es
quality-answerable-help = Aus: Richtig ist dann zu sagen, dass die Dokumente es nicht hergeben.
quality-answer = Gültige Antwort (freiwillig)
quality-answer-help = Einige Wörter, die eine richtige Antwort enthält. Mehrere: mit | dazwischen.
quality-places = Stellen, die es beantworten
quality-places-mean = Mindestens ein Zitat: Wörter eines Dokuments, genau so. Wie Dokumente in Stellen geteilt sind, spielt keine Rolle.
quality-remove-place = Stelle { $number } entfernen
quality-search = Die Stelle suchen, die es beantwortet
quality-search-hint = Wörter der Stelle oder die Frage selbst
quality-search-nothing = Nichts gefunden. Versuchen Sie andere Wörter.
quality-choose-passage = Stelle wählen
quality-choose-sentence = Wählen Sie den Satz, der antwortet
quality-quote = Das Zitat; kürzen oder verlängern Sie es
quality-use-quote = Dieses Zitat verwenden
quality-open-document = Dokument öffnen
quality-details = Einzelheiten
quality-tags = Schlagwörter, mit Kommas dazwischen
quality-language = Sprache, etwa de
quality-asked-by = Gefragt von
quality-asked-by-help = In wessen Namen gesucht wird, etwa group:hr; leer: alle, sonst wer die Stellen lesen darf.
quality-as-of = Zum Tag
quality-as-of-help = Der Tag, an dem gefragt wird, etwa 2026-05-31; leer: wann immer es ist.
quality-split = Teil
quality-split-help = Fragen von „dev“ entscheiden an der Schranke; die von „train“ sind da, um Einstellungen auszuprobieren.
quality-by-chance = Von selbst
quality-save = Speichern
quality-saved = Gespeichert. Die nächste Bewertung stellt sie.
quality-delete = Löschen

## Vorgeschlagene Fragen

quality-nothing-proposed = <h3>Nichts ist vorgeschlagen</h3>Wenn jemand eine Antwort mit dem Daumen nach unten beurteilt oder die Dokumente eine Antwort nicht
    hergaben, kommt die Frage hierher. Nehmen Sie sie auf, und die nächste Version muss es besser machen.
quality-accept = Aufnehmen …
quality-dismiss = Verwerfen
quality-judged-good = Nicht zu antworten war richtig
quality-judged-better = Besser als eine andere Antwort
quality-why-wrong = Falsch
quality-why-incomplete = Etwas fehlt
quality-why-outdated = Veraltet
quality-why-source = Falsche Quelle
quality-why-unanswered = Die Dokumente beantworten es
quality-why-other = Schlecht
quality-judged = beurteilt { $when }, beantwortet von { $version }
quality-answered = Geantwortet: { $answer }

## Was Menschen von Antworten hielten

quality-feedback = Rückmeldungen
quality-judged-none = In diesen Tagen hat niemand eine Antwort beurteilt. Die Daumen stehen unter jeder Antwort.
quality-judged-all = Urteile
quality-judged-rate = Gut gefunden
quality-judged-bad = Schlecht gefunden
quality-judged-were-good = Gut
quality-judged-were-bad = Schlecht
quality-judged-by-day = Urteile nach Tagen
quality-judged-spoken = { $good } gute und { $bad } schlechte Urteile in { $days } Tagen.
quality-judged-by-collection = Nach Sammlung
quality-judged-by-generator = Danach, wer die Antwort schrieb
quality-judged-preferred = Einer anderen Antwort vorgezogen
quality-judged-reasons = Warum: { $reasons }.
quality-judged-worst = Fragen mit schlechten Antworten
quality-judged-worst-mean = Die beinahe dasselbe fragen, stehen beisammen.
quality-judged-times = { $times ->
        [one] einmal schlecht gefunden
       *[other] { $times }-mal schlecht gefunden
    }
quality-judged-make = Zu einer Frage der Schranke machen
quality-judged-make-help = Mit dem, was die Antwort zitiert, als den Stellen, die sie beantworten. Wo das nicht geht, öffnet sich das Bearbeiten.
quality-judged-made = Das ist nun eine Frage der Schranke.
quality-judged-decided = Darüber hat schon jemand entschieden.
quality-judged-edit = Erst ansehen
