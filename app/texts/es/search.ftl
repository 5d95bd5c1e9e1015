## Buscar

search-box = Busque en sus documentos
search-go = Buscar
search-mode = Buscar por
search-mode-rerank = Lo mejor
search-mode-hybrid = Rápido
search-mode-lexical = Palabras
search-mode-vector = Significado
search-mode-help = { $mode ->
        [rerank] Palabras y significado, con los mejores pasajes reordenados
        [hybrid] Palabras y significado, sin reordenar
        [lexical] Solo pasajes que contienen sus palabras
       *[vector] Solo por lo que significan los pasajes, con las palabras que sea
    }
search-match = Debe contener
search-match-any = Algo de ello
search-match-all = Todas las palabras
search-match-exact = El texto exacto
search-match-part = Partes de palabras
search-match-help = { $match ->
    [all] cada palabra de la pregunta, en cualquier forma
    [exact] el texto de la pregunta tal como está escrito
    [part] el texto de la pregunta, también dentro de palabras: para códigos y nombres
   *[other] algunas de sus palabras, o lo que significa
    }
search-try-match = Buscar <a href="{ $address }" target="_self">algo de ello</a>
search-sort = Ordenar
search-sort-relevance = Por relevancia
search-sort-date = Lo más nuevo primero

search-filters = Filtros
search-facet-collection = Colección
search-facet-source = Fuente
search-facet-type = Tipo
search-facet-language = Idioma
search-facet-tag = Etiquetas, todas ellas
search-facet-since = Fecha
search-age = Antigüedad
search-archived = Archivado
search-archived-help = Solo lo archivado por su antigüedad, en lugar de los demás documentos
search-limit-since = desde { $value }
search-limit-until = hasta { $value }
search-remove = Quitar este filtro
search-remove-all = Quitarlos todos
search-more-choices = { $count } más
search-past-week = Última semana
search-past-month = Último mes
search-past-year = Último año
search-from = Desde
search-to = Hasta
search-set = Aplicar

search-results = Resultados
search-found = { $documents ->
        [one] { $documents } documento
       *[other] { $documents } documentos
    }
search-found-best = { $documents ->
        [one] El mejor documento
       *[other] Los { $documents } mejores documentos
    }
search-newest-note = Lo más nuevo primero, entre { $documents ->
        [one] el documento que mejor responde
       *[other] los { $documents } documentos que mejor responden
    }
search-quick = Orden rápido mientras escribe. <kbd>Enter</kbd> reordena.
search-looking = Reordenando …
search-busy = Muchos buscan ahora mismo: este es el orden rápido. <kbd>Enter</kbd> intenta reordenar otra vez.
search-understood = Entendido como: { $query }
search-nearest = Nada aquí parece responder a esto. Los pasajes más cercanos:
search-instructs = Este documento intenta dar instrucciones a su lector.
search-page-of = página { $page }
search-pages = Páginas de resultados
search-page = Página { $page }
search-previous = Anterior
search-next = Siguiente
search-last = Estos son los { $count } mejores. Para ver otros, acote la búsqueda con un filtro o con más palabras.

search-nothing = No se encontró nada
search-nothing-relevant = No se encontró nada relevante
search-try-spelling = Revise la ortografía, o use otras palabras o menos.
search-try-meaning = <a href="{ $address }" target="_self">Buscar también por significado</a>, no solo por palabras.
search-try-without = Sin el filtro <b>{ $filter }</b>
        { $documents ->
            [one] responde <a href="{ $address }" target="_self">un documento</a>.
           *[other] responden <a href="{ $address }" target="_self">{ $documents } documentos</a>.
        }
search-try-clear = <a href="{ $address }" target="_self">Quitar todos los filtros</a>.

search-welcome = <h1>Buscar</h1><p>{ $documents ->
            [one] Un documento
           *[other] { $documents } documentos
    } por sus palabras y por lo que significan. Los resultados llegan mientras escribe.</p>
search-syntax-title = Qué puede escribir
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>estas palabras, sus formas y lo que significa lo mismo</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>exactamente estas palabras seguidas</dd></div>
    <div><dt><code>*4471*</code></dt><dd>esta parte de una palabra, un código o un nombre</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>solo de ahí; también <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>no más antiguo; <code>before:</code> para no más nuevo</dd></div>
    <div><dt><code>-draft</code></dt><dd>sin esta palabra</dd></div>
    </dl>
search-keys = <kbd>/</kbd> va al cuadro, <kbd>↓</kbd> <kbd>↑</kbd> o <kbd>j</kbd> <kbd>k</kbd> recorren los resultados,
    <kbd>Enter</kbd> abre uno, <kbd>Esc</kbd> vuelve.

## Por qué un resultado tiene su puesto, y por qué un documento no está entre ellos

search-why = Por qué este puesto
search-why-not = ¿Por qué no este documento?
search-why-not-name = Documento
search-why-not-box = Su dirección, o el final de ella
search-why-rank = puesto
search-why-score = puntuación
search-why-probably = probablemente relevante
search-why-lexical = palabras (BM25)
search-why-vector = significado (coseno)
search-why-fused = combinado
search-why-aged = tras su antigüedad
search-why-trusted = tras la confianza en su fuente
search-why-reranked = tras reordenar
search-why-fed-back = tras ampliar con los mejores
search-why-found = Encontrado en el puesto { $rank }
search-why-lost = No está entre los resultados: { $stage }
search-why-passage = pasaje
search-why-passage-n = pasaje { $n }
search-why-ended = fin
search-why-retriever-lexical = palabras
search-why-retriever-vector = significado
search-why-of = { $rank } de { $of }
search-why-more = y { $count } pasajes más
search-end-beyond-k = más abajo
search-end-depth = no es candidato
search-end-aged = antigüedad
search-end-trusted = fuente menos fiable
search-end-reranked = reordenación
search-end-unwanted = degradado
search-end-irrelevant = no relevante
search-also = también en
search-ask-these = Preguntar sobre estos
search-no-collection = En ninguna colección
