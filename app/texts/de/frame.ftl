## Was allen Ansichten gemeinsam ist

frame-machine-made = Diese Oberfläche wurde maschinell übersetzt; niemand, der Deutsch spricht, hat sie bisher durchgesehen.

frame-title = Fragen Sie Ihre Dokumente
frame-views = Ansichten
frame-ask = Fragen
frame-search = Suchen
frame-collections = Sammlungen
frame-document = Dokument
frame-watches = Beobachtet
frame-assistants = Assistenten
frame-grids = Tabellen
frame-quality = Qualität
frame-operate = Betrieb
frame-admin = Verwaltung
frame-eyes = Sie sehen alles mit den Augen von <b>{ $name }</b>. In diesem Namen wird nichts geschrieben.
frame-eyes-end = Wieder als Sie selbst
frame-opening = Der Arbeitsbereich wird geöffnet …

frame-nothing-published = <h3>Noch ist nichts veröffentlicht</h3>Legen Sie unter
    <a class="inner" href="collections" target="_self">Sammlungen</a> Dateien ab oder fügen Sie eine Quelle hinzu, und drücken Sie <b>Jetzt abgleichen</b>. Diese Seite zeigt die erste Version, sobald sie veröffentlicht ist.
frame-look-again = Noch einmal nachsehen
frame-failed = <h3>Das hat nicht geklappt</h3>{ $reason }
frame-try-again = Noch einmal versuchen
frame-unexpected = Etwas ist geschehen, das nicht geschehen sollte. Es steht im Protokoll der Person, die diese Seite betreibt.
frame-may-not = <h3>Das ist für { $role ->
        [admin] die Verwaltung
       *[editor] die Redaktion
    }</h3>Sie sind { $name } und dürfen { $own ->
        [reader] suchen und fragen
       *[editor] suchen, fragen und sich um Sammlungen, Quellen und Qualität kümmern
    }. Wer diese Seite betreibt, vergibt Rollen unter <code>[access]</code> in <code>rag.toml</code>.
frame-too-many = Zu viele { $kind ->
        [questions] Fragen
       *[searches] Suchen
    } auf einmal. Versuchen Sie es in { $seconds ->
        [one] einer Sekunde
       *[other] { $seconds } Sekunden
    } noch einmal.

frame-version = Version <code>{ $version }</code>{ $since } · { $documents ->
        [one] { $documents } Dokument
       *[other] { $documents } Dokumente
    }
frame-since = { " · " }veröffentlicht { $age }

## Anmelden

frame-welcome = <h1>Melden Sie sich an, um zu fragen</h1><p>Ihre Dokumente werden denen gezeigt, die sie lesen dürfen. Melden
    Sie sich an, damit diese Seite weiß, wer Sie sind.</p>
frame-sign-in = Anmelden
frame-sign-out = Abmelden
frame-leave = Meine Fragen dürfen helfen, die Suche zu verbessern
frame-leave-help = Einige davon werden dann ohne Ihren Namen aufbewahrt, um neue Versionen der Suche zu vergleichen. Wörter, die in öffentlichen Dokumenten nicht vorkommen, wie die meisten Namen, Adressen und Zahlen, werden weggelassen. Wenn Sie das ausschalten, wird auch gelöscht, was aufbewahrt wurde.
frame-sign-in-again = Erneut anmelden
frame-other-account = Ein anderes Konto verwenden
frame-expired = <h3>Sie wurden abgemeldet</h3>{ $reason }. Was Sie geschrieben haben, ist nicht verloren.
frame-denied = <h3>Diese Seite steht Ihnen nicht offen</h3>{ $reason }.
frame-you = { $id }<br>Sie dürfen { $role }.
frame-role-reader = suchen und fragen
frame-role-editor = suchen, fragen und sich um Sammlungen, Quellen und Qualität kümmern
frame-role-admin = alles
frame-read-as = <br>Sie lesen auch als { $groups }.

## Der Zugang für die Person, die die Seite betreibt

frame-link-used = Dieser Link wurde schon benutzt, ist abgelaufen oder war nie einer. `rag link` gibt einen neuen aus.
frame-foreign-host = Diese Seite wird nicht als { $host } aufgerufen. Nennen Sie den Host unter [http] hosts in rag.toml, wenn das so sein soll.
frame-foreign-page = Anfragen von Seiten von { $origin } werden abgelehnt.
frame-visiting = Sie sehen, was öffentlich ist. Um diese Seite zu verwalten, öffnen Sie den Link, den <code>rag link</code> ausgibt.

## Wann, und wo in einem Dokument

frame-age-future = in der Zukunft
frame-age-now = gerade eben
frame-age-year = { $count ->
        [one] vor 1 Jahr
       *[other] vor { $count } Jahren
    }
frame-age-month = { $count ->
        [one] vor 1 Monat
       *[other] vor { $count } Monaten
    }
frame-age-day = { $count ->
        [one] vor 1 Tag
       *[other] vor { $count } Tagen
    }
frame-age-hour = { $count ->
        [one] vor 1 Stunde
       *[other] vor { $count } Stunden
    }
frame-age-minute = { $count ->
        [one] vor 1 Minute
       *[other] vor { $count } Minuten
    }
