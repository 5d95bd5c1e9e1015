## Tabellen von Antworten: eine Frage je Spalte, ein Dokument je Zeile

grids-title = Tabellen
grids-about = Stellen Sie vielen Dokumenten dieselben Fragen: eine Zeile für jedes Dokument, eine Spalte für jede Frage, und jede Antwort mit ihrer Quelle.
grids-all = Alle Tabellen
grids-new = Neue Tabelle
grids-none = <h3>Noch keine Tabelle</h3>Nennen Sie einige Dokumente und einige Fragen, und lesen Sie die Antworten nebeneinander. Sie können auch mit
    einer Suche oder einer Sammlung beginnen: Wählen Sie dort <b>In einer Tabelle vergleichen</b>.
grids-visitor = <h3>Melden Sie sich an, um Tabellen zu machen</h3>Was jemand macht, der nur zu Besuch ist, wäre nicht wiederzufinden.
grids-gone = Eine solche Tabelle, die Sie lesen dürfen, gibt es nicht. Vielleicht wurde sie entfernt.
grids-facts = { $columns ->
        [one] { $columns } Frage
       *[other] { $columns } Fragen
    } an { $rows ->
        [one] { $rows } Dokument
       *[other] { $rows } Dokumente
    }, gemacht { $age }
grids-of-others = Von { $owner }
grids-is-filling = Wird gefüllt
grids-compare = In einer Tabelle vergleichen

## Eine machen

grids-name-help = Zum Beispiel: Lieferverträge 2026
grids-questions = Fragen, eine je Zeile
grids-questions-help = Jede wird jedem Dokument gestellt. Fragen Sie nach einer Sache auf einmal, etwa: Wann endet der Vertrag?
grids-documents = Dokumente
grids-find-documents = Dokumente nach Titel finden
grids-found-none = Kein Titel enthält diese Buchstaben.
grids-collections = Alle Dokumente dieser Sammlungen
grids-from-search = Die besten Dokumente zu „{ $question }“
grids-from-chosen = { $count ->
        [one] Das Dokument, das Sie gewählt haben
       *[other] Die { $count } Dokumente, die Sie gewählt haben
    }
grids-from-collections = { $count ->
        [one] { $count } Dokument der Sammlung
       *[other] { $count } Dokumente der Sammlung
    }
grids-writer = Wer die Antworten schreibt
grids-any-writer = Wie üblich
grids-make = Die Tabelle machen
grids-choose = Wählen Sie die Dokumente, die gefragt werden sollen.

## Eine Tabelle

grids-document = Dokument
grids-table = { $name }: eine Tabelle von Antworten
grids-fill = { $count ->
        [one] { $count } Antwort holen
       *[other] { $count } Antworten holen
    }
grids-fill-help = Nur was fehlt oder veraltet ist, wird gefragt
grids-stop = Anhalten
grids-progress = { $done } von { $all } Antworten
grids-stale-count = { $count ->
        [one] { $count } ist veraltet
       *[other] { $count } sind veraltet
    }
grids-remaining = noch etwa { $count ->
        [one] eine Minute
       *[other] { $count } Minuten
    }
grids-remaining-seconds = noch weniger als eine Minute
grids-withheld = { $count ->
        [one] { $count } Zeile wird nicht gezeigt: Ihr Dokument dürfen Sie jetzt nicht lesen, oder es ist nicht mehr da.
       *[other] { $count } Zeilen werden nicht gezeigt: Ihre Dokumente dürfen Sie jetzt nicht lesen, oder sie sind nicht mehr da.
    }
grids-newcomers = { $count ->
        [one] { $count } Dokument kam seither in die Sammlung.
       *[other] { $count } Dokumente kamen seither in die Sammlung.
    }
grids-add-newcomers = { $count ->
        [one] Hinzufügen
       *[other] Hinzufügen
    }
grids-no-columns = <h3>Noch keine Frage</h3>Fügen Sie eine Frage hinzu: Sie wird jedem Dokument gestellt.
grids-no-rows = <h3>Noch kein Dokument</h3>Fügen Sie die Dokumente hinzu, die gefragt werden sollen.
grids-nothing = Keine Antwort in diesem Dokument
grids-missing = Noch nicht gefragt
grids-waiting = Wartet, bis es an der Reihe ist
grids-failed = Konnte nicht gefragt werden
grids-stale = Veraltet
grids-stale-help = Das Dokument, oder wer die Antworten schreibt, hat sich seither geändert
grids-not-live = Nicht mehr veröffentlicht
grids-verdict = { $verdict ->
        [yes] Ja
       *[no] Nein
    }
grids-source = Quelle { $n }: { $quote }
grids-more = Ganze Antwort: { $question }, { $title }
grids-row = Zeile: { $title }
grids-column = Spalte: { $question }

## Sie ändern

grids-add-column = Eine Frage hinzufügen
grids-question = Frage
grids-short-name = Kurzer Name
grids-short-name-help = Was über der Spalte steht; ohne ihn die Frage
grids-save = Speichern
grids-remove-column = Diese Frage entfernen
grids-add-rows = Dokumente hinzufügen
grids-add = Hinzufügen
grids-row-open = Das Dokument öffnen
grids-leave-out = Aus der Tabelle entfernen
grids-settings = Einstellungen
grids-readers = Wer sie noch lesen darf
grids-readers-help = Sie sehen die Zeilen, deren Dokumente sie selbst lesen dürfen
grids-readers-none = Niemand sonst
grids-remove = Die Tabelle entfernen
grids-export = Exportieren
grids-export-title = Als Tabelle exportieren
grids-export-note = Eine Datei in CSV, die Excel und andere Tabellenprogramme öffnen. Was wie eine Formel beginnt, bekommt einen Apostroph davor.
grids-export-quotes = Mit einer Spalte mehr je Frage: was die Antwort zitiert und woher
grids-export-csv = Als CSV speichern
grids-csv-quotes = { $question }: Zitate
grids-csv-address = Adresse
grids-csv-page = Seite { $page }
grids-csv-stale = { $answer } (veraltet)
grids-cell-title = Antwort
grids-cell-facts = Beantwortet { $age }, Version { $version }, { $model ->
        [extractive] nur Zitate, ohne Modell
       *[other] von { $model }
    }
