## Qué ayuda cuando algo no ha funcionado

help-open = Qué ayuda
help-generator = <p>Su pregunta se conserva, y lo que ve es cierto: está citado de los documentos. Lo que falta es el modelo de lenguaje que
    escribe una respuesta con sus propias palabras; su servidor no funciona, está ocupado o se negó.</p>
    <ul><li>Pulse <b>Intentar de nuevo</b> dentro de un minuto.</li>
    <li>Donde haya elección, deje responder a otro modelo, o <b>Solo citas, sin modelo</b> en <b>Escrita por</b>.</li>
    <li>Si continúa, dígaselo a quien mantiene esta página: <b>Administración</b> › Modelos prueba cada servidor y dice por qué falla.</li></ul>
help-unpublished = <p>Todavía no hay nada en que buscar: no se leyeron documentos, o lo leído no se publicó porque una comprobación lo detuvo.</p>
    <ul><li>Quien cuida de los documentos añade algunos en <b>Colecciones</b> y pulsa <b>Sincronizar ahora</b>.</li>
    <li>Si ya se hizo, <b>Calidad</b> dice si se rechazó una versión, y por qué.</li>
    <li>Esta página nota la primera versión por sí sola; no hace falta recargarla.</li></ul>
help-permission = <p>Los documentos tienen lectores, y lo que usted no puede leer no se muestra, no se cuenta y no se cita. Puede cambiar en cualquier momento, también
    para una respuesta que ya ha visto.</p>
    <ul><li>¿Ha iniciado sesión con la cuenta que quería? Su nombre está en la esquina superior.</li>
    <li>Pida al dueño del documento, o a quien mantiene esta página, que le deje leerlo a usted o a su grupo. Dígale el título y su nombre.</li>
    <li>Un enlace que alguien le envía abre solo lo que usted mismo puede leer.</li></ul>
help-signed-out = <p>Por seguridad la sesión dura solo unas horas. Sus chats se conservan, y lo que había escrito sigue en el cuadro cuando
    vuelve.</p><ul><li>Inicie sesión de nuevo.</li><li>Si falla enseguida, puede que el reloj de su aparato vaya mal, o que se cerrara su cuenta: pregunte a quien mantiene esta
    página.</li></ul>
help-limits = <p>Para que una persona no quite la máquina a las demás, cada una puede preguntar solo con cierta frecuencia. No se perdió nada, y nadie se lo tiene
    en cuenta.</p>
    <ul><li>Espere los segundos indicados y pulse el botón otra vez.</li>
    <li>Para muchas preguntas a la vez, un programa puede preguntar por la API; quien mantiene esta página puede subir los límites en <b>Administración</b>.</li></ul>
help-long = <p>Un chat admite hasta diez archivos de 20{ "\u00A0" }MB cada uno, y textos de hasta dos millones de caracteres en total. Un texto largo que pegue se convierte por
    sí solo en un archivo así.</p>
    <ul><li>Adjunte la parte de la que trata su pregunta.</li>
    <li>Aquello por lo que preguntarán varias personas va en una colección, donde los archivos pueden ser mayores.</li>
    <li>Un escaneado solo se lee donde hay reconocimiento de texto; un archivo con contraseña no se lee.</li></ul>
help-moved = <p>Los documentos se leen de nuevo de vez en cuando, y cada vez se convierten en una versión. Una respuesta, una cita o un enlace conserva la versión
    de la que salió.</p>
    <ul><li><b>Preguntar de nuevo</b> responde con lo que está publicado ahora.</li>
    <li>En el documento, <b>Leerlo como se citó</b> muestra el texto anterior mientras se conserve, e <b>Historia</b> muestra qué cambió.</li></ul>
help-failed = <p>Su pregunta y sus chats se conservan.</p>
    <ul><li>Inténtelo de nuevo; lo que no tuvo tiempo o memoria suele funcionar entonces.</li>
    <li>Recargue la página. Una respuesta que el servidor aún escribe continúa.</li>
    <li>Si vuelve a ocurrir, diga a quien mantiene esta página qué hizo y a qué hora: el motivo está en el registro, y <code>rag doctor</code> dice
    qué falta.</li></ul>
