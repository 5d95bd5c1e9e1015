## Quality: the parts

quality-title = Quality
quality-part = Part of Quality
quality-overview = Overview
quality-versions = Versions
quality-questions = Questions
quality-proposed = Proposed
quality-proposed-count = Proposed{ $count ->
        [0] { "" }
       *[other] { " " }({ $count })
    }

## The newest version

quality-nothing-built = <h3>There is nothing to judge yet</h3>A version of the index is built by <code>rag sync</code>, or with
    <b>Sync now</b> under Collections. Each one is put to the same questions, and shown here beside the one that is live.
quality-never = <h3>{ $version } has not been judged yet</h3>Press <b>Evaluate now</b>: the version is put to your questions,
    compared with the live one, and the verdict is shown here. Nothing is published by that.
quality-newest = Newest version: <code>{ $version }</code>
quality-newest-live = Newest version: <code>{ $version }</code>, which is live
quality-evaluate = Evaluate now
quality-evaluate-help = Puts the newest version to today's questions and compares it with the live one. Publishes nothing.
quality-evaluating = Getting ready to evaluate …
quality-evaluating-of = Asking question { $done } of { $total } …
quality-failed = The last evaluation failed: { $reason }
quality-damaged = What was stored of evaluating { $version } is damaged ({ $error }). Press “Evaluate now”, or run “rag sync”, to
    judge it again.
quality-verdict-of = { $version }
quality-passed = Passed
quality-refused = Refused
quality-rescore = Not compared
quality-not-judged = Not judged
quality-reasons = { $count ->
        [one] The reason, word for word
       *[other] All { $count } reasons, word for word
    }
quality-against-live = Against live
quality-interval = 95 % sure: { $ends }
quality-card-questions = Won : lost
quality-card-moved = { $better } : { $worse }
quality-of = of { $count } questions
quality-card-search = Median search
quality-card-p95 = 95th percentile { $ms } ms

quality-over-time = Over time
quality-measure = Measure
quality-chart-key = Each point is an evaluation, its bar the 95 % interval. A hollow point was refused. Where the line breaks, the
    questions changed: what is left and right of it are not to be compared.
quality-one-evaluation = There is one evaluation so far; the next one begins a line.
quality-all-evaluations = { $count ->
        [one] The evaluation as a table
       *[other] All { $count } evaluations as a table
    }
quality-version = Version
quality-on = On
quality-interval-95 = 95 % interval
quality-gate = Gate
quality-scored-again = Scored again
quality-no-questions = <h3>Nothing was measured</h3>Only the index itself was checked, because there are no questions yet. Write some
    under <b>Questions</b>: what people ask, and the words of a document that answer it. Then press <b>Evaluate now</b>.
quality-side-by-side = { $now } beside { $then }
quality-scores = Scores
quality-other-questions = The version before was asked other questions, so the two are not compared.
quality-more-measures = More measures
quality-by = { $metric } by { $group }
quality-change = Change

quality-moved = Questions won and lost
quality-worse = Lost ({ $count })
quality-better = Won ({ $count })
quality-none-moved = None.
quality-show-all = Show all { $count }
quality-ranks = rank { $before } → { $after }
quality-not-found = none
quality-cause = The cause: { $cause }.
quality-no-cause = Nothing about the documents found has changed.
quality-competition = Its own passages are the same; others came above them, or went.
quality-values = { $metric } { $before } → { $after }
quality-found-by = { $version } found
quality-found-nothing = Nothing.
quality-right = (a right one)
quality-unreadable-hit = A document that you may not read
quality-hidden = Questions about documents that you may not read count, and are not shown.

## Versions

quality-damaged-versions = { $count ->
        [one] 1 version cannot be read
       *[other] { $count } versions cannot be read
    }: a file that describes it is damaged. <code>rag repair</code> mends it.
quality-admins-publish = Admins publish versions and roll back.
quality-live = Live
quality-candidate = Candidate
quality-pinned = Pinned
quality-version-facts = Built { $age } ({ $date }) · { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    } · { $chunks ->
        [one] 1 passage
       *[other] { $chunks } passages
    } · { $model }
quality-not-scored = No score yet.
quality-scored = { $metric } { $score }{ $ends ->
        [none] { "" }
       *[other] { " " }({ $ends })
    }
quality-by-promote = Published by { $who } { $when }: { $why }
quality-by-rollback = Rolled back to by { $who } { $when }: { $why }
quality-by-redact = Redacted of forgotten documents { $when } by { $who }: { $why }
quality-why-refused = Why it was refused
quality-promote = Publish …
quality-rollback = Roll back to it …
quality-again = Publish it again …
quality-release = Let publication go on …
quality-report = Report
quality-compare = Compare with live

quality-promote-title = Publish { $version }?
quality-rollback-title = Roll back to { $version }?
quality-promote-means = From the next question on, everybody is answered from this version. It takes an instant, and can be undone
    the same way. After a rollback, syncs publish by themselves again.
quality-rollback-means = From the next question on, everybody is answered from this version. It takes an instant. Until somebody
    publishes a version, nothing is published by itself: syncs go on building and judging.
quality-reason = The reason, for the log
quality-reason-example = The prices of the newest one are wrong
quality-reason-missing = Say why: whoever looks at the log later will want to know.
quality-promote-now = Publish
quality-rollback-now = Roll back
quality-override-means = The gate did not pass this version. To publish it all the same is an override, which the log keeps with your
    name.
quality-override = Override the gate: publish { $version } although it did not pass
quality-override-logged = { $reason } (although the gate had not passed it)
quality-moved-meanwhile = Meanwhile { $version } became the live version. Close this, look again, and decide anew.
quality-is-live = { $version } is live
quality-documents = Documents
quality-chunks = Passages
quality-now = now: { $version }
quality-then = then: { $version }
quality-what-changes = What changes
quality-documents-move = Documents: { $came } come, { $went } go, { $edited } change.
quality-score-moves = { $metric }: { $change }.

## Reports and comparisons

quality-report-of = Report of { $version }
quality-download = { $kind }
quality-one-version = <h3>There is nothing to compare yet</h3>It takes two versions: each sync that changes something builds one.
quality-compare-title = What differs
quality-side-a = Before
quality-side-b = After
quality-same-version = This is the same version twice. Choose another.
quality-passages = Passages: { $kept } stayed, { $new } are new, { $gone } are gone.
quality-disk = On the disk: { $then } before, { $now } after.
quality-made-with = Made with
quality-source = Source
quality-by-source = By source
quality-came-added = came
quality-came-removed = went
quality-came-edited = changed
quality-kind-added = Came ({ $count })
quality-kind-removed = Went ({ $count })
quality-kind-source = Changed at the source ({ $count })
quality-kind-extractor = Read differently from the same bytes ({ $count })
quality-kind-description = Described differently, same text ({ $count })
quality-more = and { $count } more
quality-unreadable = and { $count } that you may not read

## Questions

quality-no-questions-yet = <h3>Good questions keep bad versions away</h3>Write down what people ask, in their own words, and pick the
    words of a document that answer it. Each new version is put to these questions, and one that does worse is not published.
    Fifty are a good start; some of them should be such that the documents do not answer.
quality-add = Add a question
quality-import = Import
quality-import-title = Import questions
quality-import-means = A file with one JSON object per line, as <b>Export</b> writes it. All of it is taken, or nothing; the file's name
    names the set.
quality-import-file = Question set
quality-imported = { $count ->
        [one] 1 question was added
       *[other] { $count } questions were added
    }{ $lost ->
        [0] .
        [one] ; 1 quote is in no document that you may read.
       *[other] ; { $lost } quotes are in no document that you may read.
    }
quality-export = Export
quality-malformed = This line cannot be read, and stops every evaluation: <code>{ $where }</code>. Mend it in the file;
    <code>rag questions check</code> tells more.
quality-find-question = Find a question
quality-find-question-hint = Words of it, an id or a tag
quality-set = Set
quality-all-sets = All sets
quality-unanswerable = Not answerable
quality-lost = Quote not found
quality-train = for tuning
quality-edit = Edit

quality-adding = A new question
quality-editing = Edit the question
quality-accepting = Take up a proposed question
quality-no-such-question = <h3>This question is not here</h3>It was deleted or changed, or it is about documents that you may not read.
quality-question = What people ask
quality-question-hint = How many days of leave do I get?
quality-answerable = The documents answer it
quality-answerable-help = Off: the right reaction is to say that the documents do not tell.
quality-answer = Accepted answer (optional)
quality-answer-help = A few words that a right answer holds. Several: put a | between them.
quality-places = Passages that answer it
quality-places-mean = At least one quote: words of a document, verbatim. How documents are chunked does not matter.
quality-remove-place = Remove place { $number }
quality-search = Search for the passage that answers it
quality-search-hint = Words of the passage, or the question itself
quality-search-nothing = Nothing found. Try other words.
quality-choose-passage = Choose a passage
quality-choose-sentence = Pick the sentence that answers
quality-quote = The quote; make it longer or shorter
quality-use-quote = Use this quote
quality-open-document = Open the document
quality-details = Details
quality-tags = Tags, with commas between
quality-language = Language, such as en
quality-asked-by = Asked by
quality-asked-by-help = As whom it is searched, such as group:hr; empty: everybody, else whoever may read the places.
quality-as-of = As of
quality-as-of-help = The date at which it is asked, such as 2026-05-31; empty: whenever it is.
quality-split = Split
quality-split-help = Questions of “dev” decide in the gate; those of “train” are for trying out settings.
quality-by-chance = By itself
quality-save = Save
quality-saved = Saved. The next evaluation asks it.
quality-delete = Delete

## Proposed questions

quality-nothing-proposed = <h3>Nothing is proposed</h3>When somebody judges an answer with a thumb down, or an answer that the documents
    did not hold, the question comes here. Take it up, and the next version has to do better.
quality-accept = Take up …
quality-dismiss = Dismiss
quality-judged-good = Declining was right
quality-judged-better = Better than another answer
quality-why-wrong = Wrong
quality-why-incomplete = Something is missing
quality-why-outdated = Out of date
quality-why-source = Wrong source
quality-why-unanswered = The documents do answer it
quality-why-other = Bad
quality-judged = judged { $when }, answered by { $version }
quality-answered = Answered: { $answer }

## What people thought of answers

quality-feedback = Feedback
quality-judged-none = Nobody judged an answer in these days. Thumbs stand below each answer.
quality-judged-all = Judgements
quality-judged-rate = Found good
quality-judged-bad = Found bad
quality-judged-were-good = Good
quality-judged-were-bad = Bad
quality-judged-by-day = Judgements by day
quality-judged-spoken = { $good } good and { $bad } bad judgements in { $days } days.
quality-judged-by-collection = By collection
quality-judged-by-generator = By who wrote the answer
quality-judged-preferred = Preferred over another answer
quality-judged-name = Name
quality-judged-reasons = Why: { $reasons }.
quality-judged-reason = { $reason } { $count }
quality-judged-worst = Questions with bad answers
quality-judged-worst-mean = Those that ask nearly the same stand together.
quality-judged-times = { $times ->
        [one] found bad once
       *[other] found bad { $times } times
    }
quality-judged-make = Make it a question of the gate
quality-judged-make-help = With what the answer cites as the places that answer it. Where that cannot be, the editor opens.
quality-judged-made = It is a question of the gate now.
quality-judged-decided = Somebody has decided on it already.
quality-judged-edit = Look at it first
