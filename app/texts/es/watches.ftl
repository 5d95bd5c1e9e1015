## De qué quiere alguien que se le avise cuando cambie

watches-title = En seguimiento
watches-all = Todo lo que sigue
watches-none = <h3>No se sigue nada</h3>Elija <b>Seguir</b> bajo una respuesta o una búsqueda: se vuelve a preguntar con cada
    publicación, y aquí verá qué cambió.
watches-visitor = <h3>Inicie sesión para seguir algo</h3>A quien solo está de visita no se le puede avisar después.
watches-gone = Usted no sigue nada así. Puede que haya terminado.
watches-watch = Seguir
watches-watch-help = Preguntarlo de nuevo tras cada publicación, y avisarme cuando cambie la respuesta
watches-watch-search = Seguir esta búsqueda
watches-watch-search-help = Buscar de nuevo tras cada publicación, y avisarme cuando se encuentren otros documentos
watches-begun = Se le avisará cuando esto cambie, en «En seguimiento».
watches-too-many = Ya sigue todo lo que se puede. Termine un seguimiento que no necesite.
watches-link = En seguimiento
watches-link-new = En seguimiento · { $count } nuevos
watches-new = { $count } nuevos
watches-is-new = Nuevo
watches-problem = Sin mirar
watches-failed = No se pudo mirar desde la última publicación: { $why }. Se intentará de nuevo.
watches-is-question = Una pregunta, en seguimiento desde { $age }
watches-is-search = Una búsqueda, en seguimiento desde { $age }
watches-when = { $age }, con la versión { $version }
watches-changed = La respuesta cambió
watches-lost = Ya no hay respuesta
watches-found = Ahora hay una respuesta
watches-other-documents = { $count ->
        [0] Se encuentran otros documentos
        [one] { $count } documento es otro
       *[other] { $count } documentos son otros
    }
watches-document-came = Nuevo
watches-document-changed = Cambiado
watches-document-went = Ya no se encuentra
watches-forgotten = Esta respuesta se olvidó.
watches-unchanged = Nada ha cambiado desde que lo sigue.
watches-mail = Avisar a { $address }
watches-mail-failed = No se envió el correo: { $why }.
watches-feed = Canal
watches-feed-title = Un canal de este seguimiento
watches-feed-note = Quien tiene la dirección del canal lee lo que usted puede leer de estos cambios. Se muestra una vez; una dirección nueva termina la anterior.
watches-feed-make = Crear una dirección
watches-feed-end = Terminar el canal
watches-end = Dejar de seguir

## Qué cambió desde entonces

watches-since = ¿Sigue siendo cierto?
watches-since-help = Mirar si los documentos todavía lo dicen
watches-since-title = ¿Sigue siendo cierta esta respuesta?
watches-still-right = Sí: todo lo que cita sigue ahí.
watches-right-until = Cierta hasta el { $date }
watches-right-again = Lo que cita está ahí de nuevo desde entonces.
watches-quote-stands = sigue ahí
watches-quote-gone = ya no está
watches-collection-since = Qué cambió desde …
watches-since-day = Desde el final del
watches-since-nothing = No se conserva ninguna versión de ese día. Elija uno posterior.
watches-since-same = Nada ha cambiado en lo que usted puede leer.
