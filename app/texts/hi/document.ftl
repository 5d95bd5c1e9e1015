## एक दस्तावेज़: उसका पाठ, उसका मूल, और दोनों के बारे में जो ज्ञात है

document-tabs = इस दस्तावेज़ के दृश्य
document-tab-text = पाठ
document-tab-original = मूल
document-tab-about = विवरण
document-tab-history = इतिहास
document-tab-passages = अंश
document-tab-cited = जिनमें उद्धृत

document-gone = <h3>यह दस्तावेज़ यहाँ नहीं है</h3>उद्धृत होने के बाद शायद इसे हटा दिया गया, या आप इसे नहीं पढ़ सकते।
document-search = खोजें
document-removed = यह दस्तावेज़ हटा दिया गया है; यह संस्करण { $version } में इसका पाठ है।
document-older = संस्करण { $version } में दस्तावेज़ ऐसा था।
document-newest = जैसा आज है वैसा पढ़ें
document-changed = उद्धृत होने के बाद यह दस्तावेज़ बदला है; अंश खिसक गया हो सकता है।
document-changed-read = जैसा उद्धृत हुआ था वैसा पढ़ें
document-no-such-version = पते में ऐसा संस्करण है जिसमें यह दस्तावेज़ नहीं है, या जिसे आप नहीं पढ़ सकते।
document-no-such-span = पते में ऐसा अंश है जो इस पाठ में नहीं है।
document-instructs = यह दस्तावेज़ { $how }

document-line-owner = { $owner } का
document-line-published = { $date } को प्रकाशित ({ $age })
document-line-updated = { $date } को अद्यतन ({ $age })
document-line-fetched = { $date } को पढ़ा गया ({ $age })

document-contents = विषय-सूची
document-contents-more = { $count ->
        [one] और एक छोटा शीर्षक
       *[other] और { $count } शीर्षक
    }
document-page-mark = पृष्ठ { $page }
document-earlier = ‹ पहले
document-later = आगे ›
document-share = पाठ का { $start } % से { $end } %

document-original-opening = मूल खुल रहा है
document-original-title = { $title } का मूल
document-original-none = <h3>मूल दिखाया नहीं जा सकता</h3>{ $reason }।
document-original-file = <h3>{ $name }</h3>ब्राउज़र इस प्रकार की फ़ाइल नहीं दिखा सकता। इसका पाठ वही है जो इससे पढ़ा गया; फ़ाइल देखने के लिए
    इसे डाउनलोड करें।
document-original-unmarked = उद्धृत शब्द मूल में नहीं मिले। वे पाठ में हैं।
document-page-alt = { $title } के { $pages } पृष्ठों में से पृष्ठ { $page }, जैसा वह दिखता है; इसके शब्द पाठ में हैं
document-image-alt = { $title }, जैसा वह दिखता है; पहचाने गए शब्द पाठ में हैं
document-page = पृष्ठ
document-page-of = { $pages } में से
document-download = डाउनलोड करें
document-at-source = स्रोत पर खोलें

document-readers = कौन पढ़ सकता है
document-readers-are = पाठक
document-readers-by = किसने बताया
document-readers-denied = नहीं
document-readers-allow = { $who } पढ़ सकते हैं
document-readers-deny = { $who } नहीं पढ़ सकते
document-readers-everyone = सब
document-readers-nobody = कोई नहीं
document-close = इसे बंद करें
document-close-note = अब से कोई भी इस दस्तावेज़ को किसी भी संस्करण में न पाएगा न खोलेगा, आप भी नहीं। यह हटाया नहीं जाता: “संचालन” के
    “पहुँच” में इसे वापस लिया जा सकता है।
document-close-why = क्यों, लॉग के लिए
document-close-now = अभी बंद करें

document-about-title = शीर्षक
document-about-author = लेखक
document-about-owner = स्वामी
document-about-language = भाषा
document-about-published = प्रकाशित
document-about-updated = अद्यतन
document-about-fetched = स्रोत से पढ़ा गया
document-about-collection = संग्रह
document-about-source = स्रोत
document-about-address = पता
document-about-type = प्रकार
document-about-pages = पृष्ठ
document-about-characters = वर्ण
document-about-passages = अंश
document-about-parser = पाठक-प्रोग्राम
document-about-stage = चरण की कुंजी
document-about-revision = संशोधन
document-about-raw = बाइटों का SHA-256
document-about-run = जिस रन ने इसे लाया
document-about-version = सूचकांक का संस्करण
document-about-ids = पहचान-चिह्न
document-about-tags = टैग
document-about-flags = निशान
document-about-losses = फ़ाइल से जो नहीं रखा गया

document-history-one = <h3>एक संशोधन ज्ञात है</h3>जब दस्तावेज़ अपने स्रोत पर बदलेगा, तो दोनों पाठ और उनके बीच का बदलाव यहाँ दिखेगा, जब तक पुराने
    वाला संस्करण रखा हुआ है।
document-history-newest = सबसे नया
document-history-built = { $date } को सूचकांक में ({ $age })
document-history-length = { $count } वर्ण
document-history-versions = { $count ->
        [one] संस्करण { $newest } में
       *[other] { $count } संस्करणों में, आख़िरी { $newest }
    }
document-history-read = पढ़ें
document-history-compare = पिछले से तुलना करें
document-history-old = से
document-history-new = तक
document-history-equal = <h3>कोई अंतर नहीं</h3>ये दोनों पाठ समान हैं।
document-history-changed = { $places ->
        [one] एक जगह बदली
       *[other] { $places } जगहें बदलीं
    }: { $gone ->
        [one] एक पंक्ति
       *[other] { $gone } पंक्तियाँ
    } हटीं, { $came ->
        [one] एक पंक्ति
       *[other] { $came } पंक्तियाँ
    } जुड़ीं।
document-history-more = … और { $count } पंक्तियाँ
document-list-before = ‹ पहले
document-list-after = आगे ›
document-list-part = { $parts } में { $part }

document-passages-none = <h3>कोई अंश नहीं</h3>इस दस्तावेज़ में खोजने के लिए पाठ बहुत कम है।
document-passages-told = { $count ->
        [one] एक अंश: खोज को यही पाठ मिलता है।
       *[other] { $count } अंश: खोज को इन्हीं में से एक मिलता है।
    }
document-passage-tokens = { $count } टोकन
document-passage-span = वर्ण { $start } से { $end }
document-passage-no-section = कोई शीर्षक नहीं
document-passage-show = पाठ में दिखाएँ
document-passage-show-n = अंश { $number } पाठ में दिखाएँ

document-cited-none = <h3>आपका कोई उत्तर इस दस्तावेज़ को उद्धृत नहीं करता</h3>जब करेगा, तो उद्धरण के साथ यहाँ दिखेगा।
document-cited-others = { $count ->
        [0] औरों को दिया गया कोई उत्तर इसे उद्धृत नहीं करता।
        [one] किसी और को दिया गया एक उत्तर इसे उद्धृत करता है।
       *[other] औरों को दिए गए { $count } उत्तर इसे उद्धृत करते हैं।
    }
document-cited-version = संस्करण { $version } से
document-cited-show = पाठ में दिखाएँ
document-ask = इस दस्तावेज़ के बारे में पूछें
document-ask-selected = इसके बारे में पूछें
document-attached = आपकी एक चैट से जुड़ा; इसे केवल आप देखते हैं
