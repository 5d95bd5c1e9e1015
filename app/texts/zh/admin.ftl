## 管理

admin-title = 管理
admin-part = 此视图的部分
admin-people = 人员
admin-reading = 谁能读什么
admin-tokens = 令牌
admin-limits = 限额
admin-servers = 模型
admin-backups = 备份
admin-who = 谁
admin-why = 原因
admin-name = 名称
admin-name-hint = user:ilse@example.org 或 group:data

## 人员

admin-people-about = 设置、群组、规则、来源或令牌提到的，以及最近来过的所有人。给谁看过什么、谁改过阅读权限，见
    <a href="operate?part=audit" target="_self">运维</a>。
admin-find = 查找名称
admin-nobody = 还没有提到任何人。没有 <code>principals</code> 的来源是公开的。
admin-role = 角色
admin-groups = 所在群组
admin-known-by = 从何得知
admin-by-settings = 角色
admin-by-group = 群组
admin-by-rule = 规则
admin-by-source = 来源
admin-by-token = 令牌
admin-by-seen = 来访
admin-seen = { $age }来过
admin-members = 包含 { $names }
admin-role-admin = 管理员
admin-role-editor = 编辑
admin-role-reader = 读者
admin-role-none = 无
admin-give-role = 授予角色
admin-role-about = 写入 <code>rag.toml</code> 的 <code>[access]</code>。群组以身份提供方在登录时给出的名称为准。
admin-give = 授予
admin-role-given = { $name } 的角色已更改。
admin-group-change = 更改群组
admin-group-about = 在登录带来的群组之外。从下一个问题起生效。
admin-group = 群组
admin-member = 成员
admin-join = 加入
admin-leave = 移出
admin-joined = { $member } 现在属于 { $group }。
admin-left = { $member } 不再属于 { $group }。

## 谁能读什么

admin-reading-about = 某人现在可以读什么，凭哪个名称。不填名称：公开的内容。
admin-also-in = 也属于这些群组
admin-also-in-help = 身份提供方的群组，此人还没有以其身份来过。
admin-see-as = 以 { $name } 的身份查看
admin-reads-as = 以 { $names } 的身份阅读。
admin-source = 来源
admin-may-read = 可以阅读
admin-of = { $of } 篇中的 { $documents } 篇
admin-because = 因为来源允许
admin-because-own = 文档或规则自己这样规定
admin-because-no = 没有这些名称
admin-rules = 提到他们的规则
admin-rule = 规则
admin-rule-about = 关于
admin-document = 某篇文档
admin-document-address = 它的地址、地址的结尾或它的 id
admin-document-none = 没有这样的文档。{ $reason }
admin-document-yes = 可以阅读。
admin-document-no = 不可以阅读。

## 令牌

admin-tokens-about = 程序凭令牌通过 HTTP 提问，只以令牌所属者的身份。
admin-no-tokens = 还没有令牌。
admin-token = 令牌
admin-token-new = 创建令牌
admin-token-make = 创建
admin-token-once = 这是令牌 <b>{ $name }</b>。只显示这一次：请立即复制。
admin-token-noted = 我已复制
admin-token-which = 哪一个
admin-scopes = 可以
admin-scope-read = 搜索和阅读
admin-scope-ask = 请求撰写答案
admin-scope-edit = 更改文集并开始同步
admin-scope-widget = 只能通过小组件提问
admin-scope-metrics = 只能查看指标
admin-scope-admin = 做任何事
admin-reads = 阅读身份
admin-reads-help = 个人和群组。不填：读公开的内容。
admin-public = 公开的内容
admin-limited = 只限这些文集
admin-unlimited = 所有文集
admin-made = 创建
admin-made-by = { $age }由 { $who } 创建
admin-revoke = 撤销
admin-revoke-means = 持有者会立即被拒绝。您可以在十秒内撤回。

## 限额

admin-limits-about = 写入 <code>rag.toml</code>。本页立即遵守；已在运行的服务器要重新启动后才遵守。
admin-limits-access = 一个人可以做多少
admin-limits-answer = 一个答案可以用多少
admin-limits-generator = 语言模型可以写多少

## 模型和服务器

admin-servers-about = 向每一个发送真实的小请求；显示返回的内容或错误。
admin-try = 测试
admin-trying = 正在等待回答 …
admin-answers = 有回答
admin-fails = 失败
admin-here = 在本进程中
admin-first-model = 该服务器的第一个模型
admin-sort-language = 语言模型
admin-sort-embedding = 嵌入模型
admin-sort-reranking = 重排序器
admin-sort-transcription = 转写
admin-key-set = 密钥在 { $name } 中
admin-key-missing = { $name } 中没有密钥
admin-no-server = 没有设置语言模型：答案只是引文。请在 <code>rag.toml</code> 的 <code>[generator]</code> 中指定一个。

## 备份

admin-backups-about = 在使用中复制整个工作区的现状。已有的不会再复制。其中不含密码和密钥。
admin-backup-target = 目的地：文件夹，或类似 s3://bucket/folder 的地址
admin-backup-keep = 保留几份
admin-backup-make = 进行备份
admin-backup-begun = 备份已开始。
admin-backup-running = 正在进行 …
admin-backup-never = 还没有从这里做过备份。
admin-backup-well = 上次备份完成于{ $when }：{ $size }，在 { $target }。
admin-backup-failed = 上次备份失败（{ $when }）：{ $reason }
admin-backup-verify = 读回所有副本
admin-verify-begun = 检查已开始。
admin-verify-never = 还没有从这里读回过副本。
admin-verify-well = { $count ->
       *[other] { $when }读回了全部 { $count } 份副本，完好无损。
    }
admin-verify-failed = { $when }发现副本损坏：{ $reason } 下次备份会补上缺少的部分。
admin-backup-unreadable = 那里的内容无法读取。{ $reason }
admin-backup-empty = 那里还没有副本。
admin-backup-copies = { $count ->
       *[other] 那里有 { $count } 份副本
    }
admin-backup-live = 在线版本
admin-backup-size = 大小
admin-files = 文件
