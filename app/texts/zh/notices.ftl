## 什么没有上线，为什么

notice-refused = 已拒绝
notice-held = 已扣留
notice-rollback = 发布已停止
notice-overridden = 仍然发布
notice-late = 逾期
notice-waiting = 未上线
notice-more = { $count ->
       *[other] 另有 { $count } 个原因
    }
notice-examples = 文档并排对照
notice-before = 已上线的样子
notice-after = 最近读到的样子
notice-not-there = （无）
notice-reason = 原因
notice-reason-missing = 请说明原因，它会记入日志。
notice-hold-title = 扣留 { $source }？
notice-hold-means = 在有人放行之前，<code>{ $source }</code> 保持上线时的样子，不论这期间读到什么。其他来源照常进行。
notice-hold-now = 扣留
notice-publish-title = 仍然发布 { $source }？
notice-publish-means = 人们将得到最近读到的 <code>{ $source }</code>，不论检查怎么说。只放行这一状态：以后的会重新判断。
notice-publish-now = 发布
notice-done = { $source }：正在构建版本。
