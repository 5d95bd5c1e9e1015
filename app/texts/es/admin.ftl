## Administración

admin-title = Administración
admin-part = Parte de esta vista
admin-people = Personas
admin-reading = Quién lee qué
admin-limits = Límites
admin-servers = Modelos
admin-backups = Copias de seguridad
admin-who = Quién
admin-why = Por qué
admin-name = Nombre
admin-name-hint = user:ilse@example.org o group:data

## Personas

admin-people-about = Todos los que nombran los ajustes, los grupos, las reglas, las fuentes o los tokens, o que vinieron hace poco. Qué se
    mostró a quién, y quién cambió lo que se puede leer, está en <a href="operate?part=audit" target="_self">Operación</a>.
admin-find = Buscar un nombre
admin-nobody = Todavía no se nombra a nadie. Las fuentes sin <code>principals</code> son públicas.
admin-role = Papel
admin-groups = En los grupos
admin-known-by = Se conoce por
admin-by-settings = un papel
admin-by-group = un grupo
admin-by-rule = una regla
admin-by-source = una fuente
admin-by-token = un token
admin-by-seen = una visita
admin-seen = visto { $age }
admin-members = contiene a { $names }
admin-role-admin = Administración
admin-role-editor = Redacción
admin-role-reader = Lectura
admin-role-none = Ninguno
admin-give-role = Dar un papel
admin-role-about = Se escribe en <code>[access]</code> de <code>rag.toml</code>. Los grupos cuentan como los nombra el proveedor de
    identidad cuando alguien inicia sesión.
admin-give = Dar
admin-role-given = Se cambió el papel de { $name }.
admin-group-change = Cambiar un grupo
admin-group-about = Además de los grupos que trae el inicio de sesión. Cuenta desde la próxima pregunta.
admin-group = Grupo
admin-member = Quién está en él
admin-join = Meter
admin-leave = Sacar
admin-joined = { $member } está ahora en { $group }.
admin-left = { $member } ya no está en { $group }.

## Quién lee qué

admin-reading-about = Qué puede leer alguien ahora, y por cuál de sus nombres. Sin nombre: lo que es público.
admin-also-in = También en estos grupos
admin-also-in-help = Grupos del proveedor de identidad con los que aún no se le ha visto.
admin-see-as = Ver como { $name }
admin-reads-as = Lee como { $names }.
admin-source = Fuente
admin-may-read = Puede leer
admin-of = { $documents } de { $of }
admin-because = Porque la fuente deja entrar a
admin-because-own = lo dicen los propios documentos o reglas
admin-because-no = ninguno de estos nombres
admin-rules = Reglas que los nombran
admin-rule = Regla
admin-rule-about = Sobre
admin-document = Un documento
admin-document-address = Su dirección, el final de ella, o su id
admin-document-none = Ningún documento se llama así. { $reason }
admin-document-yes = Puede leerlo.
admin-document-no = No puede leerlo.

## Tokens

admin-tokens-about = Con un token un programa pregunta por HTTP, en nombre de aquel para quien se hizo y de nadie más.
admin-no-tokens = Todavía no hay ningún token.
admin-token-new = Crear un token
admin-token-make = Crearlo
admin-token-once = Este es el token <b>{ $name }</b>. Se muestra esta única vez: cópielo ahora.
admin-token-noted = Ya lo he copiado
admin-token-which = Cuál
admin-scopes = Puede
admin-scope-read = buscar y leer
admin-scope-ask = hacer escribir respuestas
admin-scope-edit = cambiar colecciones y empezar sincronizaciones
admin-scope-widget = preguntar por el widget, nada más
admin-scope-metrics = mirar las métricas, nada más
admin-scope-admin = todo
admin-reads = Lee como
admin-reads-help = Personas y grupos. Ninguno: lee lo que es público.
admin-public = lo que es público
admin-limited = Solo estas colecciones
admin-unlimited = todas las colecciones
admin-made = Creado
admin-made-by = { $age } por { $who }
admin-revoke = Revocar
admin-revoke-means = A quien lo tenga se le rechaza de inmediato. Puede deshacerlo durante diez segundos.

## Límites

admin-limits-about = Se escribe en <code>rag.toml</code>. Esta página lo obedece de inmediato; un servidor que ya funciona, cuando se
    reinicie.
admin-limits-access = Lo que puede hacer una persona
admin-limits-answer = Lo que puede costar una respuesta
admin-limits-generator = Lo que puede escribir el modelo de lenguaje

## Modelos y servidores

admin-servers-about = A cada uno se le envía una petición real y pequeña; se muestra lo que vuelve, o el error.
admin-try = Probar
admin-trying = Esperando una respuesta …
admin-answers = Responde
admin-fails = Falla
admin-here = en este proceso
admin-first-model = el primer modelo del servidor
admin-sort-language = Modelo de lenguaje
admin-sort-embedding = Modelo de incrustación
admin-sort-reranking = Reordenador
admin-sort-transcription = Transcripción
admin-key-set = clave en { $name }
admin-key-missing = sin clave en { $name }
admin-no-server = No hay ningún modelo de lenguaje configurado: las respuestas son citas. Nombre uno en <code>[generator]</code> de
    <code>rag.toml</code>.

## Copias de seguridad

admin-backups-about = Una copia de todo el espacio de trabajo tal como está, mientras se usa. Lo que ya está allí no se copia de nuevo.
    Las contraseñas y las claves no están en ella.
admin-backup-target = Adónde: una carpeta, o una dirección como s3://bucket/folder
admin-backup-keep = Cuántas quedan
admin-backup-make = Hacer una copia
admin-backup-begun = La copia ha empezado.
admin-backup-running = Está en marcha …
admin-backup-never = Desde aquí todavía no se ha hecho ninguna copia.
admin-backup-well = La última copia terminó { $when }: { $size } en { $target }.
admin-backup-failed = La última copia falló, { $when }: { $reason }
admin-backup-verify = Releer todas las copias
admin-verify-begun = La comprobación ha empezado.
admin-verify-never = Desde aquí todavía no se ha releído ninguna copia.
admin-verify-well = { $count ->
        [one] La copia se releyó { $when } y está entera.
       *[other] Las { $count } copias se releyeron { $when } y están enteras.
    }
admin-verify-failed = Hay copias dañadas, según se vio { $when }: { $reason } La próxima copia vuelve a copiar lo que falta.
admin-backup-unreadable = Lo que hay allí no se puede leer. { $reason }
admin-backup-empty = Allí todavía no se ha copiado nada.
admin-backup-copies = { $count ->
        [one] Hay una copia
       *[other] Hay { $count } copias
    }
admin-backup-live = Versión en servicio
admin-backup-size = Tamaño
admin-files = Archivos
