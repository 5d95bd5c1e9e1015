## Wovon jemand erfahren will, wenn es sich ändert

watches-title = Beobachtet
watches-all = Alles, was Sie beobachten
watches-none = <h3>Nichts wird beobachtet</h3>Wählen Sie <b>Beobachten</b> unter einer Antwort oder einer Suche: Sie wird bei jeder
    Veröffentlichung wiederholt, und hier sehen Sie, was sich geändert hat.
watches-visitor = <h3>Melden Sie sich an, um zu beobachten</h3>Wer nur zu Besuch ist, kann später nicht benachrichtigt werden.
watches-gone = Das beobachten Sie nicht. Es wurde vielleicht beendet.
watches-watch = Beobachten
watches-watch-help = Nach jeder Veröffentlichung noch einmal fragen und mir sagen, wenn sich die Antwort ändert
watches-watch-search = Diese Suche beobachten
watches-watch-search-help = Nach jeder Veröffentlichung noch einmal suchen und mir sagen, wenn andere Dokumente gefunden werden
watches-begun = Wenn sich das ändert, erfahren Sie es unter „Beobachtet“.
watches-too-many = Mehr dürfen Sie nicht beobachten. Beenden Sie etwas, was Sie nicht brauchen.
watches-link = Beobachtet
watches-link-new = Beobachtet · { $count } neu
watches-new = { $count } neu
watches-is-new = Neu
watches-problem = Nicht nachgesehen
watches-failed = Seit der letzten Veröffentlichung konnte nicht nachgesehen werden: { $why }. Es wird noch einmal versucht.
watches-is-question = Eine Frage, beobachtet seit { $age }
watches-is-search = Eine Suche, beobachtet seit { $age }
watches-when = { $age }, mit Version { $version }
watches-changed = Die Antwort hat sich geändert
watches-lost = Es gibt keine Antwort mehr
watches-found = Jetzt gibt es eine Antwort
watches-other-documents = { $count ->
        [0] Andere Dokumente werden gefunden
        [one] { $count } Dokument ist ein anderes
       *[other] { $count } Dokumente sind andere
    }
watches-document-came = Neu
watches-document-changed = Geändert
watches-document-went = Nicht mehr gefunden
watches-forgotten = Diese Antwort wurde vergessen.
watches-unchanged = Seit Sie das beobachten, hat sich nichts geändert.
watches-mail = { $address } benachrichtigen
watches-mail-failed = Die E-Mail wurde nicht gesendet: { $why }.
watches-feed-title = Ein Feed hierzu
watches-feed-note = Wer die Adresse des Feeds hat, liest von diesen Änderungen, was Sie lesen dürfen. Sie wird nur einmal gezeigt; eine neue Adresse beendet die vorige.
watches-feed-make = Adresse erzeugen
watches-feed-end = Feed beenden
watches-end = Nicht mehr beobachten

## Was sich seither geändert hat

watches-since = Noch richtig?
watches-since-help = Nachsehen, ob die Dokumente das noch sagen
watches-since-title = Ist diese Antwort noch richtig?
watches-still-right = Ja: Alles, was sie zitiert, steht noch da.
watches-right-until = Richtig bis { $date }
watches-right-again = Was sie zitiert, steht inzwischen wieder da.
watches-quote-stands = steht noch da
watches-quote-gone = steht nicht mehr da
watches-collection-since = Was sich geändert hat seit …
watches-since-day = Seit dem Ende des
watches-since-nothing = Von diesem Tag ist keine Version mehr da. Wählen Sie einen späteren.
watches-since-same = In dem, was Sie lesen dürfen, hat sich nichts geändert.
