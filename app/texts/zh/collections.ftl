## 文件的文集，以及来源

collections-title = 文集
collections-both = 显示什么
collections-show-collections = 文集
collections-show-sources = 来源
collections-new = 新文集
collections-create = 创建
collections-save = 保存
collections-edit = 编辑
collections-back = 所有文集
collections-back-sources = 所有来源
collections-find = 查找文集
collections-find-file = 查找文件
collections-found-none = 这里没有名为“{ $words }”的内容。
collections-found-some = { $all } 个中的 { $found } 个
collections-place = 来源
collections-empty = <h3>把您自己的材料放在这里</h3>文集收存相关的文件：一门课程的讲义、一个项目的文件。创建一个，放入文件，然后点击 <b>立即同步</b>。每个文件
    都会被读取、切成段落并编入索引；之后您可以就它<b>提问</b>，也可以在其中<b>搜索</b>，每个答案都指回您文件中的段落。
collections-empty-reader = <h3>还没有给您的文集</h3>文集收存相关的文件。一旦有人与您分享，就会列在这里。
collections-no-place = <h3>还没有放文件的地方</h3>文集收存您放在这里的文件：文档、网页、邮件。管理员点一下就能腾出地方；文件夹、订阅源和网站在 <b>来源</b> 中读取。
collections-make-place = 为文件腾出地方
collections-nothing = 此文集中还没有内容。
collections-nothing-drop = 此文集中还没有内容。请把文件拖到上面，或点击 <b>Upload</b> 选择文件。

collections-wanted = 文档没有回答 <q>{ $question }</q>。请在文集中添加能回答它的文档，或在
    <b>来源</b> 中添加含有它的文件夹、订阅源或网站；下次同步后可以再问。
collections-wanted-back = 回到聊天

collections-field-title = 标题
collections-hint-title = 物理，一年级
collections-field-description = 收存什么
collections-field-readers = 谁可以阅读
collections-help-readers = 不选：所有可以阅读该来源的人。只列出您自己所属的群组和身份。
collections-everyone = 所有人
collections-language-field = 文字的语言
collections-language-help = 用于太短而无法识别语言的文字。
collections-language = { $code ->
    [none] 由文字识别
    [ar] 阿拉伯语
    [ca] 加泰罗尼亚语
    [zh] 中文
    [cs] 捷克语
    [da] 丹麦语
    [nl] 荷兰语
    [en] 英语
    [fi] 芬兰语
    [fr] 法语
    [de] 德语
    [hi] 印地语
    [it] 意大利语
    [ja] 日语
    [ko] 韩语
    [ne] 尼泊尔语
    [pl] 波兰语
    [pt] 葡萄牙语
    [ru] 俄语
    [es] 西班牙语
    [sv] 瑞典语
    [tr] 土耳其语
    [uk] 乌克兰语
   *[other] { $other }
}
collections-files = { $count ->
   *[other] { $count } 个文件
}
collections-passages = { $count ->
   *[other] { $count } 个段落
}
collections-documents = { $count ->
   *[other] { $count } 篇文档
}
collections-read-by = { $who } 可读
collections-revision = 修订 { $number }
collections-added = { $age }添加
collections-added-by = { $age }由 { $who } 添加
collections-drop = 把文件拖到这里：文档、网页、邮件、压缩包，每个最大 { $most }{ "\u00A0" }MB
collections-remove = 移除
collections-remove-help = 移除 { $name }
collections-open-help = 打开 { $name }

collections-state-uploaded = 已上传，等待下次同步
collections-state-fetched = 已取得，接着读取
collections-state-read = 已读取，接着切分
collections-state-chunked = 已切成段落，接着嵌入
collections-state-embedded = 已嵌入，随下一版本发布
collections-state-live = 在线：可以找到
collections-state-failed = 无法读取
collections-state-excluded = 已略去
collections-state-forgotten = 已遗忘
collections-short-uploaded = 已上传
collections-short-fetched = 待读取
collections-short-read = 已读取
collections-short-chunked = 已切分
collections-short-embedded = 已嵌入
collections-short-live = 在线
collections-short-failed = 无法读取
collections-short-excluded = 已略去
collections-short-forgotten = 已遗忘
collections-step = 第 { $step } 步，共 { $of } 步

collections-delete = 删除
collections-delete-title = 删除此文集？
collections-delete-source-title = 删除此来源？
collections-delete-files = { $count ->
    [0] 其中没有文件。
   *[other] 其中的 { $count } 个文件将永久消失。
}
collections-delete-index = { $documents ->
    [0] 索引中没有它的内容。
   *[other] { $documents } 篇文档（{ $chunks } 个段落）将随下一版本离开索引。
}
collections-delete-answers = { $answers ->
    [0] 没有以往的答案引用它。
   *[other] 有 { $answers } 个以往的答案引用它。答案会保留；其标记指向保留的版本。
}
collections-delete-last = 索引中没有别的内容，所以在读到别的内容之前，在线版本保持不变。
collections-delete-kept = 已读取的内容留在 <code>data/</code> 中，以便再次添加时很快。要在各处彻底抹除并留下证明：<code>rag forget { $id }</code>。
collections-delete-gate = 如果您的问题集中有问题依据它，关卡会拒绝下一版本，直到您移除这些问题。
collections-type-name = 输入 { $name } 以确认

## 跟进同步

collections-sync = 立即同步
collections-sync-help = 读取新的内容，检查并发布。
collections-sync-local = 不用 Dagster 同步
collections-cancel = 取消
collections-look-again = 再看一次
collections-in-dagster = 在 Dagster 中查看运行
collections-ready = 正在准备
collections-stage = { $stage ->
    [sync] 正在准备
    [fetch] 正在取得
    [extract] 正在读取
    [chunk] 正在切分
    [embed] 正在嵌入
    [index] 正在构建索引
    [evaluate] 正在评估
    [publish] 正在发布
   *[other] { $stage }
}
collections-stage-of = { $stage }：{ $done } / { $total }
collections-rate = 每秒 { $rate }
collections-left = 总共大约还需 { $time }
collections-seconds = { $count } 秒
collections-minutes = { $count } 分钟
collections-waits = 等待正在进行的同步；然后一起读取所有等待的来源
collections-joined = 正在读取此次同步的其他来源
collections-run-queued = 在 Dagster 中排队
collections-run-starting = Dagster 正在启动运行
collections-run-canceling = 运行正在结束
collections-run-by = { $age }开始
collections-waiting = 新文件在下次同步后可以找到。
collections-synced = 上次同步{ $age }。
collections-never = 尚未读取
collections-failed = 上次同步（{ $age }）失败：{ $reason }
collections-canceled = 上次同步（{ $age }）被取消。已完成的部分已保存，下次从那里继续。
collections-refused = 上次同步（{ $age }）没有发布：{ $reason }
collections-paused-note = 此来源已暂停：没有计划会读取它。恢复后才会继续。
collections-down = <b>{ $why }。</b> 请在工作区的文件夹中用 <code>make up</code> 或 <code>dg dev</code> 启动它。在此之前可以不用它同步。
collections-interrupted = { $age }开始的一次运行在 Dagster 消失时还在进行，现在无人继续。已完成的部分已保存；下次同步从那里继续。
collections-lost = <b>运行已中断。</b> Dagster 仍以为它在运行，但其进程已不在。已完成的部分已保存；请清除它，然后再次同步。
collections-clear = 清除
collections-idle = Dagster 的网页服务器有回应，但其守护进程没有运行，所以运行在等待。请用
    <code>make up</code> 或 <code>dg dev</code> 启动两者，或取消运行，不用 Dagster 同步。
collections-busy = 它在 Dagster 之外进行，所以不能在这里取消。

## 来源

collections-add = 添加来源
collections-sources-empty = <h3>还没有读取任何内容</h3>来源是本平台读取并保持更新的内容：订阅源、网站、文件夹、需登录的门户、数据库的行。添加一个，预览会读到什么，然后保存。
collections-sources-empty-editor = <h3>还没有给您的来源</h3>来源是本平台读取并保持更新的内容。您可以添加订阅源、网站或门户；管理员还可以添加文件夹和数据库。
collections-find-source = 查找来源
collections-kind = { $kind ->
    [feed] 订阅源
    [web] 网站
    [portal] 门户
    [folder] 文件夹
    [sql] 数据库
    [objects] 存储桶
    [upload] 上传
    [more] 所有种类
   *[other] { $kind }
}
collections-gallery-about = 所有可作来源的种类，也包括没有表单的。管理员把表写入
    <code>rag.toml</code>，或写入供 <code>rag source add</code> 使用的文件，并加以修改；写作
    <code>$&#123;secret:name&#125;</code> 的值用 <code>rag secret set name</code> 保存。
collections-gallery-reads = { $kind ->
    [feed] RSS、Atom 或 JSON 订阅源，连同文章的页面。
    [web] 网站的页面：按站点地图、沿链接或按列表。
    [portal] 需登录的网站，例如课程门户。
    [folder] 本机某文件夹下的文件。
    [sql] 数据库的行，每行一篇文档。
    [objects] 存储桶中的文件：S3 及其他存储。
    [upload] 人们放在这里的文件。
    [git] Git 仓库的文件，包括 GitLab 和 Gitea 的维基。
    [imap] 一个账号的邮件，按会话。
    [webdav] WebDAV 服务器（如 Nextcloud）上的文件。
    [mediawiki] MediaWiki（如维基百科）的页面。
    [store] Chroma、Qdrant、pgvector、LanceDB、LlamaIndex 或 LangChain 已编入索引的内容。
    [dlt] dlt 的任何来源：声明式 REST API、表、文件、数百种服务。
    [llamahub] LlamaHub 的任何读取器：Confluence、Notion、Slack、Drive、SharePoint、Jira 等。
   *[other] { $reads }
}
collections-gallery-add = 添加 { $kind } 类的来源
collections-gallery-missing = 未安装：其中一部分所需的附加组件 { $extras }。
collections-gallery-broken = 它的软件包无法使用：{ $reason }
collections-gallery-own = 其他任何内容：<code>rag source new-kind</code> 会写出一个自有种类的软件包，可以运行并带有测试。
collections-kind-about = { $kind ->
    [feed] RSS、Atom 或 JSON 订阅源，连同文章的页面。
    [web] 网站的页面：按站点地图、沿链接或按列表。
    [portal] 需登录的网站，例如课程门户。
    [folder] 本机某文件夹下的文件。
    [sql] 数据库的行，每行一篇文档。
   *[other] { $kind }
}
collections-paused = 已暂停
collections-late = 逾期
collections-running = 进行中
collections-some-failed = { $count } 个失败
collections-read-at = { $age }读取
collections-next-at = 下次{ $when }
collections-unscheduled = 没有计划
collections-in-minutes = { $count } 分钟后
collections-in-hours = { $count } 小时后
collections-in-days = { $count } 天后
collections-pause = 暂停
collections-resume = 恢复
collections-pause-help = 在有人恢复之前，计划会略过它。
collections-settings = 它的设置
collections-failures = 失败的内容
collections-failures-more = … 另有 { $count } 个
collections-as-they = 其他读者只看到自己有权阅读的部分。

## 新来源的表单

collections-add-title = 添加来源
collections-which = 是什么？
collections-more = 更多设置
collections-preview = 预览会读到什么
collections-previewing = 正在查看来源列出的内容 …
collections-preview-again = 再次预览
collections-preview-stop = 停止
collections-preview-none = 不保存任何内容：预览只列出同步会读到什么。
collections-preview-count = { $cut ->
    [yes] 至少会读取 { $count } 个。
   *[no] { $count ->
        [0] 不会读到任何内容。
       *[other] 会读取 { $count } 篇文档。
    }
}
collections-preview-took = 用 { $seconds } 秒列出；没有保存任何内容。
collections-preview-more = … 另有 { $count } 个
collections-preview-failed = <b>这样无法读取。</b> { $reason }
collections-preview-part = 无法列出：
collections-preview-old = 此预览之后表单有改动。
collections-save-source = 添加此来源
collections-mend = 请先改正上面标出的内容。
collections-added-source = 已添加 { $id }。点击“立即同步”来读取。
collections-local-only = 文件夹和数据库位于本机或其网络中，所以只有管理员可以添加。

collections-field-id = 名称
collections-help-id = 用于筛选、报告和 Dagster。以后不能更改。
collections-field-address = 订阅源的地址
collections-field-others = 更多订阅源
collections-help-others = 每行一个地址。
collections-field-articles = 读取文章的页面，而不只是订阅源自带的文字
collections-field-max_age_days = 略去早于此的条目（天）
collections-field-allow_private = 它在本机自己的网络中
collections-help-allow_private = 不开启此项，私有地址会被拒绝。
collections-field-way = 如何找到它的页面
collections-way-sitemap = 站点地图
collections-way-crawl = 沿链接
collections-way-urls = 页面列表
collections-field-sitemap = 站点地图的地址
collections-field-crawl = 起始页面
collections-help-crawl = 会沿它的链接前进，限于它所在的文件夹之内。
collections-field-urls = 页面
collections-help-urls = 每行一个地址。
collections-field-include = 只要符合的
collections-help-include = 如 **/*.pdf 的模式，每行一个。留空：全部。
collections-field-exclude = 略去符合的
collections-help-exclude = 如 **/drafts/** 的模式，每行一个。
collections-field-limit = 最多页数
collections-field-javascript = 页面由脚本生成：在浏览器中打开
collections-field-url = { $kind ->
    [sql] 数据库的地址
   *[other] 门户的地址
}
collections-field-profile = 门户的种类
collections-profile-generic = 任意
collections-field-user = 用户
collections-field-password = 密码
collections-help-password = 加密保存在机密中，绝不写入 rag.toml，也不再显示。
collections-field-logged_in = 只有已登录者才看得到的文字
collections-field-depth = 读取几层链接以内的页面
collections-field-path = 文件夹
collections-help-path = 本机的路径；相对路径从工作区的文件夹算起。
collections-field-query = 查询
collections-field-key = 标识一行的列
collections-field-title-sql = 标题
collections-field-template = 文档的文字
collections-help-template = Markdown；{"{"}column{"}"} 会换成该行的值。
collections-field-uri = 行的地址
collections-field-cursor = 行有变化就随之变化的列
collections-field-published_at = 日期的列
collections-field-updated_at = 最近更改的列
collections-field-schedule = 再次读取
collections-schedule-none = 只在要求时
collections-schedule-quarter = 每 15 分钟
collections-schedule-hour = 每小时
collections-schedule-day = 每天 06:00 UTC
collections-schedule-week = 每周一 06:00 UTC
collections-schedule-own = 自定时间
collections-field-cron = 时间，按 cron 的写法（UTC）
collections-field-language = 文字的语言
collections-field-comments = 保留读者写在页面下方的内容
collections-field-page_text = PDF 和图片的文字取自
collections-help-page_text = 页面缺少文字层或文字层很差时，读取其图像。视觉模型只在已设置时使用。
collections-page_text-auto = 最合适的方式
collections-page_text-layer = 文字层
collections-page_text-ocr = 文字识别
collections-page_text-vision = 视觉模型
collections-field-half_life_days = 文档分量减半的年代（天）
collections-field-fresh_within_hours = 超过此时间未读取即逾期（小时）
collections-field-principals = 谁可以阅读
collections-help-principals = 不选：所有人。只列出您自己所属的群组和身份。

collections-wrong-missing = 此项必填。
collections-wrong-taken = 已有名为 { $id } 的来源。请换一个名称。
collections-wrong-id = 小写字母、数字、- 和 _，以字母或数字开头；最多 63 个。
collections-wrong-address = “{ $given }”不是网址。网址以 https:// 或 http:// 开头，并写明主机。
collections-wrong-password = 地址中不要写密码：在 rag.toml 中会被读到。请写在下面专门的栏中。
collections-wrong-placeholder = 机密的名称只能写在 rag.toml 里。请把密码写在它自己的栏中。
collections-wrong-database = 数据库的地址形如 postgresql+psycopg://reader@db.example.org/desk 或 sqlite:///data/desk.sqlite。
collections-wrong-user = 有密码时，地址中要写明用户：postgresql+psycopg://reader@db.example.org/desk。
collections-wrong-cron = 五段：分、时、日、月、星期。“30 7 * * 1-5”是周一至周五 07:30。
collections-wrong-number = 大于零的数。
collections-wrong-folder = 本机没有这样的文件夹。
collections-wrong-kind = 只有管理员可以添加这种来源。

## 任何种类来源的设置

collections-change = 更改
collections-change-title = { $id } 的设置
collections-change-about = <code>{ $kind }</code> 类的来源。各栏的名称与 <code>rag.toml</code> 中相同；留空即照常。密码从不显示：
    留空则保留原有的。<code>principals</code> 从下一个问题起生效，其余从下次同步起生效。
collections-change-by-file = <code>{ $kind }</code> 类来源的读取方式可以是任何程序，所以只能在 <code>rag.toml</code> 中更改。
collections-changed = { $count ->
        [0] 与之前没有不同。
       *[other] 更改了 { $count } 项设置。
    }
collections-add-by-settings = <code>{ $kind }</code> 类的来源。各栏的名称与
    <code>rag.toml</code> 中相同；带星号的必填。密码加密保存，文件中只写其名称。
collections-secret-kept = 保持不变
collections-hint-lines = 每行一个
collections-hint-json = 写成 JSON
collections-not-set = 照常
collections-ask = 就这些文档提问
