## What all views share

frame-title = Ask your documents
frame-views = Views
frame-ask = Ask
frame-search = Search
frame-collections = Collections
frame-document = Document
frame-watches = Watched
frame-assistants = Assistants
frame-grids = Grids
frame-quality = Quality
frame-operate = Operate
frame-admin = Admin
frame-eyes = You look with the eyes of <b>{ $name }</b>. Nothing is written in that name.
frame-eyes-end = Look as yourself
frame-opening = Opening the workspace …

frame-nothing-published = <h3>Nothing is published yet</h3>Drop files or add a source under
    <a class="inner" href="collections" target="_self">Collections</a>, and press <b>Sync now</b>. This page shows the first version as soon as it is live.
frame-look-again = Look again
frame-failed = <h3>This did not work</h3>{ $reason }
frame-try-again = Try again
frame-unexpected = Something happened that should not. It is in the log of whoever runs this page.
frame-may-not = <h3>This is for { $role ->
        [admin] admins
       *[editor] editors
    }</h3>You are { $name }, who may { $own ->
        [reader] search and ask
       *[editor] search, ask, and look after collections, sources and quality
    }. Whoever runs this page gives roles in <code>[access]</code> of <code>rag.toml</code>.
frame-too-many = Too many { $kind ->
        [questions] questions
       *[searches] searches
    } at once. Try again in { $seconds ->
        [one] a second
       *[other] { $seconds } seconds
    }.

frame-version = Version <code>{ $version }</code>{ $since } · { $documents ->
        [one] { $documents } document
       *[other] { $documents } documents
    }
frame-since = { " · " }published { $age }

## Signing in

frame-welcome = <h1>Sign in to ask</h1><p>Your documents are shown to those who may read them. Sign in, so that this page
    knows who you are.</p>
frame-sign-in = Sign in
frame-sign-out = Sign out
frame-leave = My questions may help to improve the search
frame-leave-help = Some of them are then kept without your name, to compare new versions of the search. Words that public documents do not have, such as most names, addresses and numbers, are left out. Switching this off also deletes what was kept.
frame-sign-in-again = Sign in again
frame-other-account = Use another account
frame-expired = <h3>You have been signed out</h3>{ $reason }. What you wrote is not lost.
frame-denied = <h3>This page is not open to you</h3>{ $reason }.
frame-you = { $id }<br>You may { $role }.
frame-role-reader = search and ask
frame-role-editor = search, ask, and look after collections, sources and quality
frame-role-admin = do everything
frame-read-as = <br>You also read as { $groups }.

## The way in for whoever runs the page

frame-link-used = This link was used already, has expired, or never was one. `rag link` prints another.
frame-foreign-host = This page is not asked for as { $host }. Name that host in [http] hosts of rag.toml if it is to be.
frame-foreign-page = Requests from pages of { $origin } are refused.
frame-visiting = You see what is public. To manage this page, open the link that <code>rag link</code> prints.

## When, and where in a document

frame-age-future = in the future
frame-age-now = just now
frame-age-year = { $count ->
        [one] 1 year ago
       *[other] { $count } years ago
    }
frame-age-month = { $count ->
        [one] 1 month ago
       *[other] { $count } months ago
    }
frame-age-day = { $count ->
        [one] 1 day ago
       *[other] { $count } days ago
    }
frame-age-hour = { $count ->
        [one] 1 hour ago
       *[other] { $count } hours ago
    }
frame-age-minute = { $count ->
        [one] 1 minute ago
       *[other] { $count } minutes ago
    }
