## सहायक: किसी नाम के तहत, कोई कैसे उत्तर चाहता है

assistants-title = सहायक
assistants-about = सहायक वैसे उत्तर देता है जैसा उससे कहा गया, उन संग्रहों से जो उसे दिए गए। उससे पूछने वाला वही पाता है जो वह पढ़ सकता है,
    और हर वाक्य हमेशा की तरह जाँचा जाता है।
assistants-none = <h3>अभी कोई सहायक नहीं है</h3>जो आप बार-बार पूछते हैं उसके लिए एक बनाएँ, और अपने समूह के साथ साझा करें।
assistants-visitor = <h3>सहायक बनाने के लिए साइन इन करें</h3>यह उसी के लिए रखा जाता है जिसका नाम है।
assistants-gone = यह आपके सहायकों में नहीं है। शायद इसे हटा दिया गया।
assistants-not-here = यह सहायक यहाँ नहीं है। शायद इसे हटा दिया गया, या अब आपके साथ साझा नहीं है; उत्तर इसके बिना आएँगे।
assistants-new = नया सहायक
assistants-change = सहायक बदलें
assistants-all = सहायक और साँचे
assistants-edit = बदलें
assistants-edit-named = { $name } बदलें
assistants-name = नाम
assistants-for = किसलिए है
assistants-instructions = उत्तर कैसे दे
assistants-instructions-help = यह भाषा मॉडल को बताया जाता है, स्रोतों के नियमों के बाद। केवल उद्धरणों वाले उत्तर वैसे ही रहते हैं।
assistants-collections = किससे उत्तर दे
assistants-all-of-them = जो कुछ पूछने वाला पढ़ सकता है
assistants-writer = लेखक
assistants-any-writer = जिसे पूछने वाले ने चुना
assistants-starters = आरंभ के प्रश्न, हर पंक्ति में एक, अधिक से अधिक { $most }
assistants-readers = किनके साथ साझा
assistants-readers-none = किसी के साथ नहीं
assistants-everybody = सबके साथ
assistants-save = सहेजें
assistants-remove = हटाएँ
assistants-model = दूसरे प्रोग्रामों के लिए यह मॉडल <code>{ $model }</code> है।
assistants-own = केवल आपका
assistants-shared = आपका, { $readers } के साथ साझा
assistants-of-others = { $owner } का
assistants-with = <b>{ $name }</b> के साथ
assistants-templates = प्रश्नों के साँचे
assistants-templates-about = बार-बार पूछा जाने वाला प्रश्न, ख़ाली जगहों के साथ: पेटी में विस्मय-चिह्न के बाद इसका नाम लिखें,
    जैसे <b>!changes</b>, और जगहें भरें।
assistants-template = साँचा
assistants-template-new = नया साँचा
assistants-template-change = साँचा बदलें
assistants-template-text = प्रश्न
assistants-template-help = दोहरे कोष्ठकों के नाम ख़ाली जगहें हैं, जैसे: {"{{"}year{"}}"} से {"{{"}product{"}}"} में क्या बदला?
assistants-ask = पूछें
