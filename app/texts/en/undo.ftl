## What was just taken away, and can be taken back

undo-chat = The chat <b>{ $name }</b> is deleted.
undo-link = The link to <b>{ $name }</b> has ended.
undo-feed = The feed of <b>{ $name }</b> has ended.
undo-token = The token <b>{ $name }</b> is revoked.
undo-file = <b>{ $name }</b> is removed.
undo-collection = The collection <b>{ $name }</b> is deleted.
undo-source = The source <b>{ $name }</b> is deleted.
undo-question = The question <b>{ $name }</b> is deleted.
undo-proposal = <b>{ $name }</b> is dismissed.
undo-watch = <b>{ $name }</b> is watched no more.
undo-template = The template <b>{ $name }</b> is removed.
undo-assistant = The assistant <b>{ $name }</b> is removed.
undo-grid = The grid <b>{ $name }</b> is removed.
undo-grid-column = The question <b>{ $name }</b> is removed.
undo-grid-row = <b>{ $name }</b> is removed from the grid.
undo-rule = What was decided of <b>{ $name }</b> is taken back.
undo-member = <b>{ $name }</b> has left the group.
undo-role = <b>{ $name }</b> has no role any more.
undo-keep = Undo
undo-keep-help = Keep { $name }
