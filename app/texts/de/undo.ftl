## Was gerade weggenommen wurde und zurückgeholt werden kann

undo-chat = Der Chat <b>{ $name }</b> ist gelöscht.
undo-link = Der Link zu <b>{ $name }</b> gilt nicht mehr.
undo-feed = Den Feed von <b>{ $name }</b> gibt es nicht mehr.
undo-token = Das Token <b>{ $name }</b> ist widerrufen.
undo-file = <b>{ $name }</b> ist entfernt.
undo-collection = Die Sammlung <b>{ $name }</b> ist gelöscht.
undo-source = Die Quelle <b>{ $name }</b> ist gelöscht.
undo-question = Die Frage <b>{ $name }</b> ist gelöscht.
undo-proposal = <b>{ $name }</b> ist verworfen.
undo-watch = <b>{ $name }</b> wird nicht mehr beobachtet.
undo-template = Die Vorlage <b>{ $name }</b> ist entfernt.
undo-assistant = Der Assistent <b>{ $name }</b> ist entfernt.
undo-grid = Die Tabelle <b>{ $name }</b> ist entfernt.
undo-grid-column = Die Frage <b>{ $name }</b> ist entfernt.
undo-grid-row = <b>{ $name }</b> ist aus der Tabelle entfernt.
undo-rule = Was über <b>{ $name }</b> entschieden wurde, ist zurückgenommen.
undo-member = <b>{ $name }</b> ist nicht mehr in der Gruppe.
undo-role = <b>{ $name }</b> hat keine Rolle mehr.
undo-keep = Rückgängig
undo-keep-help = { $name } behalten
