## Was hilft, wenn etwas nicht geklappt hat

help-open = Was hilft
help-generator = <p>Ihre Frage ist noch da, und was Sie sehen, ist wahr: Es ist aus den Dokumenten zitiert. Was fehlt, ist das Sprachmodell, das eine
    Antwort in eigenen Worten schreibt; sein Server steht, ist beschäftigt oder hat abgelehnt.</p>
    <ul><li>Drücken Sie in einer Minute <b>Noch einmal versuchen</b>.</li>
    <li>Wo es eine Wahl gibt, lassen Sie ein anderes Modell antworten, oder <b>Nur Zitate, kein Modell</b> unter <b>Geschrieben von</b>.</li>
    <li>Wenn es anhält, sagen Sie es der Person, die diese Seite betreibt: <b>Verwaltung</b> › Modelle prüft jeden Server und sagt, warum einer nicht antwortet.</li></ul>
help-unpublished = <p>Noch gibt es nichts zu durchsuchen: Es wurden keine Dokumente gelesen, oder was gelesen wurde, ist nicht veröffentlicht, weil eine Prüfung es anhielt.</p>
    <ul><li>Wer die Dokumente betreut, fügt welche unter <b>Sammlungen</b> hinzu und drückt <b>Jetzt abgleichen</b>.</li>
    <li>Ist das geschehen, sagt <b>Qualität</b>, ob eine Version abgelehnt wurde, und warum.</li>
    <li>Diese Seite bemerkt die erste Version von selbst; Sie müssen sie nicht neu laden.</li></ul>
help-permission = <p>Dokumente haben Leser, und was Sie nicht lesen dürfen, wird nicht gezeigt, nicht gezählt und nicht zitiert. Das kann sich jederzeit ändern, auch für
    eine Antwort, die Sie schon gesehen haben.</p>
    <ul><li>Sind Sie mit dem Konto angemeldet, das Sie meinen? Ihr Name steht oben in der Ecke.</li>
    <li>Bitten Sie den Eigentümer des Dokuments oder die Person, die diese Seite betreibt, Sie oder Ihre Gruppe lesen zu lassen. Nennen Sie Titel und Namen.</li>
    <li>Ein Link, den Ihnen jemand schickt, öffnet nur, was Sie selbst lesen dürfen.</li></ul>
help-signed-out = <p>Zur Sicherheit bleibt man nur einige Stunden angemeldet. Ihre Chats bleiben, und was Sie geschrieben hatten, steht noch im Feld, wenn Sie
    zurück sind.</p><ul><li>Melden Sie sich wieder an.</li><li>Wenn das sofort scheitert, geht vielleicht die Uhr Ihres Geräts falsch, oder Ihr Konto wurde geschlossen: Fragen Sie die
    Person, die diese Seite betreibt.</li></ul>
help-limits = <p>Damit nicht eine Person allen anderen die Maschine nimmt, darf jede nur so oft fragen. Nichts ging verloren, und niemand nimmt es
    Ihnen übel.</p>
    <ul><li>Warten Sie die genannten Sekunden, und drücken Sie den Knopf noch einmal.</li>
    <li>Für viele Fragen auf einmal kann ein Programm über die API fragen; die Grenzen kann die Person, die diese Seite betreibt, unter <b>Verwaltung</b> anheben.</li></ul>
help-long = <p>Ein Chat nimmt bis zu zehn Dateien von je 20{ "\u00A0" }MB auf, und Texte von insgesamt zwei Millionen Zeichen. Ein langer Text, den Sie einfügen, wird von
    selbst zu einer solchen Datei.</p>
    <ul><li>Hängen Sie den Teil an, um den es in Ihrer Frage geht.</li>
    <li>Wonach mehrere fragen werden, gehört in eine Sammlung, wo Dateien größer sein dürfen.</li>
    <li>Ein Scan wird nur gelesen, wo Texterkennung eingerichtet ist; eine Datei mit Passwort wird nicht gelesen.</li></ul>
help-moved = <p>Die Dokumente werden von Zeit zu Zeit neu gelesen, und jedes Mal werden sie zu einer Version. Eine Antwort, ein Zitat oder ein Link behält die Version,
    aus der es gemacht wurde.</p>
    <ul><li><b>Noch einmal fragen</b> antwortet aus dem, was jetzt veröffentlicht ist.</li>
    <li>Im Dokument zeigt <b>Lesen, wie es zitiert wurde</b> den älteren Text, solange er aufbewahrt wird, und <b>Verlauf</b>, was sich geändert hat.</li></ul>
help-failed = <p>Ihre Frage und Ihre Chats sind noch da.</p>
    <ul><li>Versuchen Sie es noch einmal; was zu wenig Zeit oder Speicher hatte, gelingt dann oft.</li>
    <li>Laden Sie die Seite neu. Eine Antwort, die der Server noch schreibt, geht weiter.</li>
    <li>Wenn es wieder geschieht, sagen Sie der Person, die diese Seite betreibt, was Sie wann getan haben: Der Grund steht im Protokoll, und <code>rag doctor</code>
    nennt, was fehlt.</li></ul>
