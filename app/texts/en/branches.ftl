## The versions of a question and of an answer

branches-edit = Edit
branches-question = Versions of this question
branches-answer = Versions of this answer
branches-side = Side by side
branches-better = This one is better
