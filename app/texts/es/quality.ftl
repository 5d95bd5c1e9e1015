## Calidad: las partes

quality-title = Calidad
quality-part = Parte de Calidad
quality-overview = Resumen
quality-versions = Versiones
quality-questions = Preguntas
quality-proposed = Propuestas
quality-proposed-count = Propuestas{ $count ->
        [0] { "" }
       *[other] { " " }({ $count })
    }

## La versión más nueva

quality-nothing-built = <h3>Todavía no hay nada que juzgar</h3>Una versión del índice la construye <code>rag sync</code>, o
    <b>Sincronizar ahora</b> en Colecciones. A cada una se le hacen las mismas preguntas, y se muestra aquí junto a la que está en servicio.
quality-never = <h3>{ $version } todavía no se ha juzgado</h3>Pulse <b>Evaluar ahora</b>: a la versión se le hacen sus preguntas, se
    compara con la que está en servicio, y el veredicto se muestra aquí. Con ello no se publica nada.
quality-newest = Versión más nueva: <code>{ $version }</code>
quality-newest-live = Versión más nueva: <code>{ $version }</code>, que está en servicio
quality-evaluate = Evaluar ahora
quality-evaluate-help = Hace a la versión más nueva las preguntas de hoy y la compara con la que está en servicio. No publica nada.
quality-evaluating = Preparando la evaluación …
quality-evaluating-of = Haciendo la pregunta { $done } de { $total } …
quality-failed = La última evaluación falló: { $reason }
quality-damaged = Lo guardado de la evaluación de { $version } está dañado ({ $error }). Pulse «Evaluar ahora», o ejecute «rag sync», para
    juzgarla de nuevo.
quality-passed = Aprobada
quality-refused = Rechazada
quality-rescore = Sin comparar
quality-not-judged = Sin juzgar
quality-reasons = { $count ->
        [one] El motivo, palabra por palabra
       *[other] Los { $count } motivos, palabra por palabra
    }
quality-against-live = Frente a la que está en servicio
quality-interval = al 95 %: { $ends }
quality-card-questions = Ganadas : perdidas
quality-of = de { $count } preguntas
quality-card-search = Búsqueda mediana
quality-card-p95 = percentil 95 { $ms } ms

quality-over-time = A lo largo del tiempo
quality-measure = Medida
quality-chart-key = Cada punto es una evaluación, su barra el intervalo del 95 %. Un punto hueco fue rechazado. Donde la línea se corta,
    cambiaron las preguntas: lo que queda a un lado y al otro no se puede comparar.
quality-one-evaluation = Hasta ahora hay una evaluación; la próxima empieza una línea.
quality-all-evaluations = { $count ->
        [one] La evaluación como tabla
       *[other] Las { $count } evaluaciones como tabla
    }
quality-version = Versión
quality-on = El
quality-interval-95 = Intervalo del 95 %
quality-gate = Comprobación
quality-scored-again = Puntuada de nuevo
quality-no-questions = <h3>No se midió nada</h3>Solo se comprobó el propio índice, porque aún no hay preguntas. Escriba algunas en
    <b>Preguntas</b>: lo que la gente pregunta, y las palabras de un documento que lo responden. Después pulse <b>Evaluar ahora</b>.
quality-side-by-side = { $now } junto a { $then }
quality-scores = Puntuaciones
quality-other-questions = A la versión anterior se le hicieron otras preguntas, por eso no se comparan.
quality-more-measures = Más medidas
quality-by = { $metric } por { $group }
quality-change = Cambio

quality-moved = Preguntas ganadas y perdidas
quality-worse = Perdidas ({ $count })
quality-better = Ganadas ({ $count })
quality-none-moved = Ninguna.
quality-show-all = Mostrar las { $count }
quality-ranks = puesto { $before } → { $after }
quality-not-found = ninguno
quality-cause = La causa: { $cause }.
quality-no-cause = Nada de los documentos encontrados ha cambiado.
quality-competition = Sus propios pasajes son los mismos; otros se pusieron por encima, o se fueron.
quality-found-by = { $version } encontró
quality-found-nothing = Nada.
quality-right = (uno correcto)
quality-unreadable-hit = Un documento que usted no puede leer
quality-hidden = Las preguntas sobre documentos que usted no puede leer cuentan, y no se muestran.

## Versiones

quality-damaged-versions = { $count ->
        [one] 1 versión no se puede leer
       *[other] { $count } versiones no se pueden leer
    }: un archivo que la describe está dañado. <code>rag repair</code> lo repara.
quality-admins-publish = La administración publica versiones y vuelve atrás.
quality-live = En servicio
quality-candidate = Candidata
quality-pinned = Fijada
quality-version-facts = Construida { $age } ({ $date }) · { $documents ->
        [one] 1 documento
       *[other] { $documents } documentos
    } · { $chunks ->
        [one] 1 pasaje
       *[other] { $chunks } pasajes
    } · { $model }
quality-not-scored = Sin puntuación todavía.
quality-by-promote = Publicada por { $who } { $when }: { $why }
quality-by-rollback = Se volvió a ella por { $who } { $when }: { $why }
quality-by-redact = Limpiada de documentos olvidados { $when } por { $who }: { $why }
quality-why-refused = Por qué se rechazó
quality-promote = Publicar …
quality-rollback = Volver a ella …
quality-again = Publicarla de nuevo …
quality-release = Dejar que la publicación siga …
quality-report = Informe
quality-compare = Comparar con la que está en servicio

quality-promote-title = ¿Publicar { $version }?
quality-rollback-title = ¿Volver a { $version }?
quality-promote-means = Desde la próxima pregunta, a todos se les responde con esta versión. Tarda un instante, y se deshace
    igual. Tras haber vuelto atrás, las sincronizaciones publican de nuevo por sí solas.
quality-rollback-means = Desde la próxima pregunta, a todos se les responde con esta versión. Tarda un instante. Hasta que alguien
    publique una versión, nada se publica por sí solo: las sincronizaciones siguen construyendo y juzgando.
quality-reason = El motivo, para el registro
quality-reason-example = Los precios de la más nueva están mal
quality-reason-missing = Diga por qué: quien mire después el registro querrá saberlo.
quality-promote-now = Publicar
quality-rollback-now = Volver atrás
quality-override-means = La comprobación no aprobó esta versión. Publicarla a pesar de ello la pasa por alto, y el registro lo guarda con su
    nombre.
quality-override = Pasar por alto la comprobación: publicar { $version } aunque no la aprobó
quality-override-logged = { $reason } (aunque la comprobación no la había aprobado)
quality-moved-meanwhile = Entretanto { $version } entró en servicio. Cierre esto, mire otra vez y decida de nuevo.
quality-is-live = { $version } está en servicio
quality-documents = Documentos
quality-chunks = Pasajes
quality-now = ahora: { $version }
quality-then = después: { $version }
quality-what-changes = Qué cambia
quality-documents-move = Documentos: { $came } llegan, { $went } se van, { $edited } cambian.

## Informes y comparaciones

quality-report-of = Informe de { $version }
quality-one-version = <h3>Todavía no hay nada que comparar</h3>Hacen falta dos versiones: cada sincronización que cambia algo crea una.
quality-compare-title = En qué se diferencian
quality-side-a = Antes
quality-side-b = Después
quality-same-version = Es la misma versión dos veces. Elija otra.
quality-passages = Pasajes: { $kept } quedaron, { $new } son nuevos, { $gone } se fueron.
quality-disk = En el disco: { $then } antes, { $now } después.
quality-made-with = Hecha con
quality-source = Fuente
quality-by-source = Por fuente
quality-came-added = llegaron
quality-came-removed = se fueron
quality-came-edited = cambiaron
quality-kind-added = Llegaron ({ $count })
quality-kind-removed = Se fueron ({ $count })
quality-kind-source = Cambiados en la fuente ({ $count })
quality-kind-extractor = Leídos de otro modo a partir de los mismos bytes ({ $count })
quality-kind-description = Descritos de otro modo, con el mismo texto ({ $count })
quality-more = y { $count } más
quality-unreadable = y { $count } que usted no puede leer

## Preguntas

quality-no-questions-yet = <h3>Las buenas preguntas cierran el paso a las malas versiones</h3>Anote lo que la gente pregunta, con sus palabras, y elija
    las palabras de un documento que lo responden. A cada versión nueva se le hacen estas preguntas, y la que lo hace peor no se publica.
    Cincuenta son un buen comienzo; algunas deberían ser tales que los documentos no las respondan.
quality-add = Añadir una pregunta
quality-import = Importar
quality-import-title = Importar preguntas
quality-import-means = Un archivo con un objeto JSON por línea, como lo escribe <b>Exportar</b>. Se toma todo o nada; el nombre del archivo
    da nombre al conjunto.
quality-import-file = Conjunto de preguntas
quality-imported = { $count ->
        [one] Se añadió 1 pregunta
       *[other] Se añadieron { $count } preguntas
    }{ $lost ->
        [0] .
        [one] ; 1 cita no está en ningún documento que usted pueda leer.
       *[other] ; { $lost } citas no están en ningún documento que usted pueda leer.
    }
quality-export = Exportar
quality-malformed = Esta línea no se puede leer, y detiene toda evaluación: <code>{ $where }</code>. Corríjala en el archivo;
    <code>rag questions check</code> dice más.
quality-find-question = Buscar una pregunta
quality-find-question-hint = Palabras de ella, un id o una etiqueta
quality-set = Conjunto
quality-all-sets = Todos los conjuntos
quality-unanswerable = No se puede responder
quality-lost = Cita no encontrada
quality-train = para ajustar
quality-edit = Editar

quality-adding = Una pregunta nueva
quality-editing = Editar la pregunta
quality-accepting = Aceptar una pregunta propuesta
quality-no-such-question = <h3>Esta pregunta no está aquí</h3>Se borró o se cambió, o trata de documentos que usted no puede leer.
quality-question = Lo que la gente pregunta
quality-question-hint = ¿Cuántos días de vacaciones tengo?
quality-answerable = Los documentos la responden
quality-answerable-help = Desactivado: lo correcto es decir que los documentos no lo cuentan.
quality-answer = Respuesta aceptada (opcional)
quality-answer-help = Unas pocas palabras que contiene una respuesta correcta. Si son varias: ponga un | entre ellas.
quality-places = Pasajes que la responden
quality-places-mean = Al menos una cita: palabras de un documento, al pie de la letra. Cómo se cortan los documentos no importa.
quality-remove-place = Quitar el lugar { $number }
quality-search = Buscar el pasaje que la responde
quality-search-hint = Palabras del pasaje, o la propia pregunta
quality-search-nothing = No se encontró nada. Pruebe con otras palabras.
quality-choose-passage = Elija un pasaje
quality-choose-sentence = Elija la frase que responde
quality-quote = La cita; hágala más larga o más corta
quality-use-quote = Usar esta cita
quality-open-document = Abrir el documento
quality-details = Detalles
quality-tags = Etiquetas, separadas por comas
quality-language = Idioma, como es
quality-asked-by = La pregunta
quality-asked-by-help = Como quién se busca, por ejemplo group:hr; vacío: todos, o quien pueda leer los lugares.
quality-as-of = A fecha de
quality-as-of-help = La fecha en que se pregunta, como 2026-05-31; vacío: cuando sea.
quality-split = Parte
quality-split-help = Las preguntas de «dev» deciden en la comprobación; las de «train» son para probar ajustes.
quality-by-chance = Por sí sola
quality-save = Guardar
quality-saved = Guardada. La próxima evaluación la hace.
quality-delete = Borrar

## Preguntas propuestas

quality-nothing-proposed = <h3>No hay nada propuesto</h3>Cuando alguien juzga una respuesta con el pulgar abajo, o una que los documentos no
    contenían, la pregunta llega aquí. Acéptela, y la próxima versión tendrá que hacerlo mejor.
quality-accept = Aceptar …
quality-dismiss = Descartar
quality-judged-good = Declinar fue lo correcto
quality-judged-better = Mejor que otra respuesta
quality-why-wrong = Falsa
quality-why-incomplete = Falta algo
quality-why-outdated = Anticuada
quality-why-source = Fuente equivocada
quality-why-unanswered = Los documentos sí lo responden
quality-why-other = Mala
quality-judged = juzgada { $when }, respondida por { $version }
quality-answered = Respondió: { $answer }

## Lo que la gente pensó de las respuestas

quality-feedback = Opiniones
quality-judged-none = Nadie juzgó una respuesta en estos días. Los pulgares están bajo cada respuesta.
quality-judged-all = Juicios
quality-judged-rate = Juzgadas buenas
quality-judged-bad = Juzgadas malas
quality-judged-were-good = Buenas
quality-judged-were-bad = Malas
quality-judged-by-day = Juicios por día
quality-judged-spoken = { $good } juicios buenos y { $bad } malos en { $days } días.
quality-judged-by-collection = Por colección
quality-judged-by-generator = Por quién escribió la respuesta
quality-judged-preferred = Preferidas a otra respuesta
quality-judged-name = Nombre
quality-judged-reasons = Por qué: { $reasons }.
quality-judged-worst = Preguntas con malas respuestas
quality-judged-worst-mean = Las que preguntan casi lo mismo están juntas.
quality-judged-times = { $times ->
        [one] juzgada mala una vez
       *[other] juzgada mala { $times } veces
    }
quality-judged-make = Hacerla pregunta de la comprobación
quality-judged-make-help = Con lo que la respuesta cita como los lugares que la responden. Donde no pueda ser, se abre el editor.
quality-judged-made = Ya es una pregunta de la comprobación.
quality-judged-decided = Alguien ya decidió sobre ella.
quality-judged-edit = Mirarla antes
