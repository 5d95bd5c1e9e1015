## Preguntar: la vista de los chats

ask-hero = <h1>Pregunte a sus documentos</h1><p>Las respuestas se escriben con lo que está publicado, y cada frase lleva al pasaje en que
    se apoya. Cuando los documentos no lo dicen, la respuesta lo reconoce.</p>
ask-examples = Podría preguntar
ask-placeholder = Pregunte sobre sus documentos
ask-written-by = Escrita por
ask-quotes-alone = Solo citas, sin modelo
ask-own-model = El modelo de lenguaje
ask-prompt = Instrucción guardada
ask-no-prompt = Ninguna
ask-archived = Documentos archivados
ask-archived-help = Las respuestas salen de lo archivado por su antigüedad, en lugar de los demás documentos.
ask-you-asked = Usted preguntó
ask-unpublished = <h1>Todavía no hay nada que preguntar</h1><p>Esta página responde a partir de documentos, y ninguno está publicado. Tres
    pasos llevan hasta ahí:</p>
ask-unpublished-steps = <ol><li><b>Diga qué leer.</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">Suelte archivos</a>, o añada
            <a class="inner" href="collections?show=sources&add=folder" target="_self">una carpeta</a>,
            <a class="inner" href="collections?show=sources&add=web" target="_self">un sitio</a> o
            <a class="inner" href="collections?show=sources&add=feed" target="_self">un canal</a>
       *[reader] La redacción suelta archivos, o añade una carpeta, un sitio o un canal
    }.</li>
    <li><b>Mire cómo se lee.</b> <b>Sincronizar ahora</b> lo lee todo una vez y muestra cuánto lleva; después solo se lee lo que cambió.</li>
    <li><b>Pregunte.</b> La primera versión entra en servicio por sí sola, y esta página lo nota.</li></ol>
ask-look-again = Volver a mirar

## Mientras se escribe una respuesta

ask-understanding = Entendiendo la pregunta …
ask-searching = Buscando …
ask-reading = Leyendo { $passages ->
        [one] un pasaje
       *[other] { $passages } pasajes
    } …
ask-thinking = Pensando …
ask-writing = Escribiendo …
ask-nothing-found = No se encontró nada
ask-trace = { $searches ->
        [one] Una búsqueda
       *[other] { $searches } búsquedas
    } · { $passages ->
        [0] ningún pasaje
        [one] 1 pasaje
       *[other] { $passages } pasajes
    } · { $seconds } s
ask-trace-stopped = Detenida · { $passages ->
        [0] ningún pasaje
        [one] 1 pasaje
       *[other] { $passages } pasajes
    }
ask-step-understood = Entendida como <q>{ $question }</q>
ask-step-searched = Se buscó <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] No se encontraron pasajes
        [one] Se encontró 1 pasaje
       *[other] Se encontraron { $passages } pasajes
    }
ask-step-wrote = { $model ->
        [extractive] Citada, sin modelo
       *[other] Escrita por { $model }
    }
ask-step-checked = { $claims ->
        [0] Nada que comprobar
        [one] Una frase comprobada con su fuente
       *[other] { $claims } frases comprobadas con sus fuentes
    }
ask-step-total = En total
ask-thought = Lo que pensó el modelo

## Una respuesta

ask-sources = Fuentes
ask-more-passages = { $count ->
        [one] Un pasaje más de él
       *[other] { $count } pasajes más de él
    }
ask-beside = La fuente
ask-beside-close = Cerrar
ask-beside-open = Abrirla entera
ask-origins = lo dicen { $count } orígenes independientes
ask-source-open = { $n }: { $title }. Abre el pasaje en su documento.
ask-closest = Los pasajes más cercanos
ask-stopped-sources = Fuentes con las que se estaba escribiendo
ask-told = { $when } · { $version } · { $model ->
        [extractive] solo citas, sin modelo
       *[other] { $model }
    }
ask-ids = recibo
ask-older = Respondida con <code>{ $version }</code>. Desde entonces está en servicio { $live }, así que los documentos pueden decir otra cosa.
ask-again = Preguntar de nuevo
ask-withheld = Esta respuesta se apoya en documentos que usted no puede leer, por eso no se muestra.
ask-withheld-now = Esta respuesta se apoya en documentos que usted ya no puede leer, por eso ya no se muestra.
ask-unanswered = Esta pregunta no tiene respuesta: se detuvo antes de que se escribiera nada.
ask-stopped = Detenida. Este texto no se comprobó con sus fuentes.
ask-stop = Detener
ask-waits = Su pregunta se responde después de esta.
ask-model-failed = <b>{ $model } no pudo responder.</b> Lo que ve son frases de las propias fuentes.
ask-failed = <b>No ha funcionado.</b> { $reason } Su pregunta se conserva.
ask-too-many = Demasiadas preguntas a la vez. Pregunte de nuevo en { $seconds ->
        [one] un segundo
       *[other] { $seconds } segundos
    }; su pregunta está abajo.
ask-try-again = Intentar de nuevo
ask-try-with = Responder con { $name }
ask-next = Preguntar después
ask-copy = Copiar
ask-copy-code = Copiar este código
ask-speak = Leer en voz alta
ask-speak-stop = Dejar de leer
ask-listen = Preguntar de viva voz
ask-listen-failed = No se oyó nada
ask-copied = Copiado
ask-late = <b>{ $sources }</b> { $count ->
        [one] va con retraso: su horario ha pasado dos veces desde que se leyó ({ $age }).
       *[other] van con retraso: sus horarios han pasado dos veces desde que se leyeron ({ $age }).
    } Puede faltar lo nuevo en las respuestas.
ask-earlier = Mostrar las preguntas anteriores ({ $count })

ask-verdict = { $verdict ->
        [yes] Sí, como dice esto:
       *[no] No, como dice esto:
    }
ask-also-in = también en { $language }:

ask-disagree = <b>Las fuentes no coinciden.</b>
ask-side = { $count ->
        [one] Una de { $of } fuentes dice
       *[other] { $count } de { $of } fuentes dicen
    }
ask-side-newest = { $count ->
        [one] Una de { $of } fuentes, la más { $of ->
            [2] nueva
           *[other] reciente
        }, del { $date }, dice
       *[other] { $count } de { $of } fuentes, entre ellas la más reciente, del { $date }, dicen
    }

## Qué fue de sus frases

ask-state = { $state ->
        [quoted] citada
        [supported] respaldada
        [contradicted] contradicha
       *[unverified] sin verificar
    }
ask-word-for-word = palabra por palabra en su fuente
ask-probable = respaldada con una probabilidad del { $percent } %
ask-checked-by = comprobado por { $check }
ask-taken-away = <b>Retirada</b>, porque una fuente dice otra cosa: <del>{ $sentence }</del>
ask-denied-by = «{ $quote }» ({ $title })
ask-denies = dice otra cosa

## Lo que los documentos no dicen

ask-searched-in = { $documents ->
        [-1] Se buscó:
        [0] Usted no puede leer ninguno de los documentos. Se buscó:
        [one] En el único documento que usted puede leer se buscó:
       *[other] En los { $documents } documentos que usted puede leer se buscó:
    }
ask-missing-add = Añadir el documento que falta
ask-missing-tell = Decir a la redacción que esto falta
ask-missing-others = Qué más quedó sin respuesta

## Juzgar

ask-judge = ¿Fue una buena respuesta?
ask-bad-title = ¿Qué tenía de malo?
ask-bad-abstained-title = ¿Debería haberse respondido?
ask-reason = El motivo
ask-reason-wrong = Es falsa
ask-reason-incomplete = Falta algo
ask-reason-outdated = Está anticuada
ask-reason-source = Cita la fuente equivocada
ask-reason-unanswered = Los documentos sí lo responden
ask-reason-other = Otra cosa
ask-comment = ¿Qué sería lo correcto? (opcional)
ask-judge-note = La pregunta, su respuesta y lo que escriba aquí se proponen a la redacción como una pregunta con la que se pone a prueba cada
    versión nueva.
ask-send = Enviar
ask-thanks = Gracias. La redacción lo verá.

## El chat

ask-new = Chat nuevo
ask-find = Buscar en sus chats
ask-no-chats = Aquí aparecerán sus chats. Nadie más los ve.
ask-none-found = Ningún chat contiene estas palabras.
ask-more-chats = Mostrar más
ask-today = Hoy
ask-yesterday = Ayer
ask-week = Últimos siete días
ask-before = Antes
ask-pinned = Fijado
ask-pin = Fijar
ask-unpin = Dejar de fijar
ask-folder = Carpeta
ask-no-folder = Sin carpeta
ask-folder-help = Elija una o escriba un nombre nuevo.
ask-share = Compartir
ask-export = Exportar
ask-export-word = Word, con notas al pie
ask-export-print = Imprimir, o guardar como PDF
ask-more = Más
ask-rename = Renombrar
ask-rename-title = Renombrar este chat
ask-title = Título
ask-save = Guardar
ask-delete = Borrar
ask-gone = Este chat no está aquí. Puede que se haya borrado, o es de otra persona.

## Compartir

ask-share-title = Compartir este chat
ask-share-note = Quien tenga el enlace puede leer lo dicho hasta ahora, y cada respuesta solo si puede leer todos los documentos con que se
    escribió. Lo que pregunte después no está incluido.
ask-share-readers = Solo para
ask-share-everybody = Todos los que pueden preguntar aquí
ask-share-readers-help = Personas y grupos, como group:support. Los demás no encuentran nada en el enlace.
ask-share-make = Crear un enlace
ask-share-renew = Compartir como está ahora
ask-share-end = Dejar de compartir
ask-shared = <b>{ $title }</b> se compartió con usted. Puede leerlo, no cambiarlo.
ask-shared-gone = <h3>Este enlace no lleva a ninguna parte</h3>El chat se borró, o su dueño dejó de compartirlo.
ask-shared-own = Hacer su propia pregunta

## El archivo exportado

ask-export-asked = Preguntado el { $date }, respondido con la versión { $version } por { $model ->
        [extractive] citas solas, sin modelo
       *[other] { $model }
    }; recibo { $receipt }.
ask-export-sources = Fuentes
ask-export-checked = Comprobado
ask-export-page = página { $page }
ask-export-at = Exportado el { $date }.

## Con qué se responde un chat

ask-scope = Solo de
ask-scope-remove = Dejar de responder con { $name }
ask-scope-all = De todo
ask-scope-gone = algo que ya no está aquí, o que usted ya no puede leer
ask-complete = Colecciones y documentos
ask-complete-collection = colección
ask-complete-document = documento

## Archivos de un chat

ask-attaching = Leyendo { $name } …
ask-pasted = Texto pegado.txt
ask-attached = Archivos de este chat
ask-attached-remove = Quitar { $name }
ask-attached-only = Solo de estos archivos
ask-attached-note = Solo usted los ve, y se van con este chat.

## Sus tablas e imágenes

ask-table-of = Tabla de { $title }
ask-table-whole = Las { $count } filas
ask-table-more = { $count ->
        [one] Hay una fila más en el documento.
       *[other] Hay { $count } filas más en el documento.
    }
ask-chart-show = Dibujar un gráfico de «{ $title }»
ask-chart-hide = Ocultar el gráfico de «{ $title }»
ask-chart-show-own = Dibujar un gráfico de esta tabla
ask-chart-hide-own = Ocultar el gráfico
ask-chart-spoken = Un gráfico de { $names } por { $by }.
ask-figure-show = Mostrar «{ $name }»
ask-figure-hide = Ocultar «{ $name }»
ask-figure-alt = Imagen de { $title }: { $said }
