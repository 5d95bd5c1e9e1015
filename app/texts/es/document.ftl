## Un documento: su texto, su original y lo que se sabe de ambos

document-tabs = Vistas de este documento
document-tab-text = Texto
document-tab-about = Acerca de
document-tab-history = Historia
document-tab-passages = Pasajes
document-tab-cited = Citado por

document-gone = <h3>Este documento no está aquí</h3>Puede que se haya quitado desde que se citó, o usted no puede leerlo.
document-search = Buscar
document-removed = Este documento se ha quitado; este es su texto en la versión { $version }.
document-older = Así era el documento en la versión { $version }.
document-newest = Leerlo como es hoy
document-changed = Este documento ha cambiado desde que se citó; el pasaje puede haberse movido.
document-changed-read = Leerlo como se citó
document-no-such-version = La dirección nombra una versión que no tiene este documento, o que usted no puede leer.
document-no-such-span = La dirección nombra un pasaje que no está en este texto.
document-instructs = Este documento { $how }

document-line-owner = de { $owner }
document-line-published = publicado el { $date } ({ $age })
document-line-updated = actualizado el { $date } ({ $age })
document-line-fetched = leído el { $date } ({ $age })

document-contents = Contenido
document-contents-more = { $count ->
        [one] y un título menor
       *[other] y { $count } títulos más
    }
document-page-mark = Página { $page }
document-earlier = ‹ Anterior
document-later = Siguiente ›
document-share = del { $start } % al { $end } % del texto

document-original-opening = Abriendo el original
document-original-title = El original de { $title }
document-original-none = <h3>El original no se puede mostrar</h3>{ $reason }.
document-original-file = <h3>{ $name }</h3>Un navegador no puede mostrar este tipo de archivo. Su texto es lo que se leyó de él; descárguelo
    para ver el propio archivo.
document-original-unmarked = Las palabras citadas no se encontraron en el original. Están en el texto.
document-page-alt = Página { $page } de { $pages } de { $title }, tal como se dibuja; sus palabras están en el texto
document-image-alt = { $title }, tal como se dibuja; las palabras reconocidas están en el texto
document-page = Página
document-page-of = de { $pages }
document-download = Descargar
document-at-source = Abrir en su fuente

document-readers = Quién puede leerlo
document-readers-are = Lectores
document-readers-by = Según
document-readers-denied = No
document-readers-allow = { $who } puede
document-readers-deny = { $who } no puede
document-readers-everyone = todos
document-readers-nobody = nadie
document-close = Cerrarlo
document-close-note = Nadie encontrará ni abrirá este documento a partir de ahora, en ninguna versión, tampoco usted. No se quita: en Operación,
    Acceso, se deshace.
document-close-why = Por qué, para el registro
document-close-now = Cerrarlo ahora

document-about-title = Título
document-about-author = Autor
document-about-owner = Dueño
document-about-language = Idioma
document-about-published = Publicado
document-about-updated = Actualizado
document-about-fetched = Leído de su fuente
document-about-collection = Colección
document-about-source = Fuente
document-about-address = Dirección
document-about-type = Tipo
document-about-pages = Páginas
document-about-characters = Caracteres
document-about-passages = Pasajes
document-about-parser = Lector
document-about-stage = Clave de la etapa
document-about-revision = Revisión
document-about-raw = SHA-256 de los bytes
document-about-run = Ejecución que lo trajo
document-about-version = Versión del índice
document-about-ids = Identificadores
document-about-tags = Etiquetas
document-about-flags = Señales
document-about-losses = No conservado del archivo

document-history-one = <h3>Se conoce una revisión</h3>Cuando el documento cambie en su fuente, aquí se muestran ambos textos, con lo que
    cambió entre ellos, mientras se conserve una versión que contenga el anterior.
document-history-newest = la más nueva
document-history-built = indexada el { $date } ({ $age })
document-history-length = { $count } caracteres
document-history-versions = { $count ->
        [one] en la versión { $newest }
       *[other] en { $count } versiones, la última { $newest }
    }
document-history-read = Leerla
document-history-compare = Comparar con la anterior
document-history-old = De
document-history-new = A
document-history-equal = <h3>Sin diferencia</h3>Estos dos textos son iguales.
document-history-changed = { $places ->
        [one] Cambió un lugar
       *[other] Cambiaron { $places } lugares
    }: { $gone ->
        [one] una línea quitada
       *[other] { $gone } líneas quitadas
    }, { $came ->
        [one] una línea añadida
       *[other] { $came } líneas añadidas
    }.
document-history-more = … y { $count } líneas más
document-list-before = ‹ Antes
document-list-after = Después ›
document-list-part = { $part } de { $parts }

document-passages-none = <h3>Sin pasajes</h3>En este documento hay demasiado poco texto para buscar en él.
document-passages-told = { $count ->
        [one] Un pasaje: lo que encuentra una búsqueda es este texto.
       *[other] { $count } pasajes: lo que encuentra una búsqueda es uno de estos.
    }
document-passage-span = caracteres { $start } a { $end }
document-passage-no-section = Sin título
document-passage-show = Mostrar en el texto
document-passage-show-n = Mostrar el pasaje { $number } en el texto

document-cited-none = <h3>Ninguna respuesta suya cita este documento</h3>Cuando una lo haga, aparecerá aquí con lo que citó.
document-cited-others = { $count ->
        [0] No lo cita ninguna respuesta dada a otros.
        [one] Lo cita una respuesta dada a otra persona.
       *[other] Lo citan { $count } respuestas dadas a otros.
    }
document-cited-version = de la versión { $version }
document-cited-show = Mostrar en el texto
document-ask = Preguntar sobre este documento
document-ask-selected = Preguntar sobre esto
document-attached = adjunto a un chat suyo; solo usted lo ve
