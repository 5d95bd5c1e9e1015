## Lo que se acaba de quitar y puede recuperarse

undo-chat = El chat <b>{ $name }</b> está borrado.
undo-link = El enlace a <b>{ $name }</b> ha terminado.
undo-feed = El canal de <b>{ $name }</b> ha terminado.
undo-token = El token <b>{ $name }</b> está revocado.
undo-file = <b>{ $name }</b> está quitado.
undo-collection = La colección <b>{ $name }</b> está borrada.
undo-source = La fuente <b>{ $name }</b> está borrada.
undo-question = La pregunta <b>{ $name }</b> está borrada.
undo-proposal = <b>{ $name }</b> está descartada.
undo-watch = Ya no se sigue <b>{ $name }</b>.
undo-template = La plantilla <b>{ $name }</b> está quitada.
undo-assistant = El asistente <b>{ $name }</b> está quitado.
undo-grid = La tabla <b>{ $name }</b> está quitada.
undo-grid-column = La pregunta <b>{ $name }</b> está quitada.
undo-grid-row = <b>{ $name }</b> está quitado de la tabla.
undo-rule = Lo decidido sobre <b>{ $name }</b> queda anulado.
undo-member = <b>{ $name }</b> ya no está en el grupo.
undo-role = <b>{ $name }</b> ya no tiene ningún rol.
undo-keep = Deshacer
undo-keep-help = Conservar { $name }
