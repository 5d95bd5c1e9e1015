## 问题和答案的各个版本

branches-edit = 编辑
branches-question = 此问题的版本
branches-answer = 此答案的版本
branches-side = 并排显示
branches-better = 这个更好
