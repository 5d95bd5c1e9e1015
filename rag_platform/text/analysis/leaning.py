"""Whether a sentence leans on the one before it: it begins with a word that points back, or that joins it to that one.

Only the first words are looked at, so "It rains" leans as "It opened in 1902" does. That costs a reader one sentence
more, which is little beside a passage whose subject is missing.
"""

import re
from functools import cache

_OPENERS = {
    "ar": "هو هي هم هما هذا هذه ذلك تلك هؤلاء لكن ولكن لذلك وذلك ثم كما أيضا إذن كذلك وهو وهي فهو فهي",
    "de": "er sie es ihm ihn ihnen ihr ihre ihrem ihren ihrer sein seine seinem seinen seiner dies diese diesem "
    "diesen dieser dieses jene jener jenes beide beides solche solcher solches deshalb deswegen daher darum "
    "dadurch dabei dafür dagegen damit danach daraufhin dann außerdem zudem ferner jedoch aber und oder denn doch "
    "also somit folglich trotzdem dennoch allerdings hingegen stattdessen sonst andernfalls ebenso auch hierzu "
    "hierbei letztere letzterer",
    "en": "it its they their them he she his her him this that these those such both however therefore thus hence "
    "moreover furthermore also but and or so then otherwise instead nevertheless nonetheless consequently "
    "additionally accordingly similarly likewise yet meanwhile afterwards thereafter conversely for_example "
    "for_instance as_a_result in_addition in_contrast the_latter the_former",
    "es": "él ella ellos ellas ello esto este esta estos estas ese esa eso esos esas aquel aquella su sus pero "
    "además así entonces también y o luego asimismo ambos ambas dicho dicha sin_embargo por_eso por_ello "
    "por_lo_tanto por_tanto no_obstante en_cambio por_ejemplo",
    "fa": "این آن او آنها آن‌ها وی اما ولی پس سپس همچنین بنابراین و",
    "fr": "il elle ils elles cela ceci ce c'est cet cette ces celui celle ceux celles son sa ses leur leurs mais "
    "et ou donc cependant toutefois pourtant ainsi alors ensuite puis aussi néanmoins or par_conséquent en_outre "
    "de_plus en_revanche par_exemple",
    "hi": "यह ये वह वे इस इसका इसके इसकी इसमें इससे इसे इसने उस उसका उसके उसकी उसमें उसे उसने उन उनका उनके उनकी "
    "उन्हें उन्होंने इन इनका इनके इनकी इनमें इन्हें लेकिन परन्तु परंतु किन्तु किंतु मगर इसलिए अतः और तब फिर "
    "हालांकि हालाँकि ऐसे ऐसा ऐसी साथ_ही",
    "it": "egli ella esso essa essi esse lui lei loro questo questa questi queste ciò quello quella quelli quelle "
    "suo sua suoi sue ma però e o quindi dunque perciò pertanto tuttavia inoltre anche poi allora così entrambi",
    "ko": "그 그는 그가 그의 그녀 그녀는 그녀의 그들 그들은 이 이는 이것 이것은 이를 이에 그것 그것은 이러한 "
    "그러한 이런 그런 그러나 하지만 그래서 그리고 따라서 그러므로 또한 또 그런데 즉 반면",
    "mr": "हा ही हे तो ती ते त्या त्याचा त्याची त्याचे त्यांनी पण परंतु आणि म्हणून तसेच मात्र",
    "ne": "यो यी त्यो त्यी ती उनी उनको उनका उनले उनलाई उहाँ उहाँको उहाँले तिनी तिनले यसको यसका यसकी यसले यसमा "
    "यसलाई यसरी यसबाट यस त्यस त्यसको त्यसका त्यसले त्यसमा त्यसपछि त्यसैले तर र अनि तथापि साथै यद्यपि तसर्थ अतः",
    "nl": "hij zij ze het hem haar zijn hun dit deze dat die beide maar en of dus daarom daardoor daarna dan toch "
    "echter bovendien ook verder hierdoor",
    "pt": "ele ela eles elas isso isto este esta estes estas esse essa esses essas seu sua seus suas aquele "
    "aquela mas porém contudo todavia entretanto portanto assim então também e ou depois ambos ambas além_disso "
    "por_isso no_entanto por_exemplo",
    "ru": "он она оно они его её ее их им это этот эта эти этого этому этой этих такой такая такое такие также но "
    "и или а однако поэтому затем потом тогда оба обе кроме_того таким_образом при_этом",
    "ur": "یہ وہ اس ان انہوں لیکن مگر پھر چنانچہ اور تاہم اسی",
}
"""Words that lean, by language; those of several words are joined with a low line."""
_UNSPACED = {
    "ja": "これ それ あれ この その あの ここ そこ 彼 しかし だが また そして したがって 従って さらに なお "
    "ただし 一方 つまり ところが だから こうした そうした こう そう 同 両 すると",
    "th": "เขา เธอ มัน พวกเขา ท่าน นี่ นี้ นั่น แต่ และ ดังนั้น อย่างไรก็ตาม นอกจากนี้ จากนั้น ซึ่ง ต่อมา",
    "zh": "他 她 它 这 這 那 其 此 该 該 两者 兩者 但 然而 因此 所以 因而 而 同时 同時 另外 于是 於是 并且 並且 "
    "随后 隨後 接着 接著",
}
"""The same where no blank ends a word: what a sentence begins with."""
_MARKS = r"[\s\"'“”„«»‘’「『《(（\[*_>–—-]*"
"""What may stand before the first word."""
_END = r"(?![\w\u0900-\u0903\u093a-\u094f])"
"""The signs of Devanagari are no letters to Python."""


def leans(sentence: str, language: str) -> bool:
    """Return whether a sentence leans on the one before; in a language that is not known here, none does."""
    pattern = _pattern(language.partition("-")[0])
    return pattern is not None and pattern.match(sentence) is not None


@cache
def _pattern(language: str) -> re.Pattern[str] | None:
    for openers, end in ((_OPENERS, _END), (_UNSPACED, "")):
        if language in openers:
            words = (re.escape(word).replace("_", r"\s+") for word in openers[language].split())
            return re.compile(rf"{_MARKS}(?:{'|'.join(words)}){end}", re.IGNORECASE)
    return None
