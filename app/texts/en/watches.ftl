## What somebody wants to be told of when it changes

watches-title = Watched
watches-all = All that you watch
watches-none = <h3>Nothing is watched</h3>Choose <b>Watch</b> below an answer or a search: it is asked again with each
    publication, and you see here what changed.
watches-visitor = <h3>Sign in to watch</h3>Who only visits cannot be told later.
watches-gone = There is no such watch of yours. It may have ended.
watches-watch = Watch
watches-watch-help = Ask it again after each publication, and tell me when the answer changes
watches-watch-search = Watch this search
watches-watch-search-help = Search again after each publication, and tell me when other documents are found
watches-begun = You are told when this changes, under Watched.
watches-too-many = You watch as much as one may. End a watch that you do not need.
watches-link = Watched
watches-link-new = Watched · { $count } new
watches-new = { $count } new
watches-is-new = New
watches-problem = Not looked at
watches-failed = It could not be looked at since the last publication: { $why }. It is tried again.
watches-is-question = A question, watched since { $age }
watches-is-search = A search, watched since { $age }
watches-when = { $age }, with version { $version }
watches-changed = The answer changed
watches-lost = There is no answer any more
watches-found = There is an answer now
watches-other-documents = { $count ->
        [0] Other documents are found
        [one] { $count } document is another
       *[other] { $count } documents are others
    }
watches-document-came = New
watches-document-changed = Changed
watches-document-went = No longer found
watches-forgotten = This answer was forgotten.
watches-unchanged = Nothing has changed since you began to watch it.
watches-mail = Tell { $address }
watches-mail-failed = The e-mail was not sent: { $why }.
watches-feed = Feed
watches-feed-title = A feed of this watch
watches-feed-note = Whoever has the address of the feed reads what you may read of these changes. It is shown once; a new address ends the one before.
watches-feed-make = Make an address
watches-feed-end = End the feed
watches-end = Watch no longer

## What changed since

watches-since = Still right?
watches-since-help = Look whether the documents still say this
watches-since-title = Is this answer still right?
watches-still-right = Yes: all that it quotes still stands.
watches-right-until = Right until { $date }
watches-right-again = What it quotes stands there again since.
watches-quote-stands = still there
watches-quote-gone = no longer there
watches-collection-since = What changed since …
watches-since-day = Since the end of
watches-since-nothing = No version of that day is kept. Choose a later one.
watches-since-same = Nothing has changed in what you may read.
