## 搜索

search-box = 搜索您的文档
search-go = 搜索
search-mode = 搜索方式
search-mode-rerank = 最佳
search-mode-hybrid = 快速
search-mode-lexical = 词语
search-mode-vector = 含义
search-mode-help = { $mode ->
        [rerank] 词语和含义，并对最好的段落重新排序
        [hybrid] 词语和含义，不重新排序
        [lexical] 只找含有您所写词语的段落
       *[vector] 只看段落的含义，不论用什么词
    }
search-match = 必须包含
search-match-any = 其中一部分
search-match-all = 所有词
search-match-exact = 完全相同的文字
search-match-part = 词的一部分
search-match-help = { $match ->
    [all] 问题中的每个词，不论词形
    [exact] 与问题完全一样的文字
    [part] 问题的文字，也可在词的内部：适合代码和名称
   *[other] 其中一些词，或它的含义
    }
search-try-match = 查找<a href="{ $address }" target="_self">其中一部分</a>
search-sort = 排序
search-sort-relevance = 按相关程度
search-sort-date = 最新优先

search-filters = 筛选
search-facet-collection = 文集
search-facet-source = 来源
search-facet-type = 类型
search-facet-language = 语言
search-facet-tag = 标签（须全部具备）
search-facet-since = 日期
search-age = 年代
search-archived = 已归档
search-archived-help = 只找因年代久远而归档的内容，而不是其他文档
search-limit-since = { $value } 以来
search-limit-until = 截至 { $value }
search-choice = { $facet }：{ $value }
search-remove = 去掉此筛选
search-remove-all = 全部清除
search-more-choices = 另有 { $count } 项
search-past-week = 最近一周
search-past-month = 最近一月
search-past-year = 最近一年
search-from = 从
search-to = 到
search-set = 设定

search-results = 结果
search-found = { $documents ->
       *[other] { $documents } 篇文档
    }
search-found-best = { $documents ->
       *[other] 最好的 { $documents } 篇文档
    }
search-newest-note = 在最能作答的 { $documents ->
       *[other] { $documents } 篇文档
    }中，最新优先
search-took = { $ms } 毫秒
search-quick = 输入时的快速排序。按 <kbd>Enter</kbd> 重新排序。
search-looking = 正在重新排序 …
search-busy = 现在搜索的人很多：这是快速排序。按 <kbd>Enter</kbd> 再试一次重新排序。
search-understood = 理解为：{ $query }
search-nearest = 这里似乎没有能作答的内容。最接近的段落：
search-instructs = 此文档试图向读者发出指令。
search-page-of = 第 { $page } 页
search-pages = 结果分页
search-page = 第 { $page } 页
search-previous = 上一页
search-next = 下一页
search-last = 这是最好的 { $count } 个。要看其他的，请用筛选或更多的词缩小范围。

search-nothing = 没有找到
search-nothing-relevant = 没有找到相关内容
search-try-spelling = 请检查拼写，或换用其他的词、少用几个词。
search-try-meaning = <a href="{ $address }" target="_self">也按含义搜索</a>，不只看词语。
search-try-without = 去掉筛选 <b>{ $filter }</b> 后，
        { $documents ->
           *[other] 有<a href="{ $address }" target="_self"> { $documents } 篇文档</a>能作答。
        }
search-try-clear = <a href="{ $address }" target="_self">清除所有筛选</a>。

search-welcome = <h1>搜索</h1><p>{ $documents ->
           *[other] { $documents } 篇文档
    }，按词语也按含义。边输入边出结果。</p>
search-syntax-title = 可以输入什么
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>这些词、它们的各种词形，以及意思相同的内容</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>完全按此顺序的这些词</dd></div>
    <div><dt><code>*4471*</code></dt><dd>词、代码或名称的这一部分</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>只从那里找；还有 <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>不早于此；用 <code>before:</code> 表示不晚于此</dd></div>
    <div><dt><code>-draft</code></dt><dd>不含这个词</dd></div>
    </dl>
search-keys = <kbd>/</kbd> 到输入框，<kbd>↓</kbd> <kbd>↑</kbd> 或 <kbd>j</kbd> <kbd>k</kbd> 在结果间移动，
    <kbd>Enter</kbd> 打开一个，<kbd>Esc</kbd> 返回。

## 结果为何排在这个名次，文档为何不在结果中

search-why = 为何是这个名次
search-why-not = 为何没有这篇文档？
search-why-not-name = 文档
search-why-not-box = 它的地址，或地址的结尾
search-why-rank = 名次
search-why-score = 分数
search-why-final = 最终
search-why-probably = 可能相关
search-why-lexical = 词语（BM25）
search-why-vector = 含义（余弦）
search-why-fused = 合并后
search-why-aged = 计入年代后
search-why-trusted = 计入来源可信度后
search-why-reranked = 重新排序后
search-why-fed-back = 伪相关反馈后
search-why-found = 排在第 { $rank } 位
search-why-lost = 不在结果中：{ $stage }
search-why-passage = 段落
search-why-passage-n = 段落 { $n }
search-why-ended = 止于
search-why-retriever-lexical = 词语
search-why-retriever-vector = 含义
search-why-of = { $of } 个中第 { $rank } 个
search-why-more = 另有 { $count } 个段落
search-end-beyond-k = 名次靠后
search-end-depth = 未入候选
search-end-aged = 年代
search-end-trusted = 来源可信度较低
search-end-reranked = 重新排序
search-end-unwanted = 被降低
search-end-irrelevant = 不相关
search-also = 也在
search-ask-these = 就这些提问
search-no-collection = 不在任何文集中
