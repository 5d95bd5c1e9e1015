## 文档：它的文字、原件，以及关于两者的信息

document-tabs = 此文档的视图
document-tab-text = 文字
document-tab-original = 原件
document-tab-about = 关于
document-tab-history = 历史
document-tab-passages = 段落
document-tab-cited = 被引用

document-gone = <h3>此文档不在这里</h3>它可能在被引用后已移除，或您无权阅读。
document-search = 搜索
document-removed = 此文档已被移除；这是它在版本 { $version } 中的文字。
document-older = 这是此文档在版本 { $version } 中的样子。
document-newest = 阅读今天的样子
document-changed = 此文档在被引用后有变化；段落可能已移动。
document-changed-read = 阅读被引用时的样子
document-no-such-version = 地址所指的版本没有此文档，或您无权阅读。
document-no-such-span = 地址所指的段落不在此文字中。
document-instructs = 此文档{ $how }

document-line-owner = 属于 { $owner }
document-line-published = 发布于 { $date }（{ $age }）
document-line-updated = 更新于 { $date }（{ $age }）
document-line-fetched = 读取于 { $date }（{ $age }）

document-contents = 目录
document-contents-more = { $count ->
       *[other] 另有 { $count } 个标题
    }
document-page-mark = 第 { $page } 页
document-earlier = ‹ 前面
document-later = 后面 ›
document-share = 全文的 { $start } % 至 { $end } %

document-original-opening = 正在打开原件
document-original-title = { $title } 的原件
document-original-none = <h3>无法显示原件</h3>{ $reason }。
document-original-file = <h3>{ $name }</h3>浏览器无法显示这种文件。它的文字是从中读出的；要看文件本身请下载。
document-original-unmarked = 在原件中找不到所引的文字。它们在文字视图中。
document-page-alt = { $title } 第 { $page } 页（共 { $pages } 页）的图像；其文字在文字视图中
document-image-alt = { $title } 的图像；识别出的文字在文字视图中
document-page = 页
document-page-of = 共 { $pages } 页
document-download = 下载
document-at-source = 在来源处打开

document-readers = 谁可以阅读
document-readers-are = 读者
document-readers-by = 依据
document-readers-denied = 除外
document-readers-allow = { $who } 可以
document-readers-deny = { $who } 不可以
document-readers-everyone = 所有人
document-readers-nobody = 没有人
document-close = 关闭它
document-close-note = 从现在起，任何人都找不到也打不开任何版本中的此文档，您也一样。它没有被移除：在“运维”的“权限”中可以收回。
document-close-why = 原因，记入日志
document-close-now = 现在关闭

document-about-title = 标题
document-about-author = 作者
document-about-owner = 所有者
document-about-language = 语言
document-about-published = 发布
document-about-updated = 更新
document-about-fetched = 从来源读取
document-about-collection = 文集
document-about-source = 来源
document-about-address = 地址
document-about-type = 类型
document-about-pages = 页数
document-about-characters = 字符数
document-about-passages = 段落数
document-about-parser = 读取器
document-about-stage = 阶段键
document-about-revision = 修订
document-about-raw = 字节的 SHA-256
document-about-run = 取得它的运行
document-about-version = 索引版本
document-about-ids = 标识符
document-about-tags = 标签
document-about-flags = 标记
document-about-losses = 文件中未保留的

document-history-one = <h3>已知一个修订</h3>当文档在来源处变化时，只要保留着含有旧修订的版本，这里就会显示两份文字及其差别。
document-history-newest = 最新
document-history-built = 索引于 { $date }（{ $age }）
document-history-length = { $count } 个字符
document-history-versions = { $count ->
        [one] 在版本 { $newest } 中
       *[other] 在 { $count } 个版本中，最近的是 { $newest }
    }
document-history-read = 阅读
document-history-compare = 与前一个比较
document-history-old = 从
document-history-new = 到
document-history-equal = <h3>没有差别</h3>这两份文字相同。
document-history-changed = { $places ->
       *[other] { $places } 处有变化
    }：删除 { $gone ->
       *[other] { $gone } 行
    }，添加 { $came ->
       *[other] { $came } 行
    }。
document-history-more = … 另有 { $count } 行
document-list-before = ‹ 前面
document-list-after = 后面 ›
document-list-part = { $part } / { $parts }

document-passages-none = <h3>没有段落</h3>此文档的文字太少，无法在其中搜索。
document-passages-told = { $count ->
        [one] 一个段落：搜索找到的就是这段文字。
       *[other] { $count } 个段落：搜索找到的是其中之一。
    }
document-passage-tokens = { $count } 个词元
document-passage-span = 第 { $start } 至 { $end } 个字符
document-passage-no-section = 没有标题
document-passage-show = 在文字中显示
document-passage-show-n = 在文字中显示段落 { $number }

document-cited-none = <h3>您的答案都没有引用此文档</h3>一旦有答案引用，就会连同所引的话列在这里。
document-cited-others = { $count ->
        [0] 给别人的答案都没有引用它。
       *[other] 有 { $count } 个给别人的答案引用了它。
    }
document-cited-version = 来自版本 { $version }
document-cited-show = 在文字中显示
document-ask = 就此文档提问
document-ask-selected = 就此提问
document-attached = 附在您的一个聊天中；只有您能看到
