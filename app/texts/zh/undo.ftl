## 刚刚移除、还可以取回的

undo-chat = 聊天 <b>{ $name }</b> 已删除。
undo-link = <b>{ $name }</b> 的链接已终止。
undo-feed = <b>{ $name }</b> 的订阅源已终止。
undo-token = 令牌 <b>{ $name }</b> 已撤销。
undo-file = <b>{ $name }</b> 已移除。
undo-collection = 文集 <b>{ $name }</b> 已删除。
undo-source = 来源 <b>{ $name }</b> 已删除。
undo-question = 问题 <b>{ $name }</b> 已删除。
undo-proposal = <b>{ $name }</b> 已舍弃。
undo-watch = 不再关注 <b>{ $name }</b>。
undo-template = 模板 <b>{ $name }</b> 已移除。
undo-assistant = 助手 <b>{ $name }</b> 已移除。
undo-grid = 答案表 <b>{ $name }</b> 已移除。
undo-grid-column = 问题 <b>{ $name }</b> 已移除。
undo-grid-row = <b>{ $name }</b> 已从答案表移除。
undo-rule = 关于 <b>{ $name }</b> 的决定已收回。
undo-member = <b>{ $name }</b> 已不在该群组中。
undo-role = <b>{ $name }</b> 不再有任何角色。
undo-keep = 撤销
undo-keep-help = 保留 { $name }
