## What is not live and why

notice-refused = Refused
notice-held = Held
notice-rollback = Publication is off
notice-overridden = Published nevertheless
notice-late = Late
notice-waiting = Not live
notice-more = { $count ->
        [one] 1 more reason
       *[other] { $count } more reasons
    }
notice-examples = Documents side by side
notice-before = As it is live
notice-after = As it was read last
notice-not-there = (nothing)
notice-reason = Reason
notice-reason-missing = Say why; it stands in the log.
notice-hold-title = Hold { $source }?
notice-hold-means = <code>{ $source }</code> stays as it is live until somebody releases it, whatever is read of it
    meanwhile. The other sources go on.
notice-hold-now = Hold it
notice-publish-title = Publish { $source } nevertheless?
notice-publish-means = People then get <code>{ $source }</code> as it was read last, whatever the checks say of it. Only
    this state passes: a later one is judged again.
notice-publish-now = Publish it
notice-done = { $source }: a version is being built.
