## Colecciones de archivos, y fuentes

collections-title = Colecciones
collections-both = Qué mostrar
collections-show-collections = Colecciones
collections-show-sources = Fuentes
collections-new = Colección nueva
collections-create = Crear
collections-save = Guardar
collections-edit = Editar
collections-back = Todas las colecciones
collections-back-sources = Todas las fuentes
collections-find = Buscar una colección
collections-find-file = Buscar un archivo
collections-found-none = Nada aquí se llama «{ $words }».
collections-found-some = { $found } de { $all }
collections-place = Fuente
collections-empty = <h3>Ponga aquí su propio material</h3>Una colección guarda archivos que van juntos: los apuntes de un curso, los
    papeles de un proyecto. Cree una, suelte en ella sus archivos y pulse <b>Sincronizar ahora</b>. Cada archivo se lee, se corta en pasajes y
    entra en el índice; entonces puede <b>preguntar</b> sobre ella y <b>buscar</b> en ella, y cada respuesta lleva al pasaje de su archivo.
collections-empty-reader = <h3>Todavía no hay colecciones para usted</h3>Una colección guarda archivos que van juntos.
    En cuanto alguien comparta una con usted, aparecerá aquí.
collections-no-place = <h3>Todavía no hay sitio para archivos</h3>Una colección guarda archivos que usted pone aquí: documentos, páginas
    web, correo. La administración hace sitio para ellos con un clic; las carpetas, los canales y los sitios se leen en <b>Fuentes</b>.
collections-make-place = Hacer sitio para archivos
collections-nothing = En esta colección todavía no hay nada.
collections-nothing-drop = En esta colección todavía no hay nada. Suelte archivos arriba, o pulse <b>Upload</b> para elegirlos.

collections-wanted = Los documentos no responden <q>{ $question }</q>. Añada a una colección uno que sí lo haga o, en
    <b>Fuentes</b>, la carpeta, el canal o el sitio que lo tiene; tras la próxima sincronización se puede preguntar de nuevo.
collections-wanted-back = Volver al chat

collections-field-title = Título
collections-hint-title = Física, primer curso
collections-field-description = Qué contiene
collections-field-readers = Quién puede leerla
collections-help-readers = Nadie elegido: todos los que pueden leer la fuente. Solo se ofrecen grupos y personas como los que usted mismo lee.
collections-everyone = todos
collections-language-field = Idioma de sus textos
collections-language-help = Para textos demasiado cortos para detectarlo.
collections-language = { $code ->
    [none] Detectado en el texto
    [ar] Árabe
    [ca] Catalán
    [zh] Chino
    [cs] Checo
    [da] Danés
    [nl] Neerlandés
    [en] Inglés
    [fi] Finés
    [fr] Francés
    [de] Alemán
    [hi] Hindi
    [it] Italiano
    [ja] Japonés
    [ko] Coreano
    [ne] Nepalí
    [pl] Polaco
    [pt] Portugués
    [ru] Ruso
    [es] Español
    [sv] Sueco
    [tr] Turco
    [uk] Ucraniano
   *[other] { $other }
}
collections-files = { $count ->
    [one] { $count } archivo
   *[other] { $count } archivos
}
collections-passages = { $count ->
    [one] { $count } pasaje
   *[other] { $count } pasajes
}
collections-documents = { $count ->
    [one] { $count } documento
   *[other] { $count } documentos
}
collections-read-by = la leen { $who }
collections-revision = revisión { $number }
collections-added = añadido { $age }
collections-added-by = añadido { $age } por { $who }
collections-drop = Suelte archivos aquí: documentos, páginas web, correo, archivos comprimidos, de { $most }{ "\u00A0" }MB como mucho cada uno
collections-remove = Quitar
collections-remove-help = Quitar { $name }
collections-open-help = Abrir { $name }

collections-state-uploaded = Subido, espera la próxima sincronización
collections-state-fetched = Traído, se lee a continuación
collections-state-read = Leído, se corta en pasajes a continuación
collections-state-chunked = Cortado en pasajes, se incrusta a continuación
collections-state-embedded = Incrustado, se publica con la próxima versión
collections-state-live = En servicio: se puede encontrar
collections-state-failed = No se pudo leer
collections-state-excluded = Omitido
collections-state-forgotten = Olvidado
collections-short-uploaded = subido
collections-short-fetched = espera a ser leído
collections-short-read = leído
collections-short-chunked = cortado
collections-short-embedded = incrustado
collections-short-live = en servicio
collections-short-failed = no se pudo leer
collections-short-excluded = omitido
collections-short-forgotten = olvidado
collections-step = paso { $step } de { $of }

collections-delete = Borrar
collections-delete-title = ¿Borrar esta colección?
collections-delete-source-title = ¿Borrar esta fuente?
collections-delete-files = { $count ->
    [0] No tiene archivos.
    [one] Su único archivo se va para siempre.
   *[other] Sus { $count } archivos se van para siempre.
}
collections-delete-index = { $documents ->
    [0] Nada de ella está en el índice.
    [one] Un documento con { $chunks } pasajes deja el índice con la próxima versión.
   *[other] { $documents } documentos con { $chunks } pasajes dejan el índice con la próxima versión.
}
collections-delete-answers = { $answers ->
    [0] Ninguna respuesta anterior la cita.
    [one] Una respuesta anterior la cita. La respuesta queda; sus marcas llevan a las versiones conservadas.
   *[other] { $answers } respuestas anteriores la citan. Las respuestas quedan; sus marcas llevan a las versiones conservadas.
}
collections-delete-last = No hay nada más en el índice. Por eso la versión en servicio se queda hasta que se lea otra cosa.
collections-delete-kept = Lo leído de ella queda en <code>data/</code>, para que añadirla de nuevo sea rápido. Para borrarla en todas
    partes, con prueba: <code>rag forget { $id }</code>.
collections-delete-gate = Si en ella se apoyan preguntas de sus conjuntos, la comprobación rechaza la próxima versión hasta que las quite.
collections-type-name = Escriba { $name } para confirmar

## Seguir una sincronización

collections-sync = Sincronizar ahora
collections-sync-help = Lee lo que es nuevo, lo comprueba y lo publica.
collections-sync-local = Sincronizar sin Dagster
collections-cancel = Cancelar
collections-look-again = Volver a mirar
collections-in-dagster = Ver la ejecución en Dagster
collections-ready = Preparando
collections-stage = { $stage ->
    [sync] Preparando
    [fetch] Trayendo
    [extract] Leyendo
    [chunk] Cortando
    [embed] Incrustando
    [index] Construyendo el índice
    [evaluate] Evaluando
    [publish] Publicando
   *[other] { $stage }
}
collections-stage-of = { $stage }: { $done } de { $total }
collections-rate = { $rate } por segundo
collections-left = en total quedan unos { $time }
collections-waits = Espera a la sincronización en marcha; después se lee junto todo lo que espera
collections-joined = Se están leyendo otras fuentes de esta sincronización
collections-run-queued = Espera su turno en Dagster
collections-run-starting = Dagster está arrancando la ejecución
collections-run-canceling = La ejecución está terminando
collections-run-by = empezada { $age }
collections-waiting = Los archivos nuevos se encuentran tras la próxima sincronización.
collections-synced = Última sincronización { $age }.
collections-never = todavía sin leer
collections-failed = La última sincronización ({ $age }) falló: { $reason }
collections-canceled = La última sincronización se canceló ({ $age }). Lo terminado está guardado; la próxima sigue desde ahí.
collections-refused = La última sincronización ({ $age }) no se publicó: { $reason }
collections-paused-note = Esta fuente está en pausa: ningún horario la lee. Reanúdela para seguir.
collections-down = <b>{ $why }.</b> Arránquelo con <code>make up</code>, o con <code>dg dev</code> en
    la carpeta del espacio de trabajo. Hasta entonces puede sincronizar sin él.
collections-interrupted = Una ejecución empezada { $age } estaba en marcha cuando Dagster desapareció, y ya nadie trabaja en
    ella. Lo terminado está guardado; la próxima sincronización sigue desde ahí.
collections-lost = <b>La ejecución ha muerto.</b> Dagster la da todavía por viva, pero su proceso ya no existe. Lo terminado
    está guardado; retírela y sincronice de nuevo.
collections-clear = Retirarla
collections-idle = El servidor web de Dagster responde, pero su daemon no funciona, así que la ejecución espera. Arranque ambos con
    <code>make up</code> o <code>dg dev</code>, o cancele la ejecución y sincronice sin Dagster.
collections-busy = Sigue fuera de Dagster, por eso no se puede cancelar aquí.

## Fuentes

collections-add = Añadir una fuente
collections-sources-empty = <h3>Todavía no se lee nada</h3>Una fuente es lo que esta plataforma lee y mantiene al día: un canal, un sitio,
    una carpeta, un portal tras un inicio de sesión, las filas de una base de datos. Añada una, vea de antemano qué se leería y guárdela.
collections-sources-empty-editor = <h3>Todavía no hay fuentes para usted</h3>Una fuente es lo que esta plataforma lee y mantiene al
    día. Añada un canal, un sitio o un portal; la administración también puede añadir carpetas y bases de datos.
collections-find-source = Buscar una fuente
collections-kind = { $kind ->
    [feed] Canal
    [web] Sitio
    [portal] Portal
    [folder] Carpeta
    [sql] Base de datos
    [objects] Bucket
    [upload] Archivos subidos
    [more] Todas las clases
   *[other] { $kind }
}
collections-gallery-about = Todo lo que puede ser una fuente, también lo que no tiene formulario. La administración pone la tabla en
    <code>rag.toml</code>, o en un archivo para <code>rag source add</code>, y la cambia; lo que aparece como
    <code>$&#123;secret:name&#125;</code> se guarda con <code>rag secret set name</code>.
collections-gallery-reads = { $kind ->
    [feed] Canales RSS, Atom o JSON, con las páginas de sus artículos.
    [web] Páginas de un sitio: de su mapa, siguiendo sus enlaces, o una lista.
    [portal] Un sitio tras un inicio de sesión, como un portal de cursos.
    [folder] Archivos bajo una carpeta de esta máquina.
    [sql] Filas de una base de datos, un documento cada una.
    [objects] Archivos de un bucket: S3 y otros almacenes.
    [upload] Archivos que alguien pone aquí.
    [git] Archivos de un repositorio Git, también las wikis de GitLab y Gitea.
    [imap] El correo de una cuenta, por conversaciones.
    [webdav] Archivos de un servidor WebDAV, como Nextcloud.
    [mediawiki] Páginas de un MediaWiki, como Wikipedia.
    [store] Lo que han indexado Chroma, Qdrant, pgvector, LanceDB, LlamaIndex o LangChain.
    [dlt] Lo que lee cualquier fuente de dlt: API REST declaradas, tablas, archivos, cientos de servicios.
    [llamahub] Lo que lee cualquier lector de LlamaHub: Confluence, Notion, Slack, Drive, SharePoint, Jira y más.
   *[other] { $reads }
}
collections-gallery-add = Añadir una fuente de la clase { $kind }
collections-gallery-missing = Sin instalar: los extras { $extras }, que parte de ella necesita.
collections-gallery-broken = Su paquete no se puede usar: { $reason }
collections-gallery-own = Para todo lo demás, <code>rag source new-kind</code> escribe un paquete con una clase propia, que
    funciona y tiene sus pruebas.
collections-kind-about = { $kind ->
    [feed] Canales RSS, Atom o JSON, con las páginas de sus artículos.
    [web] Páginas de un sitio: de su mapa, siguiendo sus enlaces, o una lista.
    [portal] Un sitio tras un inicio de sesión, como un portal de cursos.
    [folder] Archivos bajo una carpeta de esta máquina.
    [sql] Filas de una base de datos, un documento cada una.
   *[other] { $kind }
}
collections-paused = en pausa
collections-late = con retraso
collections-running = en marcha
collections-some-failed = { $count } fallaron
collections-read-at = leída { $age }
collections-next-at = próxima { $when }
collections-unscheduled = sin horario
collections-in-minutes = en { $count } min
collections-in-hours = en { $count } h
collections-in-days = en { $count } días
collections-pause = Pausar
collections-resume = Reanudar
collections-pause-help = Los horarios la dejan fuera hasta que alguien la reanude.
collections-settings = Sus ajustes
collections-failures = Qué falló
collections-failures-more = … y { $count } más
collections-as-they = Los demás lectores ven de ello lo que pueden leer.

## El formulario de una fuente nueva

collections-add-title = Añadir una fuente
collections-which = ¿Qué es?
collections-more = Más ajustes
collections-preview = Ver de antemano qué se leería
collections-previewing = Mirando lo que la fuente lista …
collections-preview-again = Ver de nuevo de antemano
collections-preview-stop = Detener
collections-preview-none = No se guarda nada: la vista previa solo lista lo que leería una sincronización.
collections-preview-count = { $cut ->
    [yes] Se leerían al menos { $count }.
   *[no] { $count ->
        [0] No se leería nada.
        [one] Se leería un documento.
       *[other] Se leerían { $count } documentos.
    }
}
collections-preview-took = Listado en { $seconds } s; no se guardó nada.
collections-preview-more = … y { $count } más
collections-preview-failed = <b>Así no se puede leer.</b> { $reason }
collections-preview-part = No se pudo listar:
collections-preview-old = El formulario cambió desde esta vista previa.
collections-save-source = Añadir la fuente
collections-mend = Corrija primero lo señalado arriba.
collections-added-source = Se añadió { $id }. Pulse «Sincronizar ahora» para leerla.
collections-local-only = Las carpetas y las bases de datos están en esta máquina o en su red, por eso solo la administración puede añadirlas.

collections-field-id = Nombre
collections-help-id = En filtros, informes y Dagster. No se puede cambiar después.
collections-field-address = Dirección del canal
collections-field-others = Más canales
collections-help-others = Una dirección en cada línea.
collections-field-articles = Leer las páginas de los artículos, no solo el texto del canal
collections-field-max_age_days = Omitir entradas más antiguas que (días)
collections-field-allow_private = Está en la propia red de esta máquina
collections-help-allow_private = Las direcciones privadas se rechazan si esto no está activado.
collections-field-way = Cómo se encuentran sus páginas
collections-way-sitemap = Mapa del sitio
collections-way-crawl = Seguir enlaces
collections-way-urls = Lista de páginas
collections-field-sitemap = Dirección del mapa del sitio
collections-field-crawl = Página por la que empezar
collections-help-crawl = Se siguen sus enlaces, dentro de la carpeta en que está.
collections-field-urls = Páginas
collections-help-urls = Una dirección en cada línea.
collections-field-include = Solo lo que encaje con
collections-help-include = Patrones como **/*.pdf, uno en cada línea. Vacío: todo.
collections-field-exclude = Omitir lo que encaje con
collections-help-exclude = Patrones como **/drafts/**, uno en cada línea.
collections-field-limit = Páginas como mucho
collections-field-javascript = Sus páginas las hacen scripts: abrirlas en un navegador
collections-field-url = { $kind ->
    [sql] Dirección de la base de datos
   *[other] Dirección del portal
}
collections-field-profile = Clase de portal
collections-profile-generic = Cualquiera
collections-field-user = Usuario
collections-field-password = Contraseña
collections-help-password = Se guarda cifrada entre los secretos, nunca en rag.toml, y no vuelve a mostrarse.
collections-field-logged_in = Texto que solo ve quien ha iniciado sesión
collections-field-depth = A cuántos enlaces de distancia se leen páginas
collections-field-path = Carpeta
collections-help-path = Una ruta de esta máquina; una relativa empieza en la carpeta del espacio de trabajo.
collections-field-query = Consulta
collections-field-key = Columna que identifica una fila
collections-field-title-sql = Título
collections-field-template = Texto de un documento
collections-help-template = Markdown; {"{"}column{"}"} se sustituye por el valor de la fila.
collections-field-uri = Dirección de una fila
collections-field-cursor = Columna que cambia siempre que cambia la fila
collections-field-published_at = Columna de la fecha
collections-field-updated_at = Columna del último cambio
collections-field-schedule = Leerla de nuevo
collections-schedule-none = Solo cuando se pida
collections-schedule-quarter = Cada 15 minutos
collections-schedule-hour = Cada hora
collections-schedule-day = Cada día a las 06:00 UTC
collections-schedule-week = Cada lunes a las 06:00 UTC
collections-schedule-own = A horas propias
collections-field-cron = Horas, como las dice cron (UTC)
collections-field-language = Idioma de sus textos
collections-field-comments = Conservar lo que escribieron los lectores bajo sus páginas
collections-field-page_text = Texto de PDF e imágenes de
collections-help-page_text = Donde la capa de texto de una página falta o es mala, se lee su imagen. Un modelo de visión solo lee donde hay uno configurado.
collections-page_text-auto = Lo que sea mejor
collections-page_text-layer = La capa de texto
collections-page_text-ocr = Reconocimiento
collections-page_text-vision = Modelo de visión
collections-field-half_life_days = Antigüedad a la que un documento cuenta la mitad (días)
collections-field-fresh_within_hours = Con retraso si no se lee en (horas)
collections-field-principals = Quién puede leerla
collections-help-principals = Nadie elegido: todos. Solo se ofrecen grupos y personas como los que usted mismo lee.

collections-wrong-missing = Esto es necesario.
collections-wrong-taken = Ya hay una fuente { $id }. Elija otro nombre.
collections-wrong-id = Letras minúsculas, cifras, - y _, empezando por una letra o una cifra; 63 como mucho.
collections-wrong-address = «{ $given }» no es una dirección web. Empieza por https:// o http:// y nombra un host.
collections-wrong-password = Deje la contraseña fuera de la dirección: se podría leer en rag.toml. Escríbala abajo, donde hay un campo para ella.
collections-wrong-placeholder = Los nombres de secretos solo valen en el propio rag.toml. Escriba la contraseña en su campo.
collections-wrong-database = La dirección de una base de datos es como postgresql+psycopg://reader@db.example.org/desk o sqlite:///data/desk.sqlite.
collections-wrong-user = Con contraseña, la dirección nombra al usuario: postgresql+psycopg://reader@db.example.org/desk.
collections-wrong-cron = Cinco campos: minuto, hora, día, mes, día de la semana. «30 7 * * 1-5» son las 07:30 de lunes a viernes.
collections-wrong-number = Un número mayor que cero.
collections-wrong-folder = No hay tal carpeta en esta máquina.
collections-wrong-kind = Solo la administración puede añadir fuentes de esta clase.

## Ajustes de una fuente de cualquier clase

collections-change = Cambiar
collections-change-title = Ajustes de { $id }
collections-change-about = Una fuente de la clase <code>{ $kind }</code>. Los campos tienen los nombres que tienen en
    <code>rag.toml</code>; lo que queda vacío es como de costumbre. Una contraseña nunca se muestra: un campo vacío conserva la que
    hay. <code>principals</code> vale desde la próxima pregunta, lo demás desde la próxima sincronización.
collections-change-by-file = Aquello con que lee una fuente de la clase <code>{ $kind }</code> puede ser cualquier programa, por eso
    solo se cambia en <code>rag.toml</code>.
collections-changed = { $count ->
        [0] Nada era distinto que antes.
        [one] Se cambió un ajuste.
       *[other] Se cambiaron { $count } ajustes.
    }
collections-add-by-settings = Una fuente de la clase <code>{ $kind }</code>. Los campos tienen los nombres que tienen en
    <code>rag.toml</code>; los que llevan asterisco son necesarios. Una contraseña se guarda cifrada, y el archivo solo la nombra.
collections-secret-kept = Queda como está
collections-hint-lines = Uno en cada línea
collections-hint-json = Como JSON
collections-not-set = Como de costumbre
collections-ask = Preguntar sobre estos documentos
