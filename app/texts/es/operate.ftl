## Operación: las partes

operate-title = Operación
operate-part = Parte de Operación
operate-now = Ahora
operate-sources = Fuentes
operate-review = Revisión
operate-asked = Preguntado
operate-holding = Almacén
operate-costs = Costes
operate-audit = Auditoría
operate-decided = Acceso

## Acceso

operate-no-rules = Nadie ha decidido nada sobre quién puede leer: cuenta lo que dicen las fuentes.
operate-rules = Reglas
operate-rule-allow = { $who } puede leerlo
operate-rule-deny = { $who } no puede leerlo
operate-rule-remove = Anular
operate-rule-removed = anulada en Operación
operate-changes = Cambios
operate-change-when = Cuándo
operate-change-who = Por
operate-change-what = Qué
operate-change-why = Por qué

## Ahora

operate-running = En marcha
operate-idle = No hay nada en marcha.
operate-doing = { $stage }{ $source ->
        [none] { "" }
       *[other] { " " }de { $source }
    }, desde hace { $elapsed }
operate-done-of = · { $done } de { $total }
operate-stage-sync = Preparación
operate-stage-fetch = Traída
operate-stage-extract = Lectura
operate-stage-chunk = Corte
operate-stage-embed = Incrustación
operate-stage-index = Indexación
operate-stage-evaluate = Evaluación
operate-sync-failed = La última sincronización ({ $when }) falló: { $reason }
operate-health = Salud
operate-damaged = La versión en servicio necesita a alguien: { $notice }
operate-all-well = No hay nada mal en esta máquina ni en este espacio de trabajo.
operate-all-checks = Las { $count } comprobaciones
operate-level-ok = bien
operate-level-hint = aviso
operate-level-wrong = mal
operate-moves = Cambios de la versión en servicio
operate-no-moves = Todavía no se publicó nada.
operate-when = Cuándo (UTC)
operate-what = Qué
operate-who = Quién
operate-why = Por qué
operate-rollback = atrás: { $before } → { $version }
operate-redact = censurada: { $before } → { $version }

## Fuentes

operate-no-sources = <h3>Todavía no hay ninguna fuente</h3>Una fuente es de donde vienen los documentos: una carpeta, un canal, un sitio, un portal, una tabla.
    Añada una en <b>Colecciones</b>, o en <code>rag.toml</code>.
operate-attention = { $count ->
        [0] Las { $of } fuentes están como deben.
        [one] 1 de { $of } fuentes necesita atención.
       *[other] { $count } de { $of } fuentes necesitan atención.
    }
operate-well = Bien
operate-look = Necesita atención
operate-schedule = horario { $cron }
operate-no-schedule = sin horario
operate-check-failures = Fallos
operate-check-boilerplate = Relleno
operate-check-count = Número de documentos
operate-check-length = Longitud de los documentos
operate-check-languages = Idiomas
operate-check-freshness = Retraso
operate-check-instructions = Instrucciones
operate-check-readable = Ilegible
operate-do-failures = Vea abajo qué falló; lo que puede pasarse se intenta de nuevo en la próxima sincronización.
operate-do-boilerplate = Mire algunos de sus documentos: ¿está el texto principal?
operate-do-count = Si es correcto, no hay nada que hacer; si no, mire la propia fuente.
operate-do-length = Mire algunos de sus documentos: ¿está el texto entero?
operate-do-languages = Mire algunos de sus documentos: ¿se puede leer su texto?
operate-do-freshness = Sincronícela en Colecciones; vea si Dagster funciona y si se llega a la fuente.
operate-do-instructions = Lea estos documentos: intentan decirle a un modelo de lenguaje qué hacer. Lo que dicen nunca se obedece.
operate-do-readable = Ejecute «rag repair»: se aparta y se hace de nuevo.
operate-failures = { $count ->
        [one] 1 elemento falló
       *[other] { $count } elementos fallaron
    }
operate-mend-fetch = Se intenta de nuevo en la próxima sincronización.
operate-mend-read = Corrija el documento en su origen y sincronice.
operate-more = y { $count } más

## Preguntado

operate-period = Periodo
operate-days = { $count } días
operate-nothing-asked = <h3>En este tiempo no se preguntó nada</h3>En cuanto alguien pregunte y busque, aquí verá cuánto al día, qué tardó y qué no
    respondieron los documentos.
operate-questions = Preguntas
operate-unanswered = Sin respuesta
operate-answered = Respondidas
operate-share = { $percent } de ellas
operate-searches = Búsquedas
operate-searches-mean = también las hechas mientras se escribe
operate-days-spoken = { $questions } preguntas en { $days } días, { $unanswered } de ellas sin respuesta
operate-day = Día (UTC)
operate-by-day = Preguntas y búsquedas por día
operate-as-table = Como tabla
operate-median = Mediana
operate-p95 = Percentil 95
operate-unanswered-part = Sin respuesta
operate-unanswered-mean = Lo que los documentos no contenían, agrupado por aquello de lo que trata. No se muestra quién preguntó.
operate-all-answered = Todas las preguntas de este tiempo se respondieron.
operate-grouping = Agrupando por significado …
operate-no-model = No están agrupadas, porque el modelo no se puede usar: { $reason }
operate-most-asked = Las { $most } más preguntadas de { $of } preguntas distintas.
operate-show-all = Mostrar las { $count }
operate-asked-times = preguntada { $times ->
        [one] una vez
       *[other] { $times } veces
    }{ $wordings ->
        [one] { "" }
       *[other] { "" } con { $wordings } redacciones
    }, la última { $last }
operate-times = { $times ->
        [one] una vez
       *[other] { $times } veces
    }
operate-propose = Proponer como pregunta de evaluación
operate-propose-help = Los documentos deberían responderla. Va a Calidad, en Propuestas, donde la redacción elige las palabras que la responden.
operate-propose-unanswerable = Declinar fue lo correcto
operate-propose-unanswerable-help = Los documentos no tienen que responderla. Va a Calidad, en Propuestas, como pregunta que hay que declinar.
operate-proposed = Propuesta. La redacción la encuentra en Calidad.
operate-slow = Las más lentas
operate-slow-mean = No se muestra quién preguntó.
operate-stage = Etapa
operate-took-total = En total
operate-took-search = Buscar
operate-took-generate = Escribir
operate-took-verify = Comprobar
operate-question = Pregunta
operate-model = Escrita por

## Almacén

operate-no-data = <h3>Todavía no hay nada guardado</h3>La primera sincronización crea la carpeta <code>data</code>.
operate-measuring = Midiendo …
operate-free = Libre en el disco
operate-of-disk = de { $size }
operate-data = En data/
operate-live-index = Versión en servicio
operate-chunks = { $count ->
        [one] 1 pasaje
       *[other] { $count } pasajes
    }
operate-in-data = Qué contiene data/
operate-folder = Carpeta o archivo
operate-size = Tamaño
operate-holds-index = todas las versiones conservadas
operate-holds-raw = lo que listaron las fuentes, y los bytes tal como se trajeron
operate-holds-documents = textos limpios
operate-holds-chunks = pasajes
operate-holds-embeddings = vectores, guardados para que ningún texto se incruste dos veces
operate-holds-evals = informes e historia de las evaluaciones
operate-holds-uploads = colecciones de archivos subidos
operate-holds-dagster = la historia de ejecuciones de Dagster
operate-holds-logs = lo que imprimen los programas arrancados
operate-holds-app-sqlite = recibos, chats y opiniones
operate-versions = Versiones del índice
operate-no-versions = Todavía no se construyó ninguna.
operate-version = Versión
operate-live = En servicio
operate-part-vectors = Vectores
operate-part-words = Palabras
operate-part-catalog = Textos
operate-part-other = Otros
operate-version-holds = { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    }, { $chunks ->
        [one] 1 pasaje
       *[other] { $chunks } pasajes
    } · { $models }
operate-dimension = El número tras el nombre de un modelo es la dimensión de sus vectores. Una versión con varios modelos tiene un espacio vectorial para cada uno.

## Costes

operate-no-costs = <h3>Todavía no se registró ninguna ejecución</h3>Cada etapa de cada sincronización anota lo que hizo y cuánto tardó.
operate-time-by-day = Tiempo por día
operate-time-spoken = { $time } en { $days } días
operate-runs = Ejecuciones
operate-runs-mean = Lo que cambió se hace de nuevo, lo demás se reutiliza: una ejecución cuesta lo que cambió, no lo que hay.
operate-time = Tiempo
operate-seconds = segundos
operate-made = Hecho
operate-reused = Reutilizado
operate-written = Escrito

## Revisión

operate-held = Retenidos para revisión
operate-held-mean = Nadie puede encontrarlos hasta que alguien los acepte.
operate-none-held = No hay nada retenido.
operate-held-since = retenido { $when }
operate-accept = Aceptar
operate-accept-help = Responde desde ahora, sin sincronizar. En cuanto su fuente cambie el texto, se retiene de nuevo.
operate-accepted = «{ $title }» responde desde ahora.
operate-reject = Rechazar
operate-reject-help = Nadie lo lee ya, sea cual sea su texto. No se borra nada.
operate-rejected = «{ $title }» queda vedado a todos.
operate-flagged = Señalados
operate-flagged-mean = Intentan dar instrucciones a un modelo de lenguaje que los lea. Se encuentran como los demás, salvo que hold_flagged en [documents] esté activado.
operate-none-flagged = No hay ningún documento señalado.

# La auditoría

operate-audit-who = Solo de esta persona o este token
operate-audit-none = No hay registrado nada que encaje.
operate-audit-through = Por
operate-audit-documents = Documentos mostrados
operate-audit-question = Pregunta
operate-audit-erased = (borrado)
operate-audit-refused = rechazado
operate-audit-search = Búsqueda
operate-audit-answer = Respuesta
operate-audit-open = Abrió un documento
operate-audit-original = Descargó un original
operate-audit-export = Exportación
operate-audit-erase = Borró partes de sucesos
operate-audit-see_as = Miró con los ojos de otro
operate-audit-share = Cambió con quién se comparte algo
operate-change = Cambiar sus ajustes
