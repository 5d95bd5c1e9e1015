## Asistentes: cómo quiere alguien que se le responda, con un nombre

assistants-title = Asistentes
assistants-about = Un asistente responde como se le dijo, a partir de las colecciones que se le dieron. Quien le pregunta solo encuentra lo
    que puede leer, y cada frase se comprueba como siempre.
assistants-none = <h3>Todavía no hay ningún asistente</h3>Cree uno para lo que pregunta una y otra vez, y compártalo con su grupo.
assistants-visitor = <h3>Inicie sesión para crear un asistente</h3>Se guarda para quien tiene un nombre.
assistants-gone = Esto no está entre lo suyo. Puede que se haya quitado.
assistants-not-here = Este asistente no está aquí. Puede que se haya quitado, o ya no se comparte con usted; las respuestas llegan
    sin él.
assistants-new = Asistente nuevo
assistants-change = Cambiar un asistente
assistants-all = Asistentes y plantillas
assistants-edit = Cambiar
assistants-edit-named = Cambiar { $name }
assistants-name = Nombre
assistants-for = Para qué sirve
assistants-instructions = Cómo ha de responder
assistants-instructions-help = Se le dice a un modelo de lenguaje, por debajo de las reglas sobre las fuentes. Las respuestas de solo citas quedan como están.
assistants-collections = Responde con
assistants-all-of-them = Todo lo que pueda leer quien pregunta
assistants-writer = Escrita por
assistants-any-writer = Quien haya elegido el que pregunta
assistants-starters = Preguntas para empezar, una en cada línea, como mucho { $most }
assistants-readers = Compartido con
assistants-readers-none = Nadie más
assistants-everybody = Todos
assistants-save = Guardar
assistants-remove = Quitar
assistants-model = Para otros programas es el modelo <code>{ $model }</code>.
assistants-own = Solo suyo
assistants-shared = Suyo, compartido con { $readers }
assistants-of-others = De { $owner }
assistants-with = Con <b>{ $name }</b>
assistants-templates = Plantillas de preguntas
assistants-templates-about = Una pregunta que se hace una y otra vez, con huecos: escriba su nombre tras un signo de exclamación en el
    cuadro, como en <b>!changes</b>, y rellénelos.
assistants-template = plantilla
assistants-template-new = Plantilla nueva
assistants-template-change = Cambiar una plantilla
assistants-template-text = Pregunta
assistants-template-help = Los nombres entre llaves dobles son los huecos, como en: ¿Qué cambió en {"{{"}product{"}}"} desde {"{{"}year{"}}"}?
assistants-ask = Preguntar
