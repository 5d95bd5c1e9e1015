## 有变化时想得到通知的内容

watches-title = 关注
watches-all = 您关注的全部内容
watches-none = <h3>没有关注任何内容</h3>在答案或搜索下方选择 <b>关注</b>：每次发布后会再问一次，您在这里看到有什么变化。
watches-visitor = <h3>请登录后关注</h3>对只是来访的人无法在以后通知。
watches-gone = 您没有这样的关注，它可能已结束。
watches-watch = 关注
watches-watch-help = 每次发布后再问一次，答案变了就告诉我
watches-watch-search = 关注此搜索
watches-watch-search-help = 每次发布后再搜一次，找到别的文档就告诉我
watches-begun = 有变化时会在“关注”中告诉您。
watches-too-many = 您的关注已达上限。请结束一个不需要的。
watches-link = 关注
watches-link-new = 关注 · { $count } 条新消息
watches-new = { $count } 条新消息
watches-is-new = 新
watches-problem = 未查看
watches-failed = 自上次发布以来无法查看：{ $why }。会再试。
watches-is-question = 一个问题，{ $age }开始关注
watches-is-search = 一次搜索，{ $age }开始关注
watches-when = { $age }，版本 { $version }
watches-changed = 答案变了
watches-lost = 不再有答案
watches-found = 现在有答案了
watches-other-documents = { $count ->
        [0] 找到了别的文档
       *[other] 有 { $count } 篇文档不同
    }
watches-document-came = 新增
watches-document-changed = 已变
watches-document-went = 不再找到
watches-forgotten = 此答案已被遗忘。
watches-unchanged = 自您关注以来没有变化。
watches-mail = 通知 { $address }
watches-mail-failed = 邮件没有发出：{ $why }。
watches-feed = 订阅源
watches-feed-title = 此关注的订阅源
watches-feed-note = 有此地址的人能读到您有权阅读的这些变化。地址只显示一次；新地址会使旧地址失效。
watches-feed-make = 生成地址
watches-feed-end = 终止订阅源
watches-end = 不再关注

## 此后有什么变化

watches-since = 仍然正确吗？
watches-since-help = 看看文档是否仍这样说
watches-since-title = 此答案仍然正确吗？
watches-still-right = 是的：它引用的内容都还在。
watches-right-until = 到 { $date } 为止正确
watches-right-again = 此后它引用的内容又出现了。
watches-quote-stands = 仍在
watches-quote-gone = 已不在
watches-collection-since = 此后有什么变化 …
watches-since-day = 自该日结束以来
watches-since-nothing = 没有保留那一天的版本。请选择更晚的日期。
watches-since-same = 您有权阅读的内容没有变化。
