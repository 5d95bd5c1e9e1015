## Ein Dokument: sein Text, sein Original und was von beiden bekannt ist

document-tabs = Ansichten dieses Dokuments
document-tab-about = Angaben
document-tab-history = Verlauf
document-tab-passages = Stellen
document-tab-cited = Zitiert von

document-gone = <h3>Dieses Dokument ist nicht hier</h3>Vielleicht wurde es entfernt, seit es zitiert wurde, oder Sie dürfen es nicht lesen.
document-search = Suchen
document-removed = Dieses Dokument wurde entfernt; das ist sein Text in Version { $version }.
document-older = So war das Dokument in Version { $version }.
document-newest = Lesen, wie es heute ist
document-changed = Dieses Dokument hat sich geändert, seit es zitiert wurde; die Stelle kann verschoben sein.
document-changed-read = Lesen, wie es zitiert wurde
document-no-such-version = Die Adresse nennt eine Version, die dieses Dokument nicht hat oder die Sie nicht lesen dürfen.
document-no-such-span = Die Adresse nennt eine Stelle, die es in diesem Text nicht gibt.
document-instructs = Dieses Dokument { $how }

document-line-owner = von { $owner }
document-line-published = veröffentlicht { $date } ({ $age })
document-line-updated = aktualisiert { $date } ({ $age })
document-line-fetched = gelesen { $date } ({ $age })

document-contents = Inhalt
document-contents-more = { $count ->
        [one] und eine kleinere Überschrift
       *[other] und { $count } weitere Überschriften
    }
document-page-mark = Seite { $page }
document-earlier = ‹ Davor
document-later = Danach ›
document-share = { $start } % bis { $end } % des Textes

document-original-opening = Das Original wird geöffnet
document-original-title = Das Original von { $title }
document-original-none = <h3>Das Original kann nicht gezeigt werden</h3>{ $reason }.
document-original-file = <h3>{ $name }</h3>Ein Browser kann diese Art von Datei nicht zeigen. Ihr Text ist, was aus ihr gelesen wurde; laden Sie
    sie herunter, um die Datei selbst zu sehen.
document-original-unmarked = Die zitierten Wörter wurden im Original nicht gefunden. Sie stehen im Text.
document-page-alt = Seite { $page } von { $pages } von { $title }, wie sie gezeichnet ist; ihre Wörter stehen im Text
document-image-alt = { $title }, wie es gezeichnet ist; die erkannten Wörter stehen im Text
document-page = Seite
document-page-of = von { $pages }
document-download = Herunterladen
document-at-source = An der Quelle öffnen

document-readers = Wer es lesen darf
document-readers-are = Leserinnen und Leser
document-readers-by = Nach Angabe von
document-readers-denied = Nicht
document-readers-allow = { $who } darf
document-readers-deny = { $who } darf nicht
document-readers-everyone = alle
document-readers-nobody = niemand
document-close = Sperren
document-close-note = Von nun an findet oder öffnet niemand dieses Dokument, in keiner Version, auch Sie nicht. Es wird nicht entfernt: Unter Betrieb,
    Zugang, lässt sich das zurücknehmen.
document-close-why = Warum, für das Protokoll
document-close-now = Jetzt sperren

document-about-title = Titel
document-about-author = Verfasst von
document-about-owner = Gehört
document-about-language = Sprache
document-about-published = Veröffentlicht
document-about-updated = Aktualisiert
document-about-fetched = Von der Quelle gelesen
document-about-collection = Sammlung
document-about-source = Quelle
document-about-address = Adresse
document-about-type = Art
document-about-pages = Seiten
document-about-characters = Zeichen
document-about-passages = Stellen
document-about-parser = Gelesen mit
document-about-stage = Schlüssel der Stufe
document-about-revision = Fassung
document-about-raw = SHA-256 der Bytes
document-about-run = Lauf, der es geholt hat
document-about-version = Version des Index
document-about-ids = Kennungen
document-about-tags = Schlagwörter
document-about-flags = Hinweise
document-about-losses = Aus der Datei nicht übernommen

document-history-one = <h3>Eine Fassung ist bekannt</h3>Wenn sich das Dokument an seiner Quelle ändert, werden hier beide Texte gezeigt, mit dem, was
    sich dazwischen geändert hat, solange eine Version mit dem älteren aufbewahrt wird.
document-history-newest = neueste
document-history-built = indiziert { $date } ({ $age })
document-history-length = { $count } Zeichen
document-history-versions = { $count ->
        [one] in Version { $newest }
       *[other] in { $count } Versionen, zuletzt { $newest }
    }
document-history-read = Lesen
document-history-compare = Mit der vorigen vergleichen
document-history-old = Von
document-history-new = Bis
document-history-equal = <h3>Kein Unterschied</h3>Diese beiden Texte sind gleich.
document-history-changed = { $places ->
        [one] Eine Stelle geändert
       *[other] { $places } Stellen geändert
    }: { $gone ->
        [one] eine Zeile
       *[other] { $gone } Zeilen
    } entfernt, { $came ->
        [one] eine Zeile
       *[other] { $came } Zeilen
    } hinzugefügt.
document-history-more = … und { $count } weitere Zeilen
document-list-before = ‹ Davor
document-list-after = Danach ›
document-list-part = { $part } von { $parts }

document-passages-none = <h3>Keine Stellen</h3>Dieses Dokument enthält zu wenig Text, um darin zu suchen.
document-passages-told = { $count ->
        [one] Eine Stelle: Was eine Suche findet, ist dieser Text.
       *[other] { $count } Stellen: Was eine Suche findet, ist eine davon.
    }
document-passage-tokens = { $count } Token
document-passage-span = Zeichen { $start } bis { $end }
document-passage-no-section = Ohne Überschrift
document-passage-show = Im Text zeigen
document-passage-show-n = Stelle { $number } im Text zeigen

document-cited-none = <h3>Keine Ihrer Antworten zitiert dieses Dokument</h3>Wenn eine es tut, steht sie hier mit dem, was sie zitiert.
document-cited-others = { $count ->
        [0] Keine Antwort an andere zitiert es.
        [one] Eine Antwort an jemand anderen zitiert es.
       *[other] { $count } Antworten an andere zitieren es.
    }
document-cited-version = aus Version { $version }
document-cited-show = Im Text zeigen
document-ask = Zu diesem Dokument fragen
document-ask-selected = Hierzu fragen
document-attached = an einen Ihrer Chats angehängt; nur Sie sehen es
