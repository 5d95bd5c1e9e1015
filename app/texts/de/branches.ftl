## Die Fassungen einer Frage und einer Antwort

branches-edit = Bearbeiten
branches-question = Fassungen dieser Frage
branches-answer = Fassungen dieser Antwort
branches-side = Nebeneinander
branches-better = Diese ist besser
