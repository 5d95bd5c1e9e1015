## Was nicht veröffentlicht ist, und warum

notice-refused = Abgelehnt
notice-held = Angehalten
notice-rollback = Veröffentlichen ist ausgesetzt
notice-overridden = Trotzdem veröffentlicht
notice-late = Verspätet
notice-waiting = Nicht veröffentlicht
notice-more = { $count ->
        [one] 1 weiterer Grund
       *[other] { $count } weitere Gründe
    }
notice-examples = Dokumente nebeneinander
notice-before = Wie es veröffentlicht ist
notice-after = Wie es zuletzt gelesen wurde
notice-not-there = (nichts)
notice-reason = Grund
notice-reason-missing = Sagen Sie, warum; es steht im Protokoll.
notice-hold-title = { $source } anhalten?
notice-hold-means = <code>{ $source }</code> bleibt, wie es veröffentlicht ist, bis jemand es freigibt, was immer inzwischen
    gelesen wird. Die anderen Quellen gehen weiter.
notice-hold-now = Anhalten
notice-publish-title = { $source } trotzdem veröffentlichen?
notice-publish-means = Dann bekommen alle <code>{ $source }</code>, wie es zuletzt gelesen wurde, was immer die Prüfungen dazu
    sagen. Nur dieser Stand geht durch: Ein späterer wird wieder beurteilt.
notice-publish-now = Veröffentlichen
notice-done = { $source }: Eine Version wird gebaut.
