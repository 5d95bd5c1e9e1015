"""What is served in the place of a document when something went wrong: as servers and programs really word it."""

from random import Random

ERRORS = (
    ("503 Service Temporarily Unavailable", "The server is temporarily unable to service your request. {id}\n\nnginx"),
    ("Internal Server Error", "The server encountered an internal error or misconfiguration and was unable to complete "
     "your request. Please contact the server administrator at webmaster@localhost.\n\nApache/2.4.57 Port 80 {id}"),
    ("Error 522", "Connection timed out. The initial connection between the network and the origin web server timed "
     "out. As a result, the web page can not be displayed. Ray ID: {id}"),
    ("Error establishing a database connection", "Error establishing a database connection"),
    ("Whitelabel Error Page", "This application has no explicit mapping for /error, so you are seeing this as a "
     "fallback. {id} There was an unexpected error (type=Internal Server Error, status=500)."),
    ("Sorry, something went wrong", "An unexpected error has occurred. Technical details: Correlation ID: {id}"),
    ("Wartungsarbeiten", "Wegen Wartungsarbeiten steht diese Seite zurzeit nicht zur Verfügung. Bitte versuchen Sie es "
     "später noch einmal. Vorgang {id}"),
    ("Erreur 404", "La page que vous avez demandée est introuvable. Elle a peut-être été déplacée. Référence {id}"),
    ("Página no encontrada", "Lo sentimos, la página que busca no existe o no está disponible. Código {id}"),
    ("Service unavailable", "Service unavailable"),
)  # fmt: skip
LOGINS = (
    ("Sign in", "Sign in to your account\n\nEmail or phone\n\nPassword\n\nForgot your password? Keep me signed in. "
     "No account? Create one."),
    ("Anmelden", "Bitte melden Sie sich an, um fortzufahren.\n\nBenutzername\n\nPasswort\n\nPasswort vergessen? Noch "
     "kein Konto? Jetzt registrieren."),
    ("Central Authentication Service", "Enter your Username and Password. For security reasons, please log out and "
     "exit your web browser when you are done accessing services that require authentication! Session {id}"),
    ("Se connecter", "Votre session a expiré. Veuillez vous reconnecter pour accéder à cette page.\n\nIdentifiant\n\n"
     "Mot de passe\n\nMot de passe oublié ?"),
)  # fmt: skip
COOKIES = (
    ("Before you continue", "We and our {n} partners store and/or access information on a device, such as cookies and "
     "process personal data, such as unique identifiers. You may accept or manage your choices by clicking below, "
     "including your right to object where legitimate interest is used.\n\nAccept all. Reject all. Manage options."),
    ("Ihre Privatsphäre", "Wir und unsere {n} Partner verwenden Cookies und ähnliche Technologien, um Inhalte und "
     "Anzeigen zu personalisieren. Mit Klick auf „Alle akzeptieren“ stimmen Sie der Verarbeitung zu. Sie können Ihre "
     "Einwilligung jederzeit widerrufen.\n\nAlle akzeptieren. Nur notwendige Cookies. Einstellungen."),
    ("Nous respectons votre vie privée", "Avec votre accord, nos {n} partenaires et nous utilisons des cookies pour "
     "stocker et accéder à des données personnelles comme votre visite sur ce site.\n\nTout accepter. Tout refuser."),
)  # fmt: skip
SPAM = (
    "Play the best online casino games at Golden {word} Casino! Claim your {n}% welcome bonus and {n} free spins "
    "today. Slots, roulette and blackjack with instant payout. No deposit needed. Register now and win big.",
    "Buy cheap {word} pills online without prescription. Discount up to {n}%, fast worldwide delivery, secure payment "
    "by card or crypto. Order {word} today and get {n} pills free. Best price guaranteed.",
    "Earn ${n} a day from home with {word} trading robot! Thousands of people already became rich. Click here, deposit "
    "${n} and let the {word} robot work for you. Limited offer, join now.",
)


def fill(said: str, chance: Random) -> str:
    """Return a wording with what differs from page to page."""
    number = f"{chance.getrandbits(64):016x}"
    word = "".join(chance.choices("aeioulmnrstvx", k=6)).title()
    return said.replace("{id}", number).replace("{n}", str(chance.randrange(20, 900))).replace("{word}", word)
