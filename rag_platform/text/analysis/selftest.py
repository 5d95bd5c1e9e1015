"""One sentence per language, and a word of it in another form: does each still find the other?"""

from rag_platform.text.analysis.questions import query_terms
from rag_platform.text.analysis.texts import index_terms

SENTENCES = {
    "ar": ("ذهب الطفل إلى المَدْرَسَة", "مدرسة"),
    "bn": ("বাংলাদেশের মানুষ নদী ভালোবাসে", "বাংলাদেশে"),
    "cs": ("Bydlíme ve velkých městech", "městům"),
    "da": ("Husene står ved vandet", "huset"),
    "de": ("Die Straßenbahnhaltestelle liegt am Fluss", "Strassenbahn"),
    "el": ("Διαβάζω ένα βιβλίο", "βιβλιο"),
    "en": ("They were running past the houses", "house"),
    "es": ("Las canciones son antiguas", "canción"),
    "fa": ("کتاب‌های من اینجا هستند", "كتاب"),
    "fi": ("Asumme vanhoissa taloissa", "talo"),
    "fr": ("Les maisons sont vieilles", "maison"),
    "he": ("שָׁלוֹם לכולם", "שלום"),
    "hi": ("हिंदी किताबों में कहानियाँ हैं", "किताब"),
    "hu": ("A házakban laknak", "ház"),
    "id": ("Mereka membaca buku-bukunya", "buku"),
    "it": ("I libri sono vecchi", "libro"),
    "ja": ("東京都庁は新宿にあります", "新宿"),
    "km": ("ខ្ញុំរៀនភាសាខ្មែរ", "ភាសា"),
    "ko": ("서울에서 책을 읽는다", "책"),
    "mr": ("महाराष्ट्राच्या नद्या मोठ्या आहेत", "महाराष्ट्रात"),
    "my": ("မြန်မာစာကိုလေ့လာသည်", "မြန်မာ"),
    "ne": ("नेपालको संविधान २०७२ मा जारी भयो", "2072"),
    "nl": ("De huizen staan aan het water", "huis"),
    "no": ("Husene står ved vannet", "huset"),
    "pl": ("Czytam stare książki", "książka"),
    "pt": ("As casas são antigas", "casa"),
    "ro": ("Cărțile sunt vechi", "cărți"),
    "ru": ("Старые книги стоят на полке", "книга"),
    "sv": ("Husen ligger vid vattnet", "huset"),
    "ta": ("தமிழ்நாட்டில் வாழ்கிறோம்", "தமிழ்"),
    "te": ("తెలుగులో మాట్లాడుతారు", "తెలుగు"),
    "th": ("ราชอาณาจักรประเทศไทย", "ประเทศ"),
    "tr": ("Eski evlerde yaşıyorlar", "ev"),
    "uk": ("Живемо у великих містах України", "Україна"),
    "ur": ("یہ اردو کی کتاب ہے", "كتاب"),
    "vi": ("Hà Nội là thủ đô của Việt Nam", "viet nam"),
    "zh": ("北京是中国的首都", "首都"),
}


def broken_languages() -> list[str]:
    """Return the languages whose sentence is not found; empty when all is well."""
    return [language for language, (sentence, query) in SENTENCES.items() if not _finds(sentence, query, language)]


def _finds(sentence: str, query: str, language: str) -> bool:
    indexed = {*index_terms(sentence, language)}
    words = query_terms(query, [language])
    return bool(words) and all(indexed.intersection(variants) for variants in words)
