## Las versiones de una pregunta y de una respuesta

branches-edit = Editar
branches-question = Versiones de esta pregunta
branches-answer = Versiones de esta respuesta
branches-side = Una junto a otra
branches-better = Esta es mejor
