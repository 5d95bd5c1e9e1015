## Tablas de respuestas: una pregunta por columna, un documento por fila

grids-title = Tablas
grids-about = Haga las mismas preguntas a muchos documentos: una fila por documento, una columna por pregunta, y cada respuesta con su fuente.
grids-all = Todas las tablas
grids-new = Tabla nueva
grids-none = <h3>Todavía no hay ninguna tabla</h3>Nombre algunos documentos y algunas preguntas, y lea las respuestas unas junto a otras. También puede
    empezar desde una búsqueda o una colección: elija allí <b>Comparar en una tabla</b>.
grids-visitor = <h3>Inicie sesión para hacer tablas</h3>Lo que hace quien solo está de visita no se podría volver a encontrar.
grids-gone = No hay tal tabla que usted pueda leer. Puede que se haya quitado.
grids-facts = { $columns ->
        [one] { $columns } pregunta
       *[other] { $columns } preguntas
    } a { $rows ->
        [one] { $rows } documento
       *[other] { $rows } documentos
    }, creada { $age }
grids-of-others = De { $owner }
grids-is-filling = Llenándose
grids-compare = Comparar en una tabla

## Crear una

grids-name = Nombre
grids-name-help = Por ejemplo: Contratos de proveedores 2026
grids-questions = Preguntas, una por línea
grids-questions-help = Cada una se hace a cada documento. Pregunte una sola cosa cada vez, como: ¿Cuándo termina el contrato?
grids-documents = Documentos
grids-find-documents = Buscar documentos por título
grids-found-none = Ningún título tiene estas letras.
grids-collections = Todos los documentos de estas colecciones
grids-from-search = Los mejores documentos para «{ $question }»
grids-from-chosen = { $count ->
        [one] El documento que usted eligió
       *[other] Los { $count } documentos que usted eligió
    }
grids-from-collections = { $count ->
        [one] { $count } documento de la colección
       *[other] { $count } documentos de la colección
    }
grids-writer = Quién escribe las respuestas
grids-any-writer = Como de costumbre
grids-make = Crear la tabla
grids-choose = Elija los documentos a los que preguntar.

## Una tabla

grids-document = Documento
grids-table = { $name }: una tabla de respuestas
grids-fill = { $count ->
        [one] Pedir { $count } respuesta
       *[other] Pedir { $count } respuestas
    }
grids-fill-help = Solo se pregunta lo que falta o está anticuado
grids-stop = Detener
grids-progress = { $done } de { $all } respuestas
grids-stale-count = { $count ->
        [one] { $count } está anticuada
       *[other] { $count } están anticuadas
    }
grids-remaining = falta { $count ->
        [one] alrededor de un minuto
       *[other] alrededor de { $count } minutos
    }
grids-remaining-seconds = falta menos de un minuto
grids-withheld = { $count ->
        [one] { $count } fila no se muestra: ahora usted no puede leer su documento, o ya no está.
       *[other] { $count } filas no se muestran: ahora usted no puede leer sus documentos, o ya no están.
    }
grids-newcomers = { $count ->
        [one] { $count } documento llegó desde entonces a la colección.
       *[other] { $count } documentos llegaron desde entonces a la colección.
    }
grids-add-newcomers = { $count ->
        [one] Añadirlo
       *[other] Añadirlos
    }
grids-no-columns = <h3>Todavía no hay preguntas</h3>Añada una pregunta: se hace a cada documento.
grids-no-rows = <h3>Todavía no hay documentos</h3>Añada los documentos a los que preguntar.
grids-nothing = Sin respuesta en este documento
grids-missing = Todavía sin preguntar
grids-waiting = Espera su turno
grids-failed = No se pudo preguntar
grids-stale = Anticuada
grids-stale-help = El documento, o quien escribe las respuestas, ha cambiado desde entonces
grids-not-live = Ya no está publicado
grids-verdict = { $verdict ->
        [yes] Sí
       *[no] No
    }
grids-source = Fuente { $n }: { $quote }
grids-more = Respuesta entera: { $question }, { $title }
grids-row = Fila: { $title }
grids-column = Columna: { $question }

## Cambiarla

grids-add-column = Añadir una pregunta
grids-question = Pregunta
grids-short-name = Nombre corto
grids-short-name-help = Lo que va encima de la columna; sin él, la pregunta
grids-save = Guardar
grids-remove-column = Quitar esta pregunta
grids-add-rows = Añadir documentos
grids-add = Añadir
grids-row-open = Abrir el documento
grids-leave-out = Quitar de la tabla
grids-settings = Ajustes
grids-readers = Quién más puede leerla
grids-readers-help = Ven las filas cuyos documentos pueden leer ellos mismos
grids-readers-none = Nadie más
grids-remove = Quitar la tabla
grids-export = Exportar
grids-export-title = Exportar como tabla
grids-export-note = Un archivo CSV, que abren Excel y otros programas de tablas. Lo que empieza como una fórmula lleva un apóstrofo delante.
grids-export-quotes = Con una columna más por pregunta: qué cita la respuesta, y de dónde
grids-export-csv = Guardar como CSV
grids-csv-quotes = { $question }: citas
grids-csv-address = Dirección
grids-csv-page = página { $page }
grids-csv-stale = { $answer } (anticuada)
grids-cell-title = Respuesta
grids-cell-facts = Respondida { $age }, versión { $version }, { $model ->
        [extractive] solo citas, sin modelo
       *[other] por { $model }
    }
