## 质量：各部分

quality-title = 质量
quality-part = 质量的部分
quality-overview = 概览
quality-versions = 版本
quality-questions = 问题
quality-proposed = 提议
quality-proposed-count = 提议{ $count ->
        [0] { "" }
       *[other] （{ $count }）
    }

## 最新的版本

quality-nothing-built = <h3>还没有可评判的</h3>索引的版本由 <code>rag sync</code> 构建，或在“文集”中用
    <b>立即同步</b>。每个版本都要回答同样的问题，并与在线版本并列显示在这里。
quality-never = <h3>{ $version } 尚未评判</h3>点击 <b>立即评估</b>：让此版本回答您的问题，与在线版本比较，并在这里显示结论。这不会发布任何内容。
quality-newest = 最新版本：<code>{ $version }</code>
quality-newest-live = 最新版本：<code>{ $version }</code>，已在线
quality-evaluate = 立即评估
quality-evaluate-help = 让最新版本回答今天的问题，并与在线版本比较。不发布任何内容。
quality-evaluating = 正在准备评估 …
quality-evaluating-of = 正在提出第 { $done } 个问题，共 { $total } 个 …
quality-failed = 上次评估失败：{ $reason }
quality-damaged = 对 { $version } 的评估所存内容已损坏（{ $error }）。请点击“立即评估”或运行“rag sync”重新评判。
quality-passed = 通过
quality-refused = 拒绝
quality-rescore = 未比较
quality-not-judged = 未评判
quality-reasons = { $count ->
       *[other] 全部 { $count } 个原因，逐字列出
    }
quality-against-live = 与在线版本相比
quality-interval = 95 % 把握：{ $ends }
quality-card-questions = 胜 : 负
quality-of = 共 { $count } 个问题
quality-card-search = 搜索用时中位数
quality-card-p95 = 第 95 百分位 { $ms } 毫秒

quality-over-time = 随时间变化
quality-measure = 指标
quality-chart-key = 每个点是一次评估，其竖线是 95 % 区间。空心点表示被拒绝。线断开处问题有变化：两边不可相互比较。
quality-one-evaluation = 目前只有一次评估；下一次会形成一条线。
quality-all-evaluations = { $count ->
       *[other] 以表格显示全部 { $count } 次评估
    }
quality-version = 版本
quality-on = 日期
quality-interval-95 = 95 % 区间
quality-gate = 关卡
quality-scored-again = 重新评分
quality-no-questions = <h3>没有测量</h3>只检查了索引本身，因为还没有问题。请在 <b>问题</b> 中写一些：人们会问什么，以及文档中回答它的文字。然后点击 <b>立即评估</b>。
quality-side-by-side = { $now } 与 { $then } 并列
quality-scores = 分数
quality-other-questions = 之前的版本回答的是别的问题，所以不作比较。
quality-more-measures = 更多指标
quality-by = { $metric }，按 { $group }
quality-change = 变化

quality-moved = 胜负的问题
quality-worse = 变差（{ $count }）
quality-better = 变好（{ $count }）
quality-none-moved = 没有。
quality-show-all = 显示全部 { $count } 个
quality-ranks = 名次 { $before } → { $after }
quality-not-found = 无
quality-cause = 原因：{ $cause }。
quality-no-cause = 所找到的文档没有任何变化。
quality-competition = 它自己的段落没有变；是别的段落排到它前面，或离开了。
quality-found-by = { $version } 找到
quality-found-nothing = 没有。
quality-right = （正确）
quality-unreadable-hit = 一篇您无权阅读的文档
quality-hidden = 关于您无权阅读的文档的问题计算在内，但不显示。

## 版本

quality-damaged-versions = { $count ->
       *[other] { $count } 个版本无法读取
    }：描述它的文件已损坏。<code>rag repair</code> 可以修复。
quality-admins-publish = 由管理员发布版本和退回。
quality-live = 在线
quality-candidate = 候选
quality-pinned = 已固定
quality-version-facts = 构建于{ $age }（{ $date }） · { $documents ->
       *[other] { $documents } 篇文档
    } · { $chunks ->
       *[other] { $chunks } 个段落
    } · { $model }
quality-not-scored = 还没有分数。
quality-scored = { $metric } { $score }{ $ends ->
        [none] { "" }
       *[other] （{ $ends }）
    }
quality-by-promote = 由 { $who } 发布于{ $when }：{ $why }
quality-by-rollback = 由 { $who } 退回于{ $when }：{ $why }
quality-by-redact = 由 { $who } 抹除已遗忘的文档于{ $when }：{ $why }
quality-why-refused = 为何拒绝
quality-promote = 发布 …
quality-rollback = 退回到它 …
quality-again = 再次发布 …
quality-release = 恢复自动发布 …
quality-report = 报告
quality-compare = 与在线版本比较

quality-promote-title = 发布 { $version }？
quality-rollback-title = 退回到 { $version }？
quality-promote-means = 从下一个问题起，所有人都由此版本作答。只需一瞬间，也可以同样撤回。退回之后，同步会恢复自动发布。
quality-rollback-means = 从下一个问题起，所有人都由此版本作答。只需一瞬间。在有人发布版本之前，不会自动发布：同步仍会构建和评判。
quality-reason = 原因，记入日志
quality-reason-example = 最新版本的价格有误
quality-reason-missing = 请说明原因：以后看日志的人会想知道。
quality-promote-now = 发布
quality-rollback-now = 退回
quality-override-means = 关卡没有放行此版本。仍要发布就是越过关卡，日志会记下您的姓名。
quality-override = 越过关卡：发布未通过的 { $version }
quality-override-logged = { $reason }（尽管关卡没有放行）
quality-moved-meanwhile = 在此期间 { $version } 已上线。请关闭此窗口，再看一次，重新决定。
quality-is-live = { $version } 已上线
quality-documents = 文档
quality-chunks = 段落
quality-now = 现在：{ $version }
quality-then = 之后：{ $version }
quality-what-changes = 有何变化
quality-documents-move = 文档：{ $came } 篇新增，{ $went } 篇离开，{ $edited } 篇有改动。
quality-score-moves = { $metric }：{ $change }。

## 报告和比较

quality-report-of = { $version } 的报告
quality-one-version = <h3>还没有可以比较的内容</h3>比较需要两个版本：每次带来变化的同步都会生成一个。
quality-compare-title = 有何不同
quality-side-a = 之前
quality-side-b = 之后
quality-same-version = 这是同一个版本。请选另一个。
quality-passages = 段落：{ $kept } 个保留，{ $new } 个新增，{ $gone } 个消失。
quality-disk = 磁盘占用：之前 { $then }，现在 { $now }。
quality-made-with = 生成方式
quality-source = 来源
quality-by-source = 按来源
quality-came-added = 新增
quality-came-removed = 离开
quality-came-edited = 改动
quality-kind-added = 新增（{ $count }）
quality-kind-removed = 离开（{ $count }）
quality-kind-source = 在来源处改动（{ $count }）
quality-kind-extractor = 同样的字节读出不同（{ $count }）
quality-kind-description = 文字相同，描述不同（{ $count }）
quality-more = 另有 { $count } 个
quality-unreadable = 另有 { $count } 个您无权阅读

## 问题

quality-no-questions-yet = <h3>好问题能挡住坏版本</h3>写下人们用自己的话会问什么，并选出文档中回答它的文字。每个新版本都要回答这些问题，答得更差的不会发布。
    五十个是不错的开端；其中一些应是文档回答不了的。
quality-add = 添加问题
quality-import = 导入
quality-import-title = 导入问题
quality-import-means = 每行一个 JSON 对象的文件，如 <b>导出</b> 所写。要么全部采用，要么都不采用；文件名即问题集的名称。
quality-import-file = 问题集
quality-imported = { $count ->
       *[other] 添加了 { $count } 个问题
    }{ $lost ->
        [0] 。
       *[other] ；{ $lost } 条引文不在您有权阅读的任何文档中。
    }
quality-export = 导出
quality-malformed = 这一行无法读取，会使每次评估停止：<code>{ $where }</code>。请在文件中改正；
    <code>rag questions check</code> 会说明更多。
quality-find-question = 查找问题
quality-find-question-hint = 其中的词、id 或标签
quality-set = 问题集
quality-all-sets = 所有问题集
quality-unanswerable = 无法回答
quality-lost = 找不到引文
quality-train = 用于调试
quality-edit = 编辑

quality-adding = 新问题
quality-editing = 编辑问题
quality-accepting = 采纳提议的问题
quality-no-such-question = <h3>此问题不在这里</h3>它已被删除或更改，或关于您无权阅读的文档。
quality-question = 人们会问什么
quality-question-hint = 我有多少天年假？
quality-answerable = 文档能回答它
quality-answerable-help = 关闭：正确的反应是说文档没有说明。
quality-answer = 可接受的答案（可不填）
quality-answer-help = 正确答案中应有的几个词。多个时用 | 隔开。
quality-places = 回答它的段落
quality-places-mean = 至少一条引文：文档中的原话。文档如何切分无关紧要。
quality-remove-place = 移除第 { $number } 处
quality-search = 搜索回答它的段落
quality-search-hint = 段落中的词，或问题本身
quality-search-nothing = 没有找到。请换别的词。
quality-choose-passage = 选择段落
quality-choose-sentence = 选出作答的句子
quality-quote = 引文；可加长或缩短
quality-use-quote = 使用此引文
quality-open-document = 打开文档
quality-details = 详情
quality-tags = 标签，用逗号隔开
quality-language = 语言，如 zh
quality-asked-by = 提问者
quality-asked-by-help = 以谁的身份搜索，如 group:hr；留空：所有人，否则为有权阅读这些段落的人。
quality-as-of = 截至
quality-as-of-help = 提问的日期，如 2026-05-31；留空：任何时候。
quality-split = 划分
quality-split-help = “dev”的问题在关卡中起决定作用；“train”的用于调试设置。
quality-by-chance = 自动
quality-save = 保存
quality-saved = 已保存。下次评估会提出它。
quality-delete = 删除

## 提议的问题

quality-nothing-proposed = <h3>没有提议</h3>有人对答案点了拇指向下，或评价了文档中没有的答案，其问题就会来到这里。采纳它，下一版本就必须做得更好。
quality-accept = 采纳 …
quality-dismiss = 舍弃
quality-judged-good = 拒答是对的
quality-judged-better = 优于另一个答案
quality-why-wrong = 错误
quality-why-incomplete = 有遗漏
quality-why-outdated = 过时
quality-why-source = 来源错误
quality-why-unanswered = 文档里其实有答案
quality-why-other = 不好
quality-judged = { $when }评价，由 { $version } 作答
quality-answered = 答案：{ $answer }

## 人们对答案的看法

quality-feedback = 反馈
quality-judged-none = 这些天没有人评价答案。拇指在每个答案下方。
quality-judged-all = 评价
quality-judged-rate = 认为好
quality-judged-bad = 认为不好
quality-judged-were-good = 好
quality-judged-were-bad = 不好
quality-judged-by-day = 每日评价
quality-judged-spoken = { $days } 天内 { $good } 个好评，{ $bad } 个差评。
quality-judged-by-collection = 按文集
quality-judged-by-generator = 按撰写者
quality-judged-preferred = 比另一个答案更受欢迎
quality-judged-name = 名称
quality-judged-reasons = 原因：{ $reasons }。
quality-judged-worst = 答案不好的问题
quality-judged-worst-mean = 问法相近的放在一起。
quality-judged-times = { $times ->
       *[other] 差评 { $times } 次
    }
quality-judged-make = 作为关卡的问题
quality-judged-make-help = 以答案所引的内容作为回答它的段落。做不到时打开编辑器。
quality-judged-made = 它现在是关卡的问题了。
quality-judged-decided = 已有人作出决定。
quality-judged-edit = 先看一看
