## Admin

admin-title = Admin
admin-part = Part of this view
admin-people = People
admin-reading = Who reads what
admin-tokens = Tokens
admin-limits = Limits
admin-servers = Models
admin-backups = Backups
admin-who = Who
admin-why = Why
admin-name = Name
admin-name-hint = user:ilse@example.org or group:data

## People

admin-people-about = Everybody whom settings, groups, rules, sources or tokens name, or who was seen lately. Who was shown
    what, and who changed what may be read, stands in <a href="operate?part=audit" target="_self">Operate</a>.
admin-find = Find a name
admin-nobody = Nobody is named yet. Sources without <code>principals</code> are public.
admin-role = Role
admin-groups = In the groups
admin-known-by = Known by
admin-by-settings = a role
admin-by-group = a group
admin-by-rule = a rule
admin-by-source = a source
admin-by-token = a token
admin-by-seen = a visit
admin-seen = seen { $age }
admin-members = holds { $names }
admin-role-admin = Admin
admin-role-editor = Editor
admin-role-reader = Reader
admin-role-none = None
admin-give-role = Give a role
admin-role-about = Written into <code>[access]</code> of <code>rag.toml</code>. Groups count as the identity provider names
    them when somebody signs in.
admin-give = Give
admin-role-given = The role of { $name } was changed.
admin-group-change = Change a group
admin-group-about = Beside the groups that sign-in brings. It counts from the next question on.
admin-group = Group
admin-member = Who is in it
admin-join = Put in
admin-leave = Take out
admin-joined = { $member } is in { $group } now.
admin-left = { $member } is no longer in { $group }.

## Who reads what

admin-reading-about = What somebody may read now, and by which of their names. Without a name: what is public.
admin-also-in = Also in these groups
admin-also-in-help = Groups of the identity provider with which they were not seen yet.
admin-see-as = See as { $name }
admin-reads-as = Reads as { $names }.
admin-source = Source
admin-may-read = May read
admin-of = { $documents } of { $of }
admin-because = Because the source lets in
admin-because-own = documents or rules say so themselves
admin-because-no = none of these names
admin-rules = Rules that name them
admin-rule = Rule
admin-rule-about = About
admin-document = One document
admin-document-address = Its address, the end of one, or its id
admin-document-none = No document is called so. { $reason }
admin-document-yes = They may read it.
admin-document-no = They may not read it.

## Tokens

admin-tokens-about = With a token a program asks over HTTP, as whom it was made for and no one else.
admin-no-tokens = There is no token yet.
admin-token = Token
admin-token-new = Make a token
admin-token-make = Make it
admin-token-once = This is the token <b>{ $name }</b>. It is shown this once: copy it now.
admin-token-noted = I have copied it
admin-token-which = Which one
admin-scopes = May
admin-scope-read = search and read
admin-scope-ask = have answers written
admin-scope-edit = change collections and start syncs
admin-scope-widget = ask through the widget, nothing else
admin-scope-metrics = look at the metrics, nothing else
admin-scope-admin = everything
admin-reads = Reads as
admin-reads-help = Users and groups. None: it reads what is public.
admin-public = what is public
admin-limited = Only these collections
admin-unlimited = all collections
admin-made = Made
admin-made-by = { $age } by { $who }
admin-revoke = Revoke
admin-revoke-means = Whoever has it is refused at once. You can undo this for ten seconds.

## Limits

admin-limits-about = Written into <code>rag.toml</code>. This page obeys them at once; a server that runs already
    obeys them once it is started again.
admin-limits-access = What one person may do
admin-limits-answer = What one answer may take
admin-limits-generator = What the language model may write

## Models and servers

admin-servers-about = Each is sent a real, small request; what comes back is shown, or the error.
admin-try = Test
admin-trying = Waiting for an answer …
admin-answers = Answers
admin-fails = Fails
admin-here = in this process
admin-first-model = the server’s first model
admin-sort-language = Language model
admin-sort-embedding = Embedding model
admin-sort-reranking = Reranker
admin-sort-transcription = Transcription
admin-key-set = key in { $name }
admin-key-missing = no key in { $name }
admin-no-server = No language model is set up: answers are quotes. Name one in <code>[generator]</code> of
    <code>rag.toml</code>.

## Backups

admin-backups-about = A copy of the whole workspace as it is, while it is used. What is there already is not copied again.
    Passwords and keys are not in it.
admin-backup-target = Where to: a folder, or an address such as s3://bucket/folder
admin-backup-keep = How many stay
admin-backup-make = Make a backup
admin-backup-begun = The backup was started.
admin-backup-running = This is running …
admin-backup-never = No backup was made from here yet.
admin-backup-well = The last backup ended { $when }: { $size } in { $target }.
admin-backup-failed = The last backup failed, { $when }: { $reason }
admin-backup-verify = Read all copies back
admin-verify-begun = The check was started.
admin-verify-never = No copy was read back from here yet.
admin-verify-well = { $count ->
        [one] The copy was read back { $when }, and is whole.
       *[other] All { $count } copies were read back { $when }, and are whole.
    }
admin-verify-failed = Copies are damaged, as was found { $when }: { $reason } The next backup copies again what is missing.
admin-backup-unreadable = What is there cannot be read. { $reason }
admin-backup-empty = Nothing was copied there yet.
admin-backup-copies = { $count ->
        [one] One copy is there
       *[other] { $count } copies are there
    }
admin-backup-live = Live version
admin-backup-size = Size
admin-files = Files
