## Assistenten: wie jemand Antworten wünscht, unter einem Namen

assistants-title = Assistenten
assistants-about = Ein Assistent antwortet, wie es ihm gesagt wurde, aus den Sammlungen, die ihm gegeben wurden. Wer ihn fragt, findet nur,
    was er lesen darf, und jeder Satz wird geprüft wie immer.
assistants-none = <h3>Es gibt noch keinen Assistenten</h3>Legen Sie einen für das an, was Sie immer wieder fragen, und teilen Sie ihn mit Ihrer Gruppe.
assistants-visitor = <h3>Melden Sie sich an, um einen Assistenten anzulegen</h3>Er wird für jemanden mit Namen aufbewahrt.
assistants-gone = Das ist nicht unter den Ihren. Vielleicht wurde es entfernt.
assistants-not-here = Dieser Assistent ist nicht hier. Vielleicht wurde er entfernt oder wird nicht mehr mit Ihnen geteilt; die Antworten
    kommen ohne ihn.
assistants-new = Neuer Assistent
assistants-change = Einen Assistenten ändern
assistants-all = Assistenten und Vorlagen
assistants-edit = Ändern
assistants-edit-named = { $name } ändern
assistants-for = Wofür er da ist
assistants-instructions = Wie er antworten soll
assistants-instructions-help = Das wird einem Sprachmodell gesagt, unterhalb der Regeln über Quellen. Antworten aus Zitaten allein bleiben, wie sie sind.
assistants-collections = Antwortet aus
assistants-all-of-them = Allem, was lesen darf, wer fragt
assistants-writer = Geschrieben von
assistants-any-writer = Wen der Fragende gewählt hat
assistants-starters = Fragen zum Beginnen, eine je Zeile, höchstens { $most }
assistants-readers = Geteilt mit
assistants-readers-none = Niemandem sonst
assistants-everybody = Allen
assistants-save = Speichern
assistants-remove = Entfernen
assistants-model = Für andere Programme ist er das Modell <code>{ $model }</code>.
assistants-own = Nur Ihrer
assistants-shared = Ihrer, geteilt mit { $readers }
assistants-of-others = Von { $owner }
assistants-with = Mit <b>{ $name }</b>
assistants-templates = Vorlagen für Fragen
assistants-templates-about = Eine Frage, die immer wieder gestellt wird, mit Lücken: Tippen Sie ihren Namen hinter einem Ausrufezeichen in das Feld,
    wie <b>!änderungen</b>, und füllen Sie sie aus.
assistants-template = Vorlage
assistants-template-new = Neue Vorlage
assistants-template-change = Eine Vorlage ändern
assistants-template-text = Frage
assistants-template-help = Namen in doppelten Klammern sind die Lücken, wie in: Was hat sich in {"{{"}Produkt{"}}"} seit {"{{"}Jahr{"}}"} geändert?
assistants-ask = Fragen
