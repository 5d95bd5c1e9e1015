## 答案表：每列一个问题，每行一篇文档

grids-title = 答案表
grids-about = 向许多文档提出同样的问题：每篇文档一行，每个问题一列，每个答案都带来源。
grids-all = 所有答案表
grids-new = 新答案表
grids-none = <h3>还没有答案表</h3>指定一些文档和一些问题，并排阅读答案。也可以从搜索或文集开始：在那里选择 <b>用答案表比较</b>。
grids-visitor = <h3>请登录后制作答案表</h3>只是来访的人所做的内容以后无法找回。
grids-gone = 没有您可以阅读的这张答案表，它可能已被移除。
grids-facts = 向 { $rows ->
       *[other] { $rows } 篇文档
    }提出 { $columns ->
       *[other] { $columns } 个问题
    }，{ $age }创建
grids-of-others = 来自 { $owner }
grids-is-filling = 正在填写
grids-compare = 用答案表比较

## 创建

grids-name = 名称
grids-name-help = 例如：2026 年供应商合同
grids-questions = 问题，每行一个
grids-questions-help = 每个问题会向每篇文档提出。一次只问一件事，例如：合同何时到期？
grids-documents = 文档
grids-find-documents = 按标题查找文档
grids-found-none = 没有标题含有这些字。
grids-collections = 这些文集的所有文档
grids-from-search = 与“{ $question }”最相关的文档
grids-from-chosen = { $count ->
       *[other] 您选择的 { $count } 篇文档
    }
grids-from-collections = { $count ->
       *[other] 文集的 { $count } 篇文档
    }
grids-writer = 由谁撰写答案
grids-any-writer = 默认
grids-make = 创建答案表
grids-choose = 请选择要提问的文档。

## 一张答案表

grids-document = 文档
grids-table = { $name }：答案表
grids-fill = { $count ->
       *[other] 获取 { $count } 个答案
    }
grids-fill-help = 只询问缺少的或过时的
grids-stop = 停止
grids-progress = { $done } / { $all } 个答案
grids-stale-count = { $count ->
       *[other] { $count } 个已过时
    }
grids-remaining = 大约还需 { $count ->
       *[other] { $count } 分钟
    }
grids-remaining-seconds = 还需不到一分钟
grids-withheld = { $count ->
       *[other] 有 { $count } 行没有显示：您现在无权阅读其文档，或文档已不存在。
    }
grids-newcomers = { $count ->
       *[other] 此后有 { $count } 篇文档进入该文集。
    }
grids-add-newcomers = { $count ->
       *[other] 添加
    }
grids-no-columns = <h3>还没有问题</h3>添加一个问题：它会向每篇文档提出。
grids-no-rows = <h3>还没有文档</h3>添加要提问的文档。
grids-nothing = 此文档中没有答案
grids-missing = 尚未提问
grids-waiting = 正在排队
grids-failed = 无法提问
grids-stale = 已过时
grids-stale-help = 此后文档或答案的撰写者有变化
grids-not-live = 已不再发布
grids-verdict = { $verdict ->
        [yes] 是
       *[no] 否
    }
grids-source = 来源 { $n }：{ $quote }
grids-more = 完整答案：{ $question }，{ $title }
grids-row = 行：{ $title }
grids-column = 列：{ $question }

## 更改

grids-add-column = 添加问题
grids-question = 问题
grids-short-name = 简称
grids-short-name-help = 显示在列的上方；不填则显示问题
grids-save = 保存
grids-remove-column = 移除此问题
grids-add-rows = 添加文档
grids-add = 添加
grids-row-open = 打开文档
grids-leave-out = 从表中移除
grids-settings = 设置
grids-readers = 还有谁可以阅读
grids-readers-help = 他们只看到自己有权阅读的文档所在的行
grids-readers-none = 没有别人
grids-remove = 移除答案表
grids-export = 导出
grids-export-title = 导出为表格
grids-export-note = CSV 文件，可用 Excel 等表格程序打开。形似公式的内容前会加一个撇号。
grids-export-quotes = 每个问题多加一列：答案所引的内容及其出处
grids-export-csv = 存为 CSV
grids-csv-quotes = { $question }：引文
grids-csv-address = 地址
grids-csv-page = 第 { $page } 页
grids-csv-stale = { $answer }（已过时）
grids-cell-title = 答案
grids-cell-facts = { $age }作答，版本 { $version }，{ $model ->
        [extractive] 仅引文，无模型
       *[other] 由 { $model } 撰写
    }
