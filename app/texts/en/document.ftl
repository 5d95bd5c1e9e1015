## A document: its text, its original, and what is known of both

document-tabs = Views of this document
document-tab-text = Text
document-tab-original = Original
document-tab-about = About
document-tab-history = History
document-tab-passages = Passages
document-tab-cited = Cited by

document-gone = <h3>This document is not here</h3>It may have been removed since it was cited, or you may not read it.
document-search = Search
document-removed = This document has been removed; this is its text in version { $version }.
document-older = This is how the document was in version { $version }.
document-newest = Read it as it is today
document-changed = This document has changed since it was cited; the passage may have moved.
document-changed-read = Read it as it was cited
document-no-such-version = The address names a version that does not have this document, or that you may not read.
document-no-such-span = The address names a passage that is not in this text.
document-instructs = This document { $how }

document-line-owner = of { $owner }
document-line-published = published { $date } ({ $age })
document-line-updated = updated { $date } ({ $age })
document-line-fetched = read { $date } ({ $age })

document-contents = Contents
document-contents-more = { $count ->
        [one] and one smaller heading
       *[other] and { $count } more headings
    }
document-page-mark = Page { $page }
document-earlier = ‹ Earlier
document-later = Later ›
document-share = { $start } % to { $end } % of the text

document-original-opening = Opening the original
document-original-title = The original of { $title }
document-original-none = <h3>The original cannot be shown</h3>{ $reason }.
document-original-file = <h3>{ $name }</h3>A browser cannot show this kind of file. Its text is what was read from it; download it to see
    the file itself.
document-original-unmarked = The cited words could not be found in the original. They are in the text.
document-page-alt = Page { $page } of { $pages } of { $title }, as it is drawn; its words are in the text
document-image-alt = { $title }, as it is drawn; the words that were recognised are in the text
document-page = Page
document-page-of = of { $pages }
document-download = Download
document-at-source = Open at its source

document-readers = Who may read it
document-readers-are = Readers
document-readers-by = As said by
document-readers-denied = Not
document-readers-allow = { $who } may
document-readers-deny = { $who } may not
document-readers-everyone = everyone
document-readers-nobody = nobody
document-close = Close it
document-close-note = Nobody will find or open this document from now on, in any version, you neither. It is not removed: Operate,
    Access, takes this back.
document-close-why = Why, for the log
document-close-now = Close it now

document-about-title = Title
document-about-author = Author
document-about-owner = Owner
document-about-language = Language
document-about-published = Published
document-about-updated = Updated
document-about-fetched = Read from its source
document-about-collection = Collection
document-about-source = Source
document-about-address = Address
document-about-type = Type
document-about-pages = Pages
document-about-characters = Characters
document-about-passages = Passages
document-about-parser = Parser
document-about-stage = Stage key
document-about-revision = Revision
document-about-raw = SHA-256 of the bytes
document-about-run = Run that fetched it
document-about-version = Index version
document-about-ids = Identifiers
document-about-tags = Tags
document-about-flags = Flags
document-about-losses = Not kept of the file

document-history-one = <h3>One revision is known</h3>When the document changes at its source, both texts are shown here, with what
    changed between them, as long as a version that holds the older one is retained.
document-history-newest = newest
document-history-built = indexed { $date } ({ $age })
document-history-length = { $count } characters
document-history-versions = { $count ->
        [one] in version { $newest }
       *[other] in { $count } versions, last { $newest }
    }
document-history-read = Read it
document-history-compare = Compare with the one before
document-history-old = From
document-history-new = To
document-history-equal = <h3>No difference</h3>These two texts are the same.
document-history-changed = { $places ->
        [one] One place changed
       *[other] { $places } places changed
    }: { $gone ->
        [one] one line
       *[other] { $gone } lines
    } removed, { $came ->
        [one] one line
       *[other] { $came } lines
    } added.
document-history-more = … and { $count } more lines
document-list-before = ‹ Before
document-list-after = After ›
document-list-part = { $part } of { $parts }

document-passages-none = <h3>No passages</h3>There is too little text in this document to search in.
document-passages-told = { $count ->
        [one] One passage: what a search finds is this text.
       *[other] { $count } passages: what a search finds is one of these.
    }
document-passage-tokens = { $count } tokens
document-passage-span = characters { $start } to { $end }
document-passage-no-section = No heading
document-passage-show = Show in the text
document-passage-show-n = Show passage { $number } in the text

document-cited-none = <h3>No answer of yours cites this document</h3>When one does, it is listed here with what it quoted.
document-cited-others = { $count ->
        [0] No answer to others cites it.
        [one] One answer to somebody else cites it.
       *[other] { $count } answers to others cite it.
    }
document-cited-version = from version { $version }
document-cited-show = Show in the text
document-ask = Ask about this document
document-ask-selected = Ask about this
document-attached = attached to a chat of yours; only you see it
