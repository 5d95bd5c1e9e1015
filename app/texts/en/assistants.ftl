## Assistants: how somebody wishes to be answered, under a name

assistants-title = Assistants
assistants-about = An assistant answers as it was told, from the collections that it was given. Whoever asks it finds only what they
    may read, and every sentence is checked as always.
assistants-none = <h3>There is no assistant yet</h3>Make one for what you ask again and again, and share it with your group.
assistants-visitor = <h3>Sign in to make an assistant</h3>It is kept for who has a name.
assistants-gone = This is not among yours. It may have been removed.
assistants-not-here = This assistant is not here. It may have been removed, or is not shared with you any more; the answers come
    without it.
assistants-new = New assistant
assistants-change = Change an assistant
assistants-all = Assistants and templates
assistants-edit = Change
assistants-edit-named = Change { $name }
assistants-name = Name
assistants-for = What it is for
assistants-instructions = How it is to answer
assistants-instructions-help = A language model is told this, below the rules about sources. Answers of quotes alone stay as they are.
assistants-collections = Answers from
assistants-all-of-them = All that who asks may read
assistants-writer = Written by
assistants-any-writer = Whom the asker has chosen
assistants-starters = Questions to begin with, one in each line, at most { $most }
assistants-readers = Shared with
assistants-readers-none = Nobody else
assistants-everybody = Everybody
assistants-save = Save
assistants-remove = Remove
assistants-model = For other programs it is the model <code>{ $model }</code>.
assistants-own = Yours alone
assistants-shared = Yours, shared with { $readers }
assistants-of-others = By { $owner }
assistants-with = With <b>{ $name }</b>
assistants-templates = Templates of questions
assistants-templates-about = A question that is asked again and again, with gaps: type its name behind an exclamation
    mark in the box, as in <b>!changes</b>, and fill them.
assistants-template = template
assistants-template-new = New template
assistants-template-change = Change a template
assistants-template-text = Question
assistants-template-help = Names in double braces are the gaps, as in: What changed in {"{{"}product{"}}"} since {"{{"}year{"}}"}?
assistants-ask = Ask
