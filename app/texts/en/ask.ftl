## Ask: the view of chats

ask-hero = <h1>Ask your documents</h1><p>Answers are written from what is published, and every sentence leads to the
    passage it rests on. When the documents do not say, the answer says so.</p>
ask-examples = You could ask
ask-placeholder = Ask about your documents
ask-written-by = Written by
ask-quotes-alone = Quotes alone, no model
ask-own-model = The language model
ask-prompt = Saved prompt
ask-no-prompt = None
ask-archived = Archived documents
ask-archived-help = Answers come from what is archived by its age, in place of the other documents.
ask-you-asked = You asked
ask-unpublished = <h1>Nothing to ask yet</h1><p>This page answers from documents, and none are published. Three steps
    lead there:</p>
ask-unpublished-steps = <ol><li><b>Say what to read.</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">Drop files</a>, or add
            <a class="inner" href="collections?show=sources&add=folder" target="_self">a folder</a>,
            <a class="inner" href="collections?show=sources&add=web" target="_self">a site</a> or
            <a class="inner" href="collections?show=sources&add=feed" target="_self">a feed</a>
       *[reader] An editor drops files, or adds a folder, a site or a feed
    }.</li>
    <li><b>Watch it being read.</b> <b>Sync now</b> reads everything once, and shows how far it is; later only what changed is read.</li>
    <li><b>Ask.</b> The first version goes live by itself, and this page notices.</li></ol>
ask-look-again = Look again

## While an answer is written

ask-understanding = Understanding the question …
ask-searching = Searching …
ask-reading = Reading { $passages ->
        [one] one passage
       *[other] { $passages } passages
    } …
ask-thinking = Thinking …
ask-writing = Writing …
ask-nothing-found = Nothing found
ask-trace = { $searches ->
        [one] Searched once
       *[other] Searched { $searches } times
    } · { $passages ->
        [0] no passages
        [one] 1 passage
       *[other] { $passages } passages
    } · { $seconds } s
ask-trace-stopped = Stopped · { $passages ->
        [0] no passages
        [one] 1 passage
       *[other] { $passages } passages
    }
ask-step-understood = Understood as <q>{ $question }</q>
ask-step-searched = Searched for <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] Found no passages
        [one] Found 1 passage
       *[other] Found { $passages } passages
    }
ask-step-wrote = { $model ->
        [extractive] Quoted, without a model
       *[other] Written by { $model }
    }
ask-step-checked = { $claims ->
        [0] Nothing to check
        [one] Checked one sentence against its source
       *[other] Checked { $claims } sentences against their sources
    }
ask-step-total = In all
ask-milliseconds = { NUMBER($ms, maximumFractionDigits: 0) } ms
ask-thought = What the model thought

## An answer

ask-sources = Sources
ask-more-passages = { $count ->
        [one] One more passage of it
       *[other] { $count } more passages of it
    }
ask-beside = The source
ask-beside-close = Close
ask-beside-open = Open it whole
ask-origins = said by { $count } independent origins
ask-source-open = { $n }: { $title }. Opens the passage in its document.
ask-closest = The closest passages
ask-stopped-sources = Sources it was being written from
ask-told = { $when } · { $version } · { $model ->
        [extractive] quotes alone, no model
       *[other] { $model }
    }
ask-ids = receipt
ask-older = Answered from <code>{ $version }</code>. Since then { $live } went live, so the documents may say something else.
ask-again = Ask again
ask-withheld = This answer rests on documents that you may not read, so it is not shown.
ask-withheld-now = This answer rests on documents that you may no longer read, so it is not shown any more.
ask-unanswered = This question has no answer: it was stopped before anything was written.
ask-stopped = Stopped. This text was not checked against its sources.
ask-stop = Stop
ask-waits = Your question is answered after this one.
ask-model-failed = <b>{ $model } could not answer.</b> What you see are sentences of the sources themselves.
ask-failed = <b>This did not work.</b> { $reason } Your question is kept.
ask-too-many = Too many questions at once. Ask again in { $seconds ->
        [one] a second
       *[other] { $seconds } seconds
    }; your question is repeated below.
ask-try-again = Try again
ask-try-with = Answer with { $name }
ask-next = Ask next
ask-copy = Copy
ask-speak = Read aloud
ask-speak-stop = Stop reading
ask-listen = Ask by voice
ask-listen-failed = Nothing could be heard
ask-copied = Copied
ask-copy-code = Copy this code
ask-late = <b>{ $sources }</b> { $count ->
        [one] is late: its schedule has passed twice since it was read { $age }.
       *[other] are late: their schedules have passed twice since they were read { $age }.
    } Answers may miss what is new.
ask-earlier = Show earlier questions ({ $count })

ask-verdict = { $verdict ->
        [yes] Yes, as this says:
       *[no] No, as this says:
    }
ask-also-in = also in { $language }:

ask-disagree = <b>Sources disagree.</b>
ask-side = { $count ->
        [one] One of { $of } sources says
       *[other] { $count } of { $of } sources say
    }
ask-side-newest = { $count ->
        [one] One of { $of } sources, the { $of ->
            [2] newer
           *[other] newest
        }, of { $date }, says
       *[other] { $count } of { $of } sources, among them the newest, of { $date }, say
    }

## Its tables and pictures

ask-table-of = Table of { $title }
ask-table-whole = All { $count } rows
ask-table-more = { $count ->
        [one] One more row is in the document.
       *[other] { $count } more rows are in the document.
    }
ask-chart-show = Draw a chart of “{ $title }”
ask-chart-hide = Hide the chart of “{ $title }”
ask-chart-show-own = Draw a chart of this table
ask-chart-hide-own = Hide the chart
ask-chart-spoken = A chart of { $names } by { $by }.
ask-figure-show = Show “{ $name }”
ask-figure-hide = Hide “{ $name }”
ask-figure-alt = Picture from { $title }: { $said }

## What became of its sentences

ask-state = { $state ->
        [quoted] quoted
        [supported] supported
        [contradicted] contradicted
       *[unverified] not verified
    }
ask-word-for-word = word for word in its source
ask-probable = { $percent } % likely to be supported
ask-checked-by = checked by { $check }
ask-taken-away = <b>Taken away</b>, as a source says otherwise: <del>{ $sentence }</del>
ask-denied-by = “{ $quote }” ({ $title })
ask-denies = says otherwise

## What the documents do not say

ask-searched-in = { $documents ->
        [-1] Searched for:
        [0] You may read none of the documents. Searched for:
        [one] Searched the one document that you may read, for:
       *[other] Searched all { $documents } documents that you may read, for:
    }
ask-missing-add = Add the missing document
ask-missing-tell = Tell the editors that this is missing
ask-missing-others = What else was not answered

## Judging

ask-judge = Was this a good answer?
ask-bad-title = What was wrong with it?
ask-bad-abstained-title = Should this have been answered?
ask-reason = The reason
ask-reason-wrong = It is wrong
ask-reason-incomplete = Something is missing
ask-reason-outdated = It is out of date
ask-reason-source = It cites the wrong source
ask-reason-unanswered = The documents do answer it
ask-reason-other = Something else
ask-comment = What would be right? (optional)
ask-judge-note = The question, its answer and what you write here are proposed to the editors as a question that every new
    version is tested with.
ask-send = Send
ask-thanks = Thank you. The editors will see it.

## The chat

ask-new = New chat
ask-chats = Chats
ask-find = Find in your chats
ask-no-chats = Your chats will be listed here. Nobody else sees them.
ask-none-found = No chat holds these words.
ask-more-chats = Show more
ask-today = Today
ask-yesterday = Yesterday
ask-week = Last seven days
ask-before = Earlier
ask-pinned = Pinned
ask-pin = Pin
ask-unpin = Unpin
ask-folder = Folder
ask-no-folder = No folder
ask-folder-help = Choose one, or type a new name.
ask-share = Share
ask-export = Export
ask-export-markdown = Markdown
ask-export-word = Word, with footnotes
ask-export-print = Print, or save as PDF
ask-more = More
ask-rename = Rename
ask-rename-title = Rename this chat
ask-title = Title
ask-save = Save
ask-delete = Delete
ask-gone = This chat is not here. It may have been deleted, or it is somebody else’s.

## Sharing

ask-share-title = Share this chat
ask-share-note = Whoever has the link can read what was said so far, each answer only if they may read every document that
    it was written from. What you ask later is not in it.
ask-share-readers = Only for
ask-share-everybody = Everybody who may ask here
ask-share-readers-help = People and groups, such as group:support. Others find nothing under the link.
ask-share-make = Make a link
ask-share-renew = Share as it is now
ask-share-end = Stop sharing
ask-shared = <b>{ $title }</b> was shared with you. You can read it, not change it.
ask-shared-gone = <h3>This link leads nowhere</h3>The chat was deleted, or its owner has stopped sharing it.
ask-shared-own = Ask your own question

## The exported file

ask-export-asked = Asked { $date }, answered from version { $version } by { $model ->
        [extractive] quotes alone, without a model
       *[other] { $model }
    }; receipt { $receipt }.
ask-export-sources = Sources
ask-export-checked = Checked
ask-export-page = page { $page }
ask-export-at = Exported on { $date }.

## What a chat is answered from

ask-scope = Only from
ask-scope-remove = Answer from { $name } no longer
ask-scope-all = From everything
ask-scope-gone = something that is no longer here, or that you may no longer read
ask-complete = Collections and documents
ask-complete-collection = collection
ask-complete-document = document

## Files of a chat

ask-attaching = Reading { $name } …
ask-pasted = Pasted text.txt
ask-attached = Files of this chat
ask-attached-remove = Take { $name } away
ask-attached-only = Only from these files
ask-attached-note = Only you see them, and they go with this chat.
