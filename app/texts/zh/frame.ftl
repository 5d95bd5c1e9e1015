## 所有视图共有的文字

frame-machine-made = 本界面由机器翻译，尚无说中文的人审阅过。

frame-title = 向您的文档提问
frame-views = 视图
frame-ask = 提问
frame-search = 搜索
frame-collections = 文集
frame-document = 文档
frame-watches = 关注
frame-assistants = 助手
frame-grids = 答案表
frame-quality = 质量
frame-operate = 运维
frame-admin = 管理
frame-eyes = 您正以 <b>{ $name }</b> 的眼光查看。不会以该名义写入任何内容。
frame-eyes-end = 恢复为自己
frame-opening = 正在打开工作区 …

frame-nothing-published = <h3>尚未发布任何内容</h3>请在
    <a class="inner" href="collections" target="_self">文集</a>中放入文件或添加来源，然后点击 <b>立即同步</b>。第一个版本上线后，本页会立即显示。
frame-look-again = 再看一次
frame-failed = <h3>没有成功</h3>{ $reason }
frame-try-again = 重试
frame-unexpected = 发生了不该发生的事。详情在本页维护者的日志里。
frame-may-not = <h3>这里供{ $role ->
        [admin] 管理员
       *[editor] 编辑
    }使用</h3>您是 { $name }，可以{ $own ->
        [reader] 搜索和提问
       *[editor] 搜索、提问，并照管文集、来源和质量
    }。本页的维护者在 <code>rag.toml</code> 的 <code>[access]</code> 中分配角色。
frame-too-many = 同时进行的{ $kind ->
        [questions] 提问
       *[searches] 搜索
    }太多。请在 { $seconds ->
        [one] 一秒
       *[other] { $seconds } 秒
    }后重试。

frame-version = 版本 <code>{ $version }</code>{ $since } · { $documents ->
       *[other] { $documents } 篇文档
    }
frame-since = { " · " }发布于{ $age }

## 登录

frame-welcome = <h1>请登录后提问</h1><p>您的文档只给有权阅读的人看。请登录，让本页知道您是谁。</p>
frame-sign-in = 登录
frame-sign-out = 退出登录
frame-leave = 我的问题可以用来改进搜索
frame-leave-help = 其中一些会在去掉您的姓名后保存，用来比较搜索的新版本。公开文档中没有的词，例如多数姓名、地址和数字，都会略去。关闭此项也会删除已保存的内容。
frame-sign-in-again = 重新登录
frame-other-account = 换一个账号
frame-expired = <h3>您已退出登录</h3>{ $reason }。您写的内容没有丢失。
frame-denied = <h3>本页不对您开放</h3>{ $reason }。
frame-you = { $id }<br>您可以{ $role }。
frame-role-reader = 搜索和提问
frame-role-editor = 搜索、提问，并照管文集、来源和质量
frame-role-admin = 做任何事
frame-read-as = <br>您还以 { $groups } 的身份阅读。

## 维护者的入口

frame-link-used = 此链接已用过、已过期，或从未有效。`rag link` 会输出一个新的。
frame-foreign-host = 本页不以 { $host } 之名访问。如果确实需要，请在 rag.toml 的 [http] hosts 中写明该主机。
frame-foreign-page = 来自 { $origin } 页面的请求被拒绝。
frame-visiting = 您看到的是公开内容。要管理本页，请打开 <code>rag link</code> 输出的链接。

## 时间，以及在文档中的位置

frame-age-future = 将来
frame-age-now = 刚刚
frame-age-year = { $count ->
       *[other] { $count } 年前
    }
frame-age-month = { $count ->
       *[other] { $count } 个月前
    }
frame-age-day = { $count ->
       *[other] { $count } 天前
    }
frame-age-hour = { $count ->
       *[other] { $count } 小时前
    }
frame-age-minute = { $count ->
       *[other] { $count } 分钟前
    }
