## 运维：各部分

operate-title = 运维
operate-part = 运维的部分
operate-now = 现在
operate-sources = 来源
operate-review = 审阅
operate-asked = 提问
operate-holding = 存储
operate-costs = 成本
operate-audit = 审计
operate-decided = 权限

## 权限

operate-no-rules = 没有人就谁可以阅读作过决定：以来源的规定为准。
operate-rules = 规则
operate-rule-allow = { $who } 可以阅读
operate-rule-deny = { $who } 不可以阅读
operate-rule-remove = 收回
operate-rule-removed = 在运维中收回
operate-changes = 更改
operate-change-when = 时间
operate-change-who = 由谁
operate-change-what = 内容
operate-change-why = 原因

## 现在

operate-running = 正在进行
operate-idle = 没有正在进行的工作。
operate-doing = { $stage }{ $source ->
        [none] { "" }
       *[other] { " " }{ $source }
    }，已 { $elapsed }
operate-done-of = · { $done } / { $total }
operate-stage-sync = 准备
operate-stage-fetch = 取得
operate-stage-extract = 读取
operate-stage-chunk = 切分
operate-stage-embed = 嵌入
operate-stage-index = 编入索引
operate-stage-evaluate = 评估
operate-sync-failed = 上次同步（{ $when }）失败：{ $reason }
operate-health = 状况
operate-damaged = 在线版本需要有人处理：{ $notice }
operate-all-well = 本机和此工作区一切正常。
operate-all-checks = 全部 { $count } 项检查
operate-level-ok = 正常
operate-level-hint = 提示
operate-level-wrong = 异常
operate-moves = 在线版本的变动
operate-no-moves = 还没有发布过。
operate-when = 时间（UTC）
operate-what = 内容
operate-who = 谁
operate-why = 原因
operate-rollback = 退回：{ $before } → { $version }
operate-redact = 抹除：{ $before } → { $version }

## 来源

operate-no-sources = <h3>还没有来源</h3>文档来自来源：文件夹、订阅源、网站、门户、表。请在 <b>文集</b> 中或 <code>rag.toml</code> 中添加。
operate-attention = { $count ->
        [0] 全部 { $of } 个来源都正常。
       *[other] { $of } 个来源中有 { $count } 个需要注意。
    }
operate-well = 正常
operate-look = 需要注意
operate-schedule = 计划 { $cron }
operate-no-schedule = 没有计划
operate-check-failures = 失败
operate-check-boilerplate = 页面套话
operate-check-count = 文档数量
operate-check-length = 文档长度
operate-check-languages = 语言
operate-check-freshness = 逾期
operate-check-instructions = 指令
operate-check-readable = 无法读取
operate-do-failures = 失败的内容见下；可能自行恢复的会在下次同步时再试。
operate-do-boilerplate = 看几篇文档：正文在吗？
operate-do-count = 如果没错，就不必处理；否则请看来源本身。
operate-do-length = 看几篇文档：全文都在吗？
operate-do-languages = 看几篇文档：文字可读吗？
operate-do-freshness = 在“文集”中同步它；看看 Dagster 是否在运行、来源能否访问。
operate-do-instructions = 请读这些文档：它们试图告诉语言模型该做什么。其中的话从不会被执行。
operate-do-readable = 运行“rag repair”：它会被搁置并重新生成。
operate-failures = { $count ->
       *[other] { $count } 项失败
    }
operate-mend-fetch = 下次同步时再试。
operate-mend-read = 请在文档的出处改正它，然后同步。
operate-more = 另有 { $count } 个

## 提问

operate-period = 时段
operate-days = { $count } 天
operate-nothing-asked = <h3>这段时间没有提问</h3>一旦有人提问和搜索，这里就显示每天多少、哪些耗时长、哪些文档没有回答。
operate-questions = 问题
operate-unanswered = 未回答
operate-answered = 已回答
operate-share = 占 { $percent }
operate-searches = 搜索
operate-searches-mean = 包括输入时的搜索
operate-days-spoken = { $days } 天内 { $questions } 个问题，其中 { $unanswered } 个未回答
operate-day = 日（UTC）
operate-by-day = 每日的问题和搜索
operate-as-table = 以表格显示
operate-median = 中位数
operate-p95 = 第 95 百分位
operate-unanswered-part = 未回答
operate-unanswered-mean = 文档中没有的内容，按所涉话题分组。不显示提问者。
operate-all-answered = 这段时间的问题都得到了回答。
operate-grouping = 正在按含义分组 …
operate-no-model = 没有分组，因为模型无法使用：{ $reason }
operate-most-asked = { $of } 个不同问题中被问得最多的 { $most } 个。
operate-show-all = 显示全部 { $count } 个
operate-asked-times = 问过{ $times ->
        [one] 一次
       *[other] { $times } 次
    }{ $wordings ->
        [one] { "" }
       *[other] ，{ $wordings } 种说法
    }，最近一次{ $last }
operate-times = { $times ->
       *[other] { $times } 次
    }
operate-propose = 提议为评估问题
operate-propose-help = 文档应当回答它。它会出现在“质量”的“提议”中，由编辑选出能回答它的文字。
operate-propose-unanswerable = 拒答是对的
operate-propose-unanswerable-help = 文档不必回答它。它会出现在“质量”的“提议”中，作为必须拒答的问题。
operate-proposed = 已提议。编辑可在“质量”中找到。
operate-slow = 最慢的
operate-slow-mean = 不显示提问者。
operate-stage = 阶段
operate-took-total = 总计
operate-took-search = 搜索
operate-took-generate = 撰写
operate-took-verify = 核对
operate-question = 问题
operate-model = 撰写者

## 存储

operate-no-data = <h3>还没有存储任何内容</h3>第一次同步会建立文件夹 <code>data</code>。
operate-measuring = 正在测量 …
operate-free = 磁盘剩余
operate-of-disk = 共 { $size }
operate-data = data/ 中
operate-live-index = 在线版本
operate-chunks = { $count ->
       *[other] { $count } 个段落
    }
operate-in-data = data/ 里有什么
operate-folder = 文件夹或文件
operate-size = 大小
operate-holds-index = 所有保留的版本
operate-holds-raw = 来源列出的内容，以及取得时的字节
operate-holds-documents = 整理后的文字
operate-holds-chunks = 段落
operate-holds-embeddings = 向量，已缓存，同一文字不会嵌入两次
operate-holds-evals = 评估的报告和历史
operate-holds-uploads = 上传文件的文集
operate-holds-dagster = Dagster 的运行历史
operate-holds-logs = 所启动程序的输出
operate-holds-app-sqlite = 凭据、聊天和评价
operate-versions = 索引的版本
operate-no-versions = 还没有构建过。
operate-version = 版本
operate-live = 在线
operate-part-vectors = 向量
operate-part-words = 词语
operate-part-catalog = 文字
operate-part-other = 其他
operate-version-holds = { $documents ->
       *[other] { $documents } 篇文档
    }，{ $chunks ->
       *[other] { $chunks } 个段落
    } · { $models }
operate-dimension = 模型名称后的数字是其向量的维数。含多个模型的版本，每个模型各有一个向量空间。

## 成本

operate-no-costs = <h3>还没有记录任何运行</h3>每次同步的每个阶段都会记下做了什么、用了多久。
operate-time-by-day = 每日用时
operate-time-spoken = { $days } 天共 { $time }
operate-runs = 运行
operate-runs-mean = 有变化的重新生成，其余的沿用：所以一次运行的成本取决于变化，而不是总量。
operate-time = 用时
operate-seconds = 秒
operate-made = 生成
operate-reused = 沿用
operate-tokens = 词元
operate-written = 写入

## 审阅

operate-held = 扣留待审
operate-held-mean = 在有人接受之前，谁也找不到这些。
operate-none-held = 没有扣留任何内容。
operate-held-since = { $when }扣留
operate-accept = 接受
operate-accept-help = 从现在起用于作答，不必同步。一旦来源改动其文字，会再次扣留。
operate-accepted = “{ $title }”从现在起用于作答。
operate-reject = 拒绝
operate-reject-help = 不论其文字如何变化，谁也不能再读。不会删除任何内容。
operate-rejected = “{ $title }”对所有人关闭。
operate-flagged = 已标记
operate-flagged-mean = 这些文档试图向读它的语言模型发出指令。除非 [documents] 中开启 hold_flagged，它们与其他文档一样可以找到。
operate-none-flagged = 没有文档被标记。

# 审计

operate-audit-who = 只看此人或此令牌
operate-audit-none = 没有符合的记录。
operate-audit-through = 途径
operate-audit-documents = 显示过的文档
operate-audit-question = 问题
operate-audit-erased = （已抹除）
operate-audit-refused = 被拒绝
operate-audit-search = 搜索
operate-audit-answer = 答案
operate-audit-open = 打开文档
operate-audit-original = 下载原件
operate-audit-export = 导出
operate-audit-erase = 抹除部分记录
operate-audit-see_as = 以他人的眼光查看
operate-audit-share = 更改分享对象
operate-change = 更改其设置
