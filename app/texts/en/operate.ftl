## Operate: the parts

operate-title = Operate
operate-part = Part of Operate
operate-now = Now
operate-sources = Sources
operate-review = Review
operate-asked = Asked
operate-holding = Storage
operate-costs = Costs
operate-audit = Audit
operate-decided = Access

## Access

operate-no-rules = Nobody has decided anything about who may read: what sources say counts.
operate-rules = Rules
operate-rule-allow = { $who } may read it
operate-rule-deny = { $who } may not read it
operate-rule-remove = Take back
operate-rule-removed = taken back in Operate
operate-changes = Changes
operate-change-when = When
operate-change-who = By
operate-change-what = What
operate-change-why = Why

## Now

operate-running = Running
operate-idle = Nothing is running.
operate-doing = { $stage }{ $source ->
        [none] { "" }
       *[other] { " " }of { $source }
    }, for { $elapsed }
operate-done-of = · { $done } of { $total }
operate-stage-sync = Getting ready
operate-stage-fetch = Fetching
operate-stage-extract = Reading
operate-stage-chunk = Chunking
operate-stage-embed = Embedding
operate-stage-index = Indexing
operate-stage-evaluate = Evaluating
operate-sync-failed = The last sync, { $when }, failed: { $reason }
operate-health = Health
operate-damaged = The live version needs somebody: { $notice }
operate-all-well = Nothing is wrong on this machine or in this workspace.
operate-all-checks = All { $count } checks
operate-level-ok = ok
operate-level-hint = hint
operate-level-wrong = wrong
operate-moves = Moves of the live version
operate-no-moves = Nothing was published yet.
operate-when = When (UTC)
operate-what = What
operate-who = Who
operate-why = Why
operate-promote = { $before } → { $version }
operate-rollback = back: { $before } → { $version }
operate-redact = redacted: { $before } → { $version }

## Sources

operate-no-sources = <h3>There is no source yet</h3>A source is where documents come from: a folder, a feed, a site, a portal, a table.
    Add one under <b>Collections</b>, or in <code>rag.toml</code>.
operate-attention = { $count ->
        [0] All { $of } sources are as they should be.
        [one] 1 of { $of } sources needs attention.
       *[other] { $count } of { $of } sources need attention.
    }
operate-well = OK
operate-look = Needs attention
operate-schedule = schedule { $cron }
operate-no-schedule = no schedule
operate-check-failures = Failures
operate-check-boilerplate = Boilerplate
operate-check-count = Number of documents
operate-check-length = Length of documents
operate-check-languages = Languages
operate-check-freshness = Late
operate-check-instructions = Instructions
operate-check-readable = Not readable
operate-do-failures = See below what failed; what may pass is tried again with the next sync.
operate-do-boilerplate = Look at a few of its documents: is the main text there?
operate-do-count = If that is right, nothing is to be done; else look at the source itself.
operate-do-length = Look at a few of its documents: is the whole text there?
operate-do-languages = Look at a few of its documents: is their text readable?
operate-do-freshness = Sync it under Collections; see whether Dagster runs, and whether the source can be reached.
operate-do-instructions = Read these documents: they try to tell a language model what to do. What they say is never obeyed.
operate-do-readable = Run “rag repair”: it is set aside and made anew.
operate-failures = { $count ->
        [one] 1 item failed
       *[other] { $count } items failed
    }
operate-mend-fetch = Tried again with the next sync.
operate-mend-read = Mend the document where it comes from, then sync.
operate-more = and { $count } more

## Asked

operate-period = Period
operate-days = { $count } days
operate-nothing-asked = <h3>Nothing was asked in this time</h3>As soon as people ask and search, you see here how much a day, what took long, and
    what the documents did not answer.
operate-questions = Questions
operate-unanswered = Not answered
operate-answered = Answered
operate-share = { $percent } of them
operate-searches = Searches
operate-searches-mean = including those made while typing
operate-days-spoken = { $questions } questions in { $days } days, { $unanswered } of them not answered
operate-day = Day (UTC)
operate-by-day = Questions and searches by day
operate-as-table = As a table
operate-median = Median
operate-p95 = 95th percentile
operate-unanswered-part = Not answered
operate-unanswered-mean = What the documents did not hold, grouped by what it is about. Who asked is not shown.
operate-all-answered = Every question of this time was answered.
operate-grouping = Grouping by meaning …
operate-no-model = These are not grouped, because the model cannot be used: { $reason }
operate-most-asked = The { $most } most asked of { $of } different questions.
operate-show-all = Show all { $count }
operate-asked-times = asked { $times ->
        [one] once
       *[other] { $times } times
    }{ $wordings ->
        [one] { "" }
       *[other] { "" } in { $wordings } wordings
    }, last { $last }
operate-times = { $times ->
        [one] once
       *[other] { $times } times
    }
operate-propose = Propose as evaluation question
operate-propose-help = The documents should answer it. It comes to Quality, under Proposed, where an editor picks the words that answer it.
operate-propose-unanswerable = Declining was right
operate-propose-unanswerable-help = The documents need not answer it. It comes to Quality, under Proposed, as a question that has to be declined.
operate-proposed = Proposed. Editors find it under Quality.
operate-slow = Slowest
operate-slow-mean = Who asked is not shown.
operate-stage = Stage
operate-took-total = In all
operate-took-search = Search
operate-took-generate = Writing
operate-took-verify = Checking
operate-question = Question
operate-model = Written by

## Storage

operate-no-data = <h3>Nothing is stored yet</h3>The first sync makes the folder <code>data</code>.
operate-measuring = Measuring …
operate-free = Free on the disk
operate-of-disk = of { $size }
operate-data = In data/
operate-live-index = Live version
operate-chunks = { $count ->
        [one] 1 passage
       *[other] { $count } passages
    }
operate-in-data = What data/ holds
operate-folder = Folder or file
operate-size = Size
operate-holds-index = all retained versions
operate-holds-raw = what sources listed, and the bytes as they were fetched
operate-holds-documents = clean texts
operate-holds-chunks = passages
operate-holds-embeddings = vectors, cached so that no text is embedded twice
operate-holds-evals = reports and history of evaluations
operate-holds-uploads = collections of uploaded files
operate-holds-dagster = Dagster's history of runs
operate-holds-logs = what started programs print
operate-holds-app-sqlite = receipts, chats and feedback
operate-versions = Versions of the index
operate-no-versions = None was built yet.
operate-version = Version
operate-live = Live
operate-part-vectors = Vectors
operate-part-words = Words
operate-part-catalog = Texts
operate-part-other = Other
operate-version-holds = { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }, { $chunks ->
        [one] 1 passage
       *[other] { $chunks } passages
    } · { $models }
operate-dimension = The number after a model's name is the dimension of its vectors. A version with several models has a vector space for each.

## Costs

operate-no-costs = <h3>No run was recorded yet</h3>Each stage of each sync writes down what it did and how long it took.
operate-time-by-day = Time by day
operate-time-spoken = { $time } on { $days } days
operate-runs = Runs
operate-runs-mean = What changed is made anew, everything else is reused: so a run costs what changed, not what there is.
operate-run = { $began } · { $time } · { $written } · { $stages }
operate-time = Time
operate-seconds = seconds
operate-made = Made
operate-reused = Reused
operate-tokens = Tokens
operate-written = Written

## Review

operate-held = Held for review
operate-held-mean = Nobody can find these until somebody accepts them.
operate-none-held = Nothing is held.
operate-held-since = held { $when }
operate-accept = Accept
operate-accept-help = It answers from now on, without a sync. Once its source changes the text, it is held again.
operate-accepted = “{ $title }” answers from now on.
operate-reject = Reject
operate-reject-help = Nobody reads it any more, whatever its text becomes. Nothing is deleted.
operate-rejected = “{ $title }” is denied to everyone.
operate-flagged = Flagged
operate-flagged-mean = These try to instruct a language model that reads them. They are found like any other, unless hold_flagged in [documents] is on.
operate-none-flagged = No document is flagged.

# The audit

operate-audit-who = Only of this person or token
operate-audit-none = Nothing is recorded that fits.
operate-audit-through = Through
operate-audit-documents = Documents shown
operate-audit-question = Question
operate-audit-erased = (erased)
operate-audit-refused = refused
operate-audit-search = Search
operate-audit-answer = Answer
operate-audit-open = Opened a document
operate-audit-original = Downloaded an original
operate-audit-export = Export
operate-audit-erase = Erased parts of events
operate-audit-see_as = Looked with another’s eyes
operate-audit-share = Changed with whom something is shared
operate-change = Change its settings
