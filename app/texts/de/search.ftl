## Suchen

search-box = Ihre Dokumente durchsuchen
search-go = Suchen
search-mode = Suchen nach
search-mode-rerank = Bestem
search-mode-hybrid = Schnell
search-mode-lexical = Wörtern
search-mode-vector = Bedeutung
search-mode-help = { $mode ->
        [rerank] Wörter und Bedeutung; die besten Stellen werden neu geordnet
        [hybrid] Wörter und Bedeutung, nicht neu geordnet
        [lexical] Nur Stellen, die Ihre Wörter enthalten
       *[vector] Nur danach, was Stellen bedeuten, mit welchen Wörtern auch immer
    }
search-match = Muss enthalten
search-match-any = Etwas davon
search-match-all = Alle Wörter
search-match-exact = Genauen Text
search-match-part = Teile von Wörtern
search-match-help = { $match ->
    [all] jedes Wort der Frage, in jeder Form
    [exact] den Text der Frage, wie er geschrieben ist
    [part] den Text der Frage, auch innerhalb von Wörtern: für Codes und Namen
   *[other] einige ihrer Wörter oder was sie bedeutet
    }
search-try-match = Nach <a href="{ $address }" target="_self">etwas davon</a> suchen
search-sort = Ordnen
search-sort-relevance = Nach Relevanz
search-sort-date = Neueste zuerst

search-filters = Filter
search-facet-collection = Sammlung
search-facet-source = Quelle
search-facet-type = Art
search-facet-language = Sprache
search-facet-tag = Schlagwörter, alle davon
search-facet-since = Datum
search-age = Alter
search-archived = Archiviert
search-archived-help = Nur, was seines Alters wegen archiviert ist, statt der anderen Dokumente
search-limit-since = seit { $value }
search-limit-until = bis { $value }
search-remove = Diesen Filter entfernen
search-remove-all = Alle entfernen
search-more-choices = { $count } weitere
search-past-week = Letzte Woche
search-past-month = Letzter Monat
search-past-year = Letztes Jahr
search-from = Von
search-to = Bis
search-set = Setzen

search-results = Ergebnisse
search-found = { $documents ->
        [one] { $documents } Dokument
       *[other] { $documents } Dokumente
    }
search-found-best = { $documents ->
        [one] Das beste Dokument
       *[other] Die { $documents } besten Dokumente
    }
search-newest-note = Neueste zuerst, unter { $documents ->
        [one] dem einen Dokument, das am besten antwortet
       *[other] den { $documents } Dokumenten, die am besten antworten
    }
search-quick = Schnelle Reihenfolge, während Sie schreiben. <kbd>Enter</kbd> ordnet neu.
search-looking = Wird neu geordnet …
search-busy = Viele suchen gerade: Das ist die schnelle Reihenfolge. <kbd>Enter</kbd> versucht noch einmal, neu zu ordnen.
search-understood = Verstanden als: { $query }
search-nearest = Nichts hier scheint darauf zu antworten. Die nächsten Stellen:
search-instructs = Dieses Dokument versucht, seinem Leser Anweisungen zu geben.
search-page-of = Seite { $page }
search-pages = Seiten der Ergebnisse
search-page = Seite { $page }
search-previous = Zurück
search-next = Weiter
search-last = Das sind die besten { $count }. Um andere zu sehen, schränken Sie die Suche mit einem Filter oder mehr Wörtern ein.

search-nothing = Nichts gefunden
search-nothing-relevant = Nichts Passendes gefunden
search-try-spelling = Prüfen Sie die Schreibweise oder verwenden Sie andere oder weniger Wörter.
search-try-meaning = <a href="{ $address }" target="_self">Auch nach Bedeutung suchen</a>, nicht nur nach Wörtern.
search-try-without = Ohne den Filter <b>{ $filter }</b>
        { $documents ->
            [one] antwortet <a href="{ $address }" target="_self">ein Dokument</a>.
           *[other] antworten <a href="{ $address }" target="_self">{ $documents } Dokumente</a>.
        }
search-try-clear = <a href="{ $address }" target="_self">Alle Filter entfernen</a>.

search-welcome = <h1>Suchen</h1><p>{ $documents ->
            [one] Ein Dokument
           *[other] { $documents } Dokumente
    } nach Wörtern und nach Bedeutung. Ergebnisse erscheinen, während Sie schreiben.</p>
search-syntax-title = Was Sie eingeben können
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>diese Wörter, ihre Formen und was dasselbe bedeutet</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>genau diese Wörter hintereinander</dd></div>
    <div><dt><code>*4471*</code></dt><dd>dieser Teil eines Wortes, eines Codes oder eines Namens</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>nur von dort; ebenso <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>nicht älter; <code>before:</code> für nicht neuer</dd></div>
    <div><dt><code>-draft</code></dt><dd>ohne dieses Wort</dd></div>
    </dl>
search-keys = <kbd>/</kbd> führt zum Feld, <kbd>↓</kbd> <kbd>↑</kbd> oder <kbd>j</kbd> <kbd>k</kbd> durch die Ergebnisse,
    <kbd>Enter</kbd> öffnet eines, <kbd>Esc</kbd> führt zurück.

## Warum ein Treffer seinen Rang hat und warum ein Dokument nicht unter den Treffern ist

search-why = Warum dieser Rang
search-why-not = Warum nicht dieses Dokument?
search-why-not-name = Dokument
search-why-not-box = Seine Adresse oder das Ende davon
search-why-rank = Rang
search-why-score = Punkte
search-why-final = endgültig
search-why-probably = wahrscheinlich relevant
search-why-lexical = Wörter (BM25)
search-why-vector = Bedeutung (Kosinus)
search-why-fused = vereint
search-why-aged = nach dem Alter (Neuheit)
search-why-trusted = nach dem Vertrauen in die Quelle
search-why-reranked = nach dem Neuordnen
search-why-fed-back = nach Pseudo-Relevance-Feedback
search-why-found = Gefunden auf Rang { $rank }
search-why-lost = Nicht unter den Treffern: { $stage }
search-why-passage = Stelle
search-why-passage-n = Stelle { $n }
search-why-ended = Ende
search-why-retriever-lexical = Wörter
search-why-retriever-vector = Bedeutung
search-why-of = { $rank } von { $of }
search-why-more = und { $count } weitere Stellen
search-end-beyond-k = weiter unten
search-end-depth = kein Kandidat
search-end-aged = Alter
search-end-trusted = weniger vertraute Quelle
search-end-reranked = Neuordnung
search-end-unwanted = zurückgestuft
search-end-irrelevant = nicht passend
search-also = auch in
search-ask-these = Dazu fragen
search-no-collection = In keiner Sammlung
