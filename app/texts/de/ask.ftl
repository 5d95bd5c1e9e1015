## Fragen: die Ansicht der Chats

ask-hero = <h1>Fragen Sie Ihre Dokumente</h1><p>Antworten werden aus dem geschrieben, was veröffentlicht ist, und jeder Satz führt
    zu der Stelle, auf der er beruht. Wenn die Dokumente nichts dazu sagen, sagt die Antwort das.</p>
ask-examples = Sie könnten fragen
ask-placeholder = Fragen Sie Ihre Dokumente
ask-written-by = Geschrieben von
ask-quotes-alone = Nur Zitate, kein Modell
ask-own-model = Das Sprachmodell
ask-prompt = Gespeicherte Anweisung
ask-no-prompt = Keine
ask-archived = Archivierte Dokumente
ask-archived-help = Antworten kommen aus dem, was seines Alters wegen archiviert ist, statt aus den anderen Dokumenten.
ask-you-asked = Sie fragten
ask-unpublished = <h1>Noch gibt es nichts zu fragen</h1><p>Diese Seite antwortet aus Dokumenten, und keines ist veröffentlicht. Drei
    Schritte führen dorthin:</p>
ask-unpublished-steps = <ol><li><b>Sagen Sie, was gelesen werden soll.</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">Legen Sie Dateien ab</a>, oder fügen Sie
            <a class="inner" href="collections?show=sources&add=folder" target="_self">einen Ordner</a>,
            <a class="inner" href="collections?show=sources&add=web" target="_self">eine Website</a> oder
            <a class="inner" href="collections?show=sources&add=feed" target="_self">einen Feed</a> hinzu
       *[reader] Die Redaktion legt Dateien ab oder fügt einen Ordner, eine Website oder einen Feed hinzu
    }.</li>
    <li><b>Sehen Sie zu, wie es gelesen wird.</b> <b>Jetzt abgleichen</b> liest einmal alles und zeigt, wie weit es ist; später wird nur gelesen, was sich geändert hat.</li>
    <li><b>Fragen Sie.</b> Die erste Version gilt von selbst, und diese Seite bemerkt es.</li></ol>
ask-look-again = Noch einmal nachsehen

## Während eine Antwort geschrieben wird

ask-understanding = Die Frage wird verstanden …
ask-searching = Es wird gesucht …
ask-reading = { $passages ->
        [one] Eine Stelle wird gelesen
       *[other] { $passages } Stellen werden gelesen
    } …
ask-thinking = Es wird nachgedacht …
ask-writing = Es wird geschrieben …
ask-nothing-found = Nichts gefunden
ask-trace = { $searches ->
        [one] Einmal gesucht
       *[other] { $searches }-mal gesucht
    } · { $passages ->
        [0] keine Stellen
        [one] 1 Stelle
       *[other] { $passages } Stellen
    } · { $seconds } s
ask-trace-stopped = Angehalten · { $passages ->
        [0] keine Stellen
        [one] 1 Stelle
       *[other] { $passages } Stellen
    }
ask-step-understood = Verstanden als <q>{ $question }</q>
ask-step-searched = Gesucht nach <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] Keine Stellen gefunden
        [one] 1 Stelle gefunden
       *[other] { $passages } Stellen gefunden
    }
ask-step-wrote = { $model ->
        [extractive] Zitiert, ohne Modell
       *[other] Geschrieben von { $model }
    }
ask-step-checked = { $claims ->
        [0] Nichts zu prüfen
        [one] Ein Satz an seiner Quelle geprüft
       *[other] { $claims } Sätze an ihren Quellen geprüft
    }
ask-step-total = Insgesamt
ask-thought = Was das Modell gedacht hat

## Eine Antwort

ask-sources = Quellen
ask-more-passages = { $count ->
        [one] Eine weitere Stelle daraus
       *[other] { $count } weitere Stellen daraus
    }
ask-beside = Die Quelle
ask-beside-close = Schließen
ask-beside-open = Ganz öffnen
ask-origins = von { $count } unabhängigen Seiten gesagt
ask-source-open = { $n }: { $title }. Öffnet die Stelle in ihrem Dokument.
ask-closest = Die nächsten Stellen
ask-stopped-sources = Quellen, aus denen sie geschrieben wurde
ask-told = { $when } · { $version } · { $model ->
        [extractive] nur Zitate, kein Modell
       *[other] { $model }
    }
ask-ids = Beleg
ask-older = Beantwortet aus <code>{ $version }</code>. Seitdem gilt { $live }, die Dokumente sagen also vielleicht etwas anderes.
ask-again = Noch einmal fragen
ask-withheld = Diese Antwort beruht auf Dokumenten, die Sie nicht lesen dürfen, und wird deshalb nicht gezeigt.
ask-withheld-now = Diese Antwort beruht auf Dokumenten, die Sie nicht mehr lesen dürfen, und wird deshalb nicht mehr gezeigt.
ask-unanswered = Diese Frage hat keine Antwort: Sie wurde angehalten, bevor etwas geschrieben war.
ask-stopped = Angehalten. Dieser Text wurde nicht an seinen Quellen geprüft.
ask-stop = Anhalten
ask-waits = Ihre Frage wird nach dieser beantwortet.
ask-model-failed = <b>{ $model } konnte nicht antworten.</b> Sie sehen Sätze aus den Quellen selbst.
ask-failed = <b>Das hat nicht geklappt.</b> { $reason } Ihre Frage ist noch da.
ask-too-many = Zu viele Fragen auf einmal. Fragen Sie in { $seconds ->
        [one] einer Sekunde
       *[other] { $seconds } Sekunden
    } noch einmal; Ihre Frage steht unten.
ask-try-again = Noch einmal versuchen
ask-try-with = Mit { $name } beantworten
ask-next = Als Nächstes fragen
ask-copy = Kopieren
ask-copy-code = Diesen Code kopieren
ask-speak = Vorlesen
ask-speak-stop = Nicht weiter vorlesen
ask-listen = Sprechend fragen
ask-listen-failed = Es war nichts zu hören
ask-copied = Kopiert
ask-late = <b>{ $sources }</b> { $count ->
        [one] ist überfällig: Ihr Zeitplan ist zweimal verstrichen, seit sie gelesen wurde ({ $age }).
       *[other] sind überfällig: Ihre Zeitpläne sind zweimal verstrichen, seit sie gelesen wurden ({ $age }).
    } Neues kann in Antworten fehlen.
ask-earlier = Frühere Fragen zeigen ({ $count })

ask-verdict = { $verdict ->
        [yes] Ja, wie dies sagt:
       *[no] Nein, wie dies sagt:
    }
ask-also-in = auch auf { $language }:

ask-disagree = <b>Die Quellen widersprechen sich.</b>
ask-side = { $count ->
        [one] Eine von { $of } Quellen sagt
       *[other] { $count } von { $of } Quellen sagen
    }
ask-side-newest = { $count ->
        [one] Eine von { $of } Quellen, die { $of ->
            [2] neuere
           *[other] neueste
        }, vom { $date }, sagt
       *[other] { $count } von { $of } Quellen, darunter die neueste, vom { $date }, sagen
    }

## Was aus ihren Sätzen wurde

ask-state = { $state ->
        [quoted] zitiert
        [supported] belegt
        [contradicted] widersprochen
       *[unverified] nicht geprüft
    }
ask-word-for-word = Wort für Wort in der Quelle
ask-probable = zu { $percent } % wahrscheinlich belegt
ask-checked-by = geprüft von { $check }
ask-taken-away = <b>Weggenommen</b>, weil eine Quelle etwas anderes sagt: <del>{ $sentence }</del>
ask-denied-by = „{ $quote }“ ({ $title })
ask-denies = sagt etwas anderes

## Was die Dokumente nicht sagen

ask-searched-in = { $documents ->
        [-1] Gesucht nach:
        [0] Sie dürfen keines der Dokumente lesen. Gesucht nach:
        [one] Das eine Dokument, das Sie lesen dürfen, durchsucht nach:
       *[other] Alle { $documents } Dokumente, die Sie lesen dürfen, durchsucht nach:
    }
ask-missing-add = Das fehlende Dokument hinzufügen
ask-missing-tell = Der Redaktion sagen, dass das fehlt
ask-missing-others = Was sonst nicht beantwortet wurde

## Urteilen

ask-judge = War das eine gute Antwort?
ask-bad-title = Was war daran falsch?
ask-bad-abstained-title = Hätte das beantwortet werden sollen?
ask-reason = Der Grund
ask-reason-wrong = Sie ist falsch
ask-reason-incomplete = Etwas fehlt
ask-reason-outdated = Sie ist veraltet
ask-reason-source = Sie nennt die falsche Quelle
ask-reason-unanswered = Die Dokumente beantworten es
ask-reason-other = Etwas anderes
ask-comment = Was wäre richtig? (freiwillig)
ask-judge-note = Die Frage, ihre Antwort und was Sie hier schreiben, werden der Redaktion als eine Frage vorgeschlagen, mit der
    jede neue Version geprüft wird.
ask-send = Senden
ask-thanks = Danke. Die Redaktion wird es sehen.

## Der Chat

ask-new = Neuer Chat
ask-find = In Ihren Chats suchen
ask-no-chats = Ihre Chats werden hier stehen. Niemand sonst sieht sie.
ask-none-found = Kein Chat enthält diese Wörter.
ask-more-chats = Mehr zeigen
ask-today = Heute
ask-yesterday = Gestern
ask-week = Letzte sieben Tage
ask-before = Früher
ask-pinned = Angeheftet
ask-pin = Anheften
ask-unpin = Ablösen
ask-folder = Ordner
ask-no-folder = Kein Ordner
ask-folder-help = Wählen Sie einen, oder schreiben Sie einen neuen Namen.
ask-share = Teilen
ask-export = Exportieren
ask-export-word = Word, mit Fußnoten
ask-export-print = Drucken oder als PDF speichern
ask-more = Mehr
ask-rename = Umbenennen
ask-rename-title = Diesen Chat umbenennen
ask-title = Titel
ask-save = Speichern
ask-delete = Löschen
ask-gone = Dieser Chat ist nicht hier. Vielleicht wurde er gelöscht, oder er gehört jemand anderem.

## Teilen

ask-share-title = Diesen Chat teilen
ask-share-note = Wer den Link hat, kann lesen, was bisher gesagt wurde, jede Antwort nur, wenn er jedes Dokument lesen darf, aus dem
    sie geschrieben wurde. Was Sie später fragen, ist nicht darin.
ask-share-readers = Nur für
ask-share-everybody = Alle, die hier fragen dürfen
ask-share-readers-help = Personen und Gruppen wie group:support. Andere finden unter dem Link nichts.
ask-share-make = Einen Link machen
ask-share-renew = So teilen, wie er jetzt ist
ask-share-end = Nicht mehr teilen
ask-shared = <b>{ $title }</b> wurde mit Ihnen geteilt. Sie können es lesen, nicht ändern.
ask-shared-gone = <h3>Dieser Link führt nirgendwohin</h3>Der Chat wurde gelöscht, oder er wird nicht mehr geteilt.
ask-shared-own = Eine eigene Frage stellen

## Die exportierte Datei

ask-export-asked = Gefragt am { $date }, beantwortet aus Version { $version } von { $model ->
        [extractive] Zitaten allein, ohne Modell
       *[other] { $model }
    }; Beleg { $receipt }.
ask-export-sources = Quellen
ask-export-checked = Geprüft
ask-export-page = Seite { $page }
ask-export-at = Exportiert am { $date }.

## Woraus ein Chat beantwortet wird

ask-scope = Nur aus
ask-scope-remove = Nicht mehr aus { $name } antworten
ask-scope-all = Aus allem
ask-scope-gone = etwas, das nicht mehr hier ist oder das Sie nicht mehr lesen dürfen
ask-complete = Sammlungen und Dokumente
ask-complete-collection = Sammlung
ask-complete-document = Dokument

## Dateien eines Chats

ask-attaching = { $name } wird gelesen …
ask-pasted = Eingefügter Text.txt
ask-attached = Dateien dieses Chats
ask-attached-remove = { $name } wegnehmen
ask-attached-only = Nur aus diesen Dateien
ask-attached-note = Nur Sie sehen sie, und sie gehen mit diesem Chat.

## Ihre Tabellen und Bilder

ask-table-of = Tabelle aus { $title }
ask-table-whole = Alle { $count } Zeilen
ask-table-more = { $count ->
        [one] Eine weitere Zeile steht im Dokument.
       *[other] { $count } weitere Zeilen stehen im Dokument.
    }
ask-chart-show = „{ $title }“ als Diagramm zeichnen
ask-chart-hide = Das Diagramm von „{ $title }“ verbergen
ask-chart-show-own = Diese Tabelle als Diagramm zeichnen
ask-chart-hide-own = Das Diagramm verbergen
ask-chart-spoken = Ein Diagramm: { $names } nach { $by }.
ask-figure-show = „{ $name }“ zeigen
ask-figure-hide = „{ $name }“ verbergen
ask-figure-alt = Bild aus { $title }: { $said }
