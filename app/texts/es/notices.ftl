## Qué no está en servicio y por qué

notice-refused = Rechazada
notice-held = Retenida
notice-rollback = La publicación está parada
notice-overridden = Publicada a pesar de todo
notice-late = Con retraso
notice-waiting = No está en servicio
notice-more = { $count ->
        [one] 1 motivo más
       *[other] { $count } motivos más
    }
notice-examples = Documentos uno junto a otro
notice-before = Como está en servicio
notice-after = Como se leyó la última vez
notice-not-there = (nada)
notice-reason = Motivo
notice-reason-missing = Diga por qué; queda en el registro.
notice-hold-title = ¿Retener { $source }?
notice-hold-means = <code>{ $source }</code> queda como está en servicio hasta que alguien la libere, se lea lo que se lea de ella
    entretanto. Las demás fuentes siguen.
notice-hold-now = Retenerla
notice-publish-title = ¿Publicar { $source } a pesar de todo?
notice-publish-means = La gente recibe entonces <code>{ $source }</code> como se leyó la última vez, digan lo que digan las comprobaciones. Solo
    pasa este estado: uno posterior se juzga de nuevo.
notice-publish-now = Publicarla
notice-done = { $source }: se está construyendo una versión.
