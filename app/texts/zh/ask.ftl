## 提问：聊天视图

ask-hero = <h1>向您的文档提问</h1><p>答案依据已发布的内容写成，每一句都指向它所依据的段落。文档没有说的，答案会照实说明。</p>
ask-examples = 您可以问
ask-placeholder = 就您的文档提问
ask-written-by = 撰写者
ask-quotes-alone = 只用引文，不用模型
ask-own-model = 语言模型
ask-prompt = 已存的指示
ask-no-prompt = 无
ask-archived = 已归档的文档
ask-archived-help = 答案只来自因年代久远而归档的文档，而不是其他文档。
ask-you-asked = 您的问题
ask-unpublished = <h1>还没有可以提问的内容</h1><p>本页依据文档作答，而目前还没有发布任何文档。只需三步：</p>
ask-unpublished-steps = <ol><li><b>说明要读什么。</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">放入文件</a>，或添加
            <a class="inner" href="collections?show=sources&add=folder" target="_self">文件夹</a>、
            <a class="inner" href="collections?show=sources&add=web" target="_self">网站</a>或
            <a class="inner" href="collections?show=sources&add=feed" target="_self">订阅源</a>
       *[reader] 由编辑放入文件，或添加文件夹、网站或订阅源
    }。</li>
    <li><b>看着它被读取。</b> <b>立即同步</b>会把全部内容读一遍，并显示进度；以后只读有变化的部分。</li>
    <li><b>提问。</b> 第一个版本会自动上线，本页也会随之更新。</li></ol>
ask-look-again = 再看一次

## 撰写答案时

ask-understanding = 正在理解问题 …
ask-searching = 正在搜索 …
ask-reading = 正在阅读 { $passages ->
       *[other] { $passages } 个段落
    } …
ask-thinking = 正在思考 …
ask-writing = 正在撰写 …
ask-nothing-found = 没有找到
ask-trace = { $searches ->
       *[other] 搜索 { $searches } 次
    } · { $passages ->
        [0] 没有段落
       *[other] { $passages } 个段落
    } · { $seconds } 秒
ask-trace-stopped = 已停止 · { $passages ->
        [0] 没有段落
       *[other] { $passages } 个段落
    }
ask-step-understood = 理解为 <q>{ $question }</q>
ask-step-searched = 搜索了 <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] 没有找到段落
       *[other] 找到 { $passages } 个段落
    }
ask-step-wrote = { $model ->
        [extractive] 引用原文，未用模型
       *[other] 由 { $model } 撰写
    }
ask-step-checked = { $claims ->
        [0] 没有需要核对的
       *[other] { $claims } 句已与来源核对
    }
ask-step-total = 总计
ask-milliseconds = { NUMBER($ms, maximumFractionDigits: 0) } 毫秒
ask-thought = 模型的思考

## 答案

ask-sources = 来源
ask-more-passages = { $count ->
       *[other] 该文档另有 { $count } 个段落
    }
ask-beside = 来源
ask-beside-close = 关闭
ask-beside-open = 打开全文
ask-origins = { $count } 个独立出处都这样说
ask-source-open = { $n }：{ $title }。打开文档中的该段落。
ask-closest = 最接近的段落
ask-stopped-sources = 当时所依据的来源
ask-told = { $when } · { $version } · { $model ->
        [extractive] 只用引文，不用模型
       *[other] { $model }
    }
ask-ids = 凭据
ask-older = 依据 <code>{ $version }</code> 作答。此后 { $live } 已上线，文档的说法可能不同。
ask-again = 再问一次
ask-withheld = 此答案依据您无权阅读的文档，因此不予显示。
ask-withheld-now = 此答案依据您已无权阅读的文档，因此不再显示。
ask-unanswered = 此问题没有答案：还没写出内容就停止了。
ask-stopped = 已停止。这段文字未与来源核对。
ask-stop = 停止
ask-waits = 这一个答完后就回答您的问题。
ask-model-failed = <b>{ $model } 无法作答。</b> 您看到的是来源原文中的句子。
ask-failed = <b>没有成功。</b> { $reason } 您的问题已保留。
ask-too-many = 同时提出的问题太多。请在 { $seconds ->
       *[other] { $seconds } 秒
    }后再问；您的问题在下面。
ask-try-again = 重试
ask-try-with = 用 { $name } 作答
ask-next = 接着可以问
ask-copy = 复制
ask-copy-code = 复制此代码
ask-speak = 朗读
ask-speak-stop = 停止朗读
ask-listen = 用语音提问
ask-listen-failed = 没有听到声音
ask-copied = 已复制
ask-late = <b>{ $sources }</b> { $count ->
       *[other] 已逾期：自{ $age }读取以来，计划的时间已过去两次。
    } 答案中可能缺少新的内容。
ask-earlier = 显示更早的问题（{ $count }）

ask-verdict = { $verdict ->
        [yes] 是，原文如下：
       *[no] 否，原文如下：
    }
ask-also-in = { $language }的说法：

ask-disagree = <b>来源说法不一。</b>
ask-side = { $count ->
       *[other] { $of } 个来源中有 { $count } 个说
    }
ask-side-newest = { $count ->
        [one] { $of } 个来源中{ $of ->
            [2] 较新
           *[other] 最新
        }的一个（{ $date }）说
       *[other] { $of } 个来源中有 { $count } 个说，其中包括最新的一个（{ $date }）
    }

## 各句的核对结果

ask-state = { $state ->
        [quoted] 引文
        [supported] 有依据
        [contradicted] 被否定
       *[unverified] 未核实
    }
ask-word-for-word = 与来源逐字相同
ask-probable = 有依据的可能性为 { $percent } %
ask-checked-by = 由 { $check } 核对
ask-taken-away = <b>已移除</b>，因为有来源说法相反：<del>{ $sentence }</del>
ask-denied-by = “{ $quote }”（{ $title }）
ask-denies = 说法相反

## 文档没有说的

ask-searched-in = { $documents ->
        [-1] 搜索了：
        [0] 您无权阅读任何文档。搜索了：
       *[other] 在您有权阅读的 { $documents } 篇文档中搜索了：
    }
ask-missing-add = 添加缺少的文档
ask-missing-tell = 告诉编辑缺少这项内容
ask-missing-others = 还有哪些没有得到回答

## 评价

ask-judge = 这个答案好吗？
ask-bad-title = 哪里不对？
ask-bad-abstained-title = 这个问题本该得到回答吗？
ask-reason = 原因
ask-reason-wrong = 答案错了
ask-reason-incomplete = 有遗漏
ask-reason-outdated = 已过时
ask-reason-source = 引用了错误的来源
ask-reason-unanswered = 文档里其实有答案
ask-reason-other = 其他
ask-comment = 正确的是什么？（可不填）
ask-judge-note = 此问题、它的答案和您在这里写的内容会提交给编辑，作为检验每个新版本的问题。
ask-send = 发送
ask-thanks = 谢谢。编辑会看到。

## 聊天

ask-new = 新聊天
ask-chats = 聊天
ask-find = 在您的聊天中查找
ask-no-chats = 您的聊天会列在这里，别人看不到。
ask-none-found = 没有聊天包含这些词。
ask-more-chats = 显示更多
ask-today = 今天
ask-yesterday = 昨天
ask-week = 最近七天
ask-before = 更早
ask-pinned = 已置顶
ask-pin = 置顶
ask-unpin = 取消置顶
ask-folder = 文件夹
ask-no-folder = 不放入文件夹
ask-folder-help = 选择一个，或输入新名称。
ask-share = 分享
ask-export = 导出
ask-export-word = Word，带脚注
ask-export-print = 打印，或存为 PDF
ask-more = 更多
ask-rename = 重命名
ask-rename-title = 重命名此聊天
ask-title = 标题
ask-save = 保存
ask-delete = 删除
ask-gone = 此聊天不在这里。它可能已被删除，或属于别人。

## 分享

ask-share-title = 分享此聊天
ask-share-note = 有链接的人可以读到目前为止的内容；每个答案只有在对方有权阅读其依据的所有文档时才显示。您以后的提问不包括在内。
ask-share-readers = 只给
ask-share-everybody = 所有可以在这里提问的人
ask-share-readers-help = 个人和群组，例如 group:support。其他人打开链接什么也看不到。
ask-share-make = 生成链接
ask-share-renew = 按现在的样子分享
ask-share-end = 停止分享
ask-shared = <b>{ $title }</b> 已分享给您。您可以阅读，不能更改。
ask-shared-gone = <h3>此链接已失效</h3>聊天已被删除，或其主人已停止分享。
ask-shared-own = 提出自己的问题

## 导出的文件

ask-export-asked = 提问于 { $date }，依据版本 { $version }，由 { $model ->
        [extractive] 引文作答，未用模型
       *[other] { $model } 作答
    }；凭据 { $receipt }。
ask-export-sources = 来源
ask-export-checked = 已核对
ask-export-page = 第 { $page } 页
ask-export-at = 导出于 { $date }。

## 聊天依据什么作答

ask-scope = 只依据
ask-scope-remove = 不再依据 { $name } 作答
ask-scope-all = 依据全部内容
ask-scope-gone = 已不在这里或您已无权阅读的内容
ask-complete = 文集和文档
ask-complete-collection = 文集
ask-complete-document = 文档

## 聊天的文件

ask-attaching = 正在读取 { $name } …
ask-pasted = 粘贴的文本.txt
ask-attached = 此聊天的文件
ask-attached-remove = 移除 { $name }
ask-attached-only = 只依据这些文件
ask-attached-note = 只有您能看到，它们随此聊天一起消失。

## 其表格和图片

ask-table-of = { $title } 的表格
ask-table-whole = 全部 { $count } 行
ask-table-more = { $count ->
       *[other] 文档中还有 { $count } 行。
    }
ask-chart-show = 将“{ $title }”画成图表
ask-chart-hide = 隐藏“{ $title }”的图表
ask-chart-show-own = 将此表画成图表
ask-chart-hide-own = 隐藏图表
ask-chart-spoken = { $names } 按 { $by } 的图表。
ask-figure-show = 显示“{ $name }”
ask-figure-hide = 隐藏“{ $name }”
ask-figure-alt = { $title } 中的图片：{ $said }
