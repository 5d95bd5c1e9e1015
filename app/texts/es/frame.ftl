## Lo que comparten todas las vistas

frame-machine-made = Una máquina tradujo esta interfaz; nadie que hable español la ha revisado todavía.

frame-title = Pregunte a sus documentos
frame-views = Vistas
frame-ask = Preguntar
frame-search = Buscar
frame-collections = Colecciones
frame-document = Documento
frame-watches = En seguimiento
frame-assistants = Asistentes
frame-grids = Tablas
frame-quality = Calidad
frame-operate = Operación
frame-admin = Administración
frame-eyes = Lo ve todo con los ojos de <b>{ $name }</b>. Nada se escribe en ese nombre.
frame-eyes-end = Ver como usted
frame-opening = Abriendo el espacio de trabajo …

frame-nothing-published = <h3>Todavía no hay nada publicado</h3>Suelte archivos o añada una fuente en
    <a class="inner" href="collections" target="_self">Colecciones</a> y pulse <b>Sincronizar ahora</b>. Esta página mostrará la primera versión en cuanto esté en servicio.
frame-look-again = Volver a mirar
frame-failed = <h3>No ha funcionado</h3>{ $reason }
frame-try-again = Intentar de nuevo
frame-unexpected = Ha ocurrido algo que no debía. Está en el registro de quien mantiene esta página.
frame-may-not = <h3>Esto es para { $role ->
        [admin] la administración
       *[editor] la redacción
    }</h3>Usted es { $name } y puede { $own ->
        [reader] buscar y preguntar
       *[editor] buscar, preguntar y cuidar de las colecciones, las fuentes y la calidad
    }. Quien mantiene esta página da los papeles en <code>[access]</code> de <code>rag.toml</code>.
frame-too-many = Demasiadas { $kind ->
        [questions] preguntas
       *[searches] búsquedas
    } a la vez. Inténtelo de nuevo en { $seconds ->
        [one] un segundo
       *[other] { $seconds } segundos
    }.

frame-version = Versión <code>{ $version }</code>{ $since } · { $documents ->
        [one] { $documents } documento
       *[other] { $documents } documentos
    }
frame-since = { " · " }publicada { $age }

## Iniciar sesión

frame-welcome = <h1>Inicie sesión para preguntar</h1><p>Sus documentos se muestran a quienes pueden leerlos. Inicie sesión para que esta
    página sepa quién es.</p>
frame-sign-in = Iniciar sesión
frame-sign-out = Cerrar sesión
frame-leave = Mis preguntas pueden ayudar a mejorar la búsqueda
frame-leave-help = Algunas se guardan entonces sin su nombre, para comparar versiones nuevas de la búsqueda. Se omiten las palabras que no están en documentos públicos, como la mayoría de los nombres, direcciones y números. Al desactivarlo se borra también lo guardado.
frame-sign-in-again = Iniciar sesión de nuevo
frame-other-account = Usar otra cuenta
frame-expired = <h3>Se ha cerrado su sesión</h3>{ $reason }. Lo que escribió no se ha perdido.
frame-denied = <h3>Esta página no está abierta para usted</h3>{ $reason }.
frame-you = { $id }<br>Puede { $role }.
frame-role-reader = buscar y preguntar
frame-role-editor = buscar, preguntar y cuidar de las colecciones, las fuentes y la calidad
frame-role-admin = hacerlo todo
frame-read-as = <br>También lee como { $groups }.

## La entrada de quien mantiene la página

frame-link-used = Este enlace ya se usó, ha caducado o nunca lo fue. `rag link` imprime otro.
frame-foreign-host = A esta página no se la llama { $host }. Nombre ese host en [http] hosts de rag.toml si ha de ser así.
frame-foreign-page = Se rechazan las peticiones de páginas de { $origin }.
frame-visiting = Ve lo que es público. Para gestionar esta página, abra el enlace que imprime <code>rag link</code>.

## Cuándo, y dónde en un documento

frame-age-future = en el futuro
frame-age-now = ahora mismo
frame-age-year = { $count ->
        [one] hace 1 año
       *[other] hace { $count } años
    }
frame-age-month = { $count ->
        [one] hace 1 mes
       *[other] hace { $count } meses
    }
frame-age-day = { $count ->
        [one] hace 1 día
       *[other] hace { $count } días
    }
frame-age-hour = { $count ->
        [one] hace 1 hora
       *[other] hace { $count } horas
    }
frame-age-minute = { $count ->
        [one] hace 1 minuto
       *[other] hace { $count } minutos
    }
