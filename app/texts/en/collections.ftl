## Collections of files, and sources

collections-title = Collections
collections-both = What to show
collections-show-collections = Collections
collections-show-sources = Sources
collections-new = New collection
collections-create = Create
collections-save = Save
collections-edit = Edit
collections-back = All collections
collections-back-sources = All sources
collections-find = Find a collection
collections-find-file = Find a file
collections-found-none = Nothing here is called “{ $words }”.
collections-found-some = { $found } of { $all }
collections-place = Source
collections-empty = <h3>Put your own material here</h3>A collection holds files that belong together: the handouts of a
    course, the papers of a project. Make one, drop your files into it, and press <b>Sync now</b>. Each file is read, chunked
    into passages and indexed; then you can <b>ask</b> about it and <b>search</b> in it, and every answer leads back to the
    passage in your file.
collections-empty-reader = <h3>There are no collections for you yet</h3>A collection holds files that belong together.
    As soon as somebody shares one with you, it is listed here.
collections-no-place = <h3>There is no place for files yet</h3>A collection holds files that you put here: documents, web
    pages, e-mail. An admin makes room for them with a click; folders, feeds and sites are read under <b>Sources</b>.
collections-make-place = Make room for files
collections-nothing = Nothing is in this collection yet.
collections-nothing-drop = Nothing is in this collection yet. Drop files above, or press <b>Upload</b> to choose them.

collections-wanted = The documents do not answer <q>{ $question }</q>. Add one that does to a collection or, under
    <b>Sources</b>, the folder, feed or site that has it; after the next sync the question can be asked again.
collections-wanted-back = Back to the chat

collections-field-title = Title
collections-hint-title = Physics, first year
collections-field-description = What it holds
collections-field-readers = Who may read it
collections-help-readers = Nobody chosen: everybody who may read the source. Only groups and people as whom you read yourself are offered.
collections-everyone = everyone
collections-language-field = Language of its texts
collections-language-help = For texts that are too short to detect it.
collections-language = { $code ->
    [none] Detected from the text
    [ar] Arabic
    [ca] Catalan
    [zh] Chinese
    [cs] Czech
    [da] Danish
    [nl] Dutch
    [en] English
    [fi] Finnish
    [fr] French
    [de] German
    [hi] Hindi
    [it] Italian
    [ja] Japanese
    [ko] Korean
    [ne] Nepali
    [pl] Polish
    [pt] Portuguese
    [ru] Russian
    [es] Spanish
    [sv] Swedish
    [tr] Turkish
    [uk] Ukrainian
   *[other] { $other }
}
collections-files = { $count ->
    [one] { $count } file
   *[other] { $count } files
}
collections-passages = { $count ->
    [one] { $count } passage
   *[other] { $count } passages
}
collections-documents = { $count ->
    [one] { $count } document
   *[other] { $count } documents
}
collections-read-by = read by { $who }
collections-revision = revision { $number }
collections-added = added { $age }
collections-added-by = added { $age } by { $who }
collections-drop = Drop files here: documents, web pages, e-mail, archives, at most { $most }{ "\u00A0" }MB each
collections-remove = Remove
collections-remove-help = Remove { $name }
collections-open-help = Open { $name }

collections-state-uploaded = Uploaded, waiting for the next sync
collections-state-fetched = Fetched, being read next
collections-state-read = Read, being chunked next
collections-state-chunked = Chunked into passages, being embedded next
collections-state-embedded = Embedded, published with the next version
collections-state-live = Live: it can be found
collections-state-failed = Could not be read
collections-state-excluded = Left out
collections-state-forgotten = Forgotten
collections-short-uploaded = uploaded
collections-short-fetched = waiting to be read
collections-short-read = read
collections-short-chunked = chunked
collections-short-embedded = embedded
collections-short-live = live
collections-short-failed = could not be read
collections-short-excluded = left out
collections-short-forgotten = forgotten
collections-step = step { $step } of { $of }

collections-delete = Delete
collections-delete-title = Delete this collection?
collections-delete-source-title = Delete this source?
collections-delete-files = { $count ->
    [0] It has no files.
    [one] Its one file goes for good.
   *[other] Its { $count } files go for good.
}
collections-delete-index = { $documents ->
    [0] Nothing of it is in the index.
    [one] One document with { $chunks } passages leaves the index with the next version.
   *[other] { $documents } documents with { $chunks } passages leave the index with the next version.
}
collections-delete-answers = { $answers ->
    [0] No past answer cites it.
    [one] One past answer cites it. The answer stays; its marks lead to the retained versions.
   *[other] { $answers } past answers cite it. The answers stay; their marks lead to the retained versions.
}
collections-delete-last = Nothing else is in the index. So the live version stays until something else has been read.
collections-delete-kept = What was read of it stays in <code>data/</code>, so that adding it again is quick. To erase it
    everywhere, with proof: <code>rag forget { $id }</code>.
collections-delete-gate = If questions of your question sets rest on it, the gate refuses the next version until you take them out.
collections-type-name = Type { $name } to confirm

## Following a sync

collections-sync = Sync now
collections-sync-help = Reads what is new, checks it, and publishes it.
collections-sync-local = Sync without Dagster
collections-cancel = Cancel
collections-look-again = Look again
collections-in-dagster = See the run in Dagster
collections-ready = Getting ready
collections-stage = { $stage ->
    [sync] Getting ready
    [fetch] Fetching
    [extract] Reading
    [chunk] Chunking
    [embed] Embedding
    [index] Building the index
    [evaluate] Evaluating
    [publish] Publishing
   *[other] { $stage }
}
collections-stage-of = { $stage }: { $done } of { $total }
collections-rate = { $rate } a second
collections-left = about { $time } left in all
collections-seconds = { $count } s
collections-minutes = { $count } min
collections-waits = Waiting for the sync that runs; then all that waits is read as one
collections-joined = Other sources of this sync are being read
collections-run-queued = Waiting in Dagster for its turn
collections-run-starting = Dagster is starting the run
collections-run-canceling = The run is ending
collections-run-by = started { $age }
collections-waiting = New files are found after the next sync.
collections-synced = Last sync { $age }.
collections-never = not read yet
collections-failed = The last sync, { $age }, failed: { $reason }
collections-canceled = The last sync was cancelled { $age }. What was finished is stored; the next one continues from there.
collections-refused = The last sync, { $age }, was not published: { $reason }
collections-paused-note = This source is paused: it is read by no schedule. Resume it to go on.
collections-down = <b>{ $why }.</b> Start it with <code>make up</code>, or with <code>dg dev</code> in
    the workspace’s folder. Until then you can sync without it.
collections-interrupted = A run that was started { $age } was under way when Dagster went away, and nothing works on it any
    more. What was finished is stored; the next sync continues from there.
collections-lost = <b>The run has died.</b> Dagster still takes it for running, but its process is gone. What was finished
    is stored; clear it away and sync again.
collections-clear = Clear it away
collections-idle = Dagster’s web server answers, but its daemon does not run, so the run waits. Start both with
    <code>make up</code> or <code>dg dev</code>, or cancel the run and sync without Dagster.
collections-busy = It goes on outside of Dagster, so it cannot be cancelled here.

## Sources

collections-add = Add a source
collections-sources-empty = <h3>Nothing is read yet</h3>A source is what this platform reads and keeps fresh: a feed, a site, a
    folder, a portal behind a login, the rows of a database. Add one, preview what would be read, and save it.
collections-sources-empty-editor = <h3>There are no sources for you yet</h3>A source is what this platform reads and keeps
    fresh. Add a feed, a site or a portal; an admin can also add folders and databases.
collections-find-source = Find a source
collections-kind = { $kind ->
    [feed] Feed
    [web] Site
    [portal] Portal
    [folder] Folder
    [sql] Database
    [objects] Bucket
    [upload] Uploads
    [more] All kinds
   *[other] { $kind }
}
collections-gallery-about = All that can be a source, those without a form too. An admin puts the table into
    <code>rag.toml</code>, or into a file for <code>rag source add</code>, and changes it; what stands as
    <code>$&#123;secret:name&#125;</code> is kept with <code>rag secret set name</code>.
collections-gallery-reads = { $kind ->
    [feed] RSS, Atom or JSON feeds, with the pages of their articles.
    [web] Pages of a site: from its sitemap, along its links, or a list.
    [portal] A site behind a login, such as a course portal.
    [folder] Files below a folder of this machine.
    [sql] Rows of a database, one document each.
    [objects] Files of a bucket: S3 and other storages.
    [upload] Files that people put here.
    [git] Files of a Git repository, the wikis of GitLab and Gitea among them.
    [imap] The mail of an account, as threads.
    [webdav] Files of a WebDAV server, such as Nextcloud.
    [mediawiki] Pages of a MediaWiki, such as Wikipedia.
    [store] What Chroma, Qdrant, pgvector, LanceDB, LlamaIndex or LangChain have indexed.
    [dlt] What any source of dlt reads: REST APIs by declaration, tables, files, hundreds of services.
    [llamahub] What any reader of LlamaHub reads: Confluence, Notion, Slack, Drive, SharePoint, Jira and more.
   *[other] { $reads }
}
collections-gallery-add = Add a source of the kind { $kind }
collections-gallery-missing = Not installed: the extras { $extras }, which some of it needs.
collections-gallery-broken = Its package cannot be used: { $reason }
collections-gallery-own = For anything else, <code>rag source new-kind</code> writes a package with a kind of your own, which
    works and has its tests.
collections-kind-about = { $kind ->
    [feed] RSS, Atom or JSON feeds, with the pages of their articles.
    [web] Pages of a site: from its sitemap, along its links, or a list.
    [portal] A site behind a login, such as a course portal.
    [folder] Files below a folder of this machine.
    [sql] Rows of a database, one document each.
   *[other] { $kind }
}
collections-paused = paused
collections-late = late
collections-running = running
collections-some-failed = { $count } failed
collections-read-at = read { $age }
collections-next-at = next { $when }
collections-unscheduled = no schedule
collections-in-minutes = in { $count } min
collections-in-hours = in { $count } h
collections-in-days = in { $count } days
collections-pause = Pause
collections-resume = Resume
collections-pause-help = Schedules leave it out until somebody resumes it.
collections-settings = Its settings
collections-failures = What failed
collections-failures-more = … and { $count } more
collections-as-they = Other readers see what they may read of it.

## The form of a new source

collections-add-title = Add a source
collections-which = What is it?
collections-more = Further settings
collections-preview = Preview what would be read
collections-previewing = Looking at what the source lists …
collections-preview-again = Preview again
collections-preview-stop = Stop
collections-preview-none = Nothing is stored: the preview only lists what a sync would read.
collections-preview-count = { $cut ->
    [yes] At least { $count } would be read.
   *[no] { $count ->
        [0] Nothing would be read.
        [one] One document would be read.
       *[other] { $count } documents would be read.
    }
}
collections-preview-took = Listed in { $seconds } s; nothing was stored.
collections-preview-more = … and { $count } more
collections-preview-failed = <b>It cannot be read like this.</b> { $reason }
collections-preview-part = Could not be listed:
collections-preview-old = The form was changed since this preview.
collections-save-source = Add the source
collections-mend = Mend what is marked above first.
collections-added-source = { $id } was added. Press “Sync now” to read it.
collections-local-only = Folders and databases lie on this machine or its network, so only an admin may add them.

collections-field-id = Name
collections-hint-id = company-news
collections-help-id = In filters, reports and Dagster. It cannot be changed later.
collections-field-address = Address of the feed
collections-hint-address = https://example.org/feed.xml
collections-field-others = Further feeds
collections-help-others = One address on each line.
collections-field-articles = Read the articles’ pages, not only the feed’s own text
collections-field-max_age_days = Leave out entries older than (days)
collections-field-allow_private = It lies in this machine’s own network
collections-help-allow_private = Private addresses are refused unless this is on.
collections-field-way = How its pages are found
collections-way-sitemap = Sitemap
collections-way-crawl = Follow links
collections-way-urls = List of pages
collections-field-sitemap = Address of the sitemap
collections-hint-sitemap = https://example.org/sitemap.xml
collections-field-crawl = Page to begin with
collections-hint-crawl = https://example.org/handbook/
collections-help-crawl = Its links are followed, within the folder that it lies in.
collections-field-urls = Pages
collections-help-urls = One address on each line.
collections-field-include = Only what matches
collections-help-include = Patterns such as **/*.pdf, one on each line. Empty: all.
collections-field-exclude = Leave out what matches
collections-help-exclude = Patterns such as **/drafts/**, one on each line.
collections-field-limit = Most pages
collections-field-javascript = Scripts make its pages: open them in a browser
collections-field-url = { $kind ->
    [sql] Address of the database
   *[other] Address of the portal
}
collections-hint-url = { $kind ->
    [sql] postgresql+psycopg://reader@db.example.org/desk
   *[other] https://portal.example.edu
}
collections-field-profile = Kind of portal
collections-profile-generic = Any
collections-profile-sakai = Sakai
collections-field-user = User
collections-field-password = Password
collections-help-password = Kept encrypted among the secrets, never in rag.toml, and never shown again.
collections-field-logged_in = Text that only somebody who is logged in sees
collections-field-depth = How many links away pages are read
collections-field-path = Folder
collections-hint-path = handbook
collections-help-path = A path on this machine; a relative one begins in the workspace’s folder.
collections-field-query = Query
collections-hint-query = select id, subject, body, updated_at from tickets
collections-field-key = Column that identifies a row
collections-hint-key = id
collections-hint-template = # {"{"}subject{"}"} {"{"}body{"}"}
collections-field-title-sql = Title
collections-hint-title-sql = {"{"}subject{"}"}
collections-field-template = Text of a document
collections-help-template = Markdown; {"{"}column{"}"} is replaced by the row’s value.
collections-field-uri = Address of a row
collections-hint-uri = https://desk.example.org/tickets/{"{"}id{"}"}
collections-field-cursor = Column that changes whenever the row does
collections-field-published_at = Column of the date
collections-field-updated_at = Column of the last change
collections-field-schedule = Read it again
collections-schedule-none = Only when asked to
collections-schedule-quarter = Every 15 minutes
collections-schedule-hour = Every hour
collections-schedule-day = Every day at 06:00 UTC
collections-schedule-week = Every Monday at 06:00 UTC
collections-schedule-own = At times of your own
collections-field-cron = Times, as cron says them (UTC)
collections-hint-cron = 30 7 * * 1-5
collections-field-language = Language of its texts
collections-field-comments = Keep what readers wrote below its pages
collections-field-page_text = Text of PDFs and images from
collections-help-page_text = Where the text layer of a page is missing or poor, its picture is read. A vision model reads only where one is set up.
collections-page_text-auto = What is best
collections-page_text-layer = Text layer
collections-page_text-ocr = Recognition
collections-page_text-vision = Vision model
collections-field-half_life_days = Age at which a document counts half (days)
collections-field-fresh_within_hours = Late when not read for (hours)
collections-field-principals = Who may read it
collections-help-principals = Nobody chosen: everyone. Only groups and people as whom you read yourself are offered.

collections-wrong-missing = This is needed.
collections-wrong-taken = There is a source { $id } already. Choose another name.
collections-wrong-id = Small letters, digits, - and _, beginning with a letter or a digit; at most 63.
collections-wrong-address = “{ $given }” is no web address. It begins with https:// or http:// and names a host.
collections-wrong-password = Leave the password out of the address: it would be readable in rag.toml. Type it below where there is a field for it.
collections-wrong-placeholder = Names of secrets are taken only in rag.toml itself. Type the password into its own field.
collections-wrong-database = An address of a database looks like postgresql+psycopg://reader@db.example.org/desk or sqlite:///data/desk.sqlite.
collections-wrong-user = With a password, the address names the user: postgresql+psycopg://reader@db.example.org/desk.
collections-wrong-cron = Five fields: minute, hour, day, month, weekday. “30 7 * * 1-5” is 07:30 from Monday to Friday.
collections-wrong-number = A number above zero.
collections-wrong-folder = There is no such folder on this machine.
collections-wrong-kind = Only an admin may add this kind of source.

## Settings of a source of any kind

collections-change = Change
collections-change-title = Settings of { $id }
collections-change-about = A source of the kind <code>{ $kind }</code>. Fields have the names that they have in
    <code>rag.toml</code>; what is left empty is as usual. A password is never shown: an empty field keeps the one that
    there is. <code>principals</code> takes effect with the next question, the rest with the next sync.
collections-change-by-file = What a source of the kind <code>{ $kind }</code> reads with may be any program, so it is
    changed in <code>rag.toml</code> alone.
collections-changed = { $count ->
        [0] Nothing was another than before.
        [one] One setting was changed.
       *[other] { $count } settings were changed.
    }
collections-add-by-settings = A source of the kind <code>{ $kind }</code>. Fields have the names that they have in
    <code>rag.toml</code>; those with a star are needed. A password is kept encrypted, and the file only names it.
collections-secret-kept = Kept as it is
collections-hint-lines = One in each line
collections-hint-json = As JSON
collections-not-set = As usual
collections-ask = Ask about these documents
