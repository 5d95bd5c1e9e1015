## खोज

search-box = अपने दस्तावेज़ों में खोजें
search-go = खोजें
search-mode = किससे खोजें
search-mode-rerank = सर्वोत्तम
search-mode-hybrid = तेज़
search-mode-lexical = शब्द
search-mode-vector = अर्थ
search-mode-help = { $mode ->
        [rerank] शब्द और अर्थ, और सबसे अच्छे अंश फिर से क्रम में
        [hybrid] शब्द और अर्थ, बिना फिर से क्रम के
        [lexical] केवल वे अंश जिनमें आपके शब्द हैं
       *[vector] केवल अंशों के अर्थ से, शब्द चाहे जो हों
    }
search-match = इसमें हो
search-match-any = इसका कुछ भी
search-match-all = सभी शब्द
search-match-exact = ठीक यही पाठ
search-match-part = शब्दों के भाग
search-match-help = { $match ->
    [all] प्रश्न का हर शब्द, किसी भी रूप में
    [exact] प्रश्न का पाठ जैसा लिखा है
    [part] प्रश्न का पाठ, शब्दों के भीतर भी: कोड और नामों के लिए
   *[other] उसके कुछ शब्द, या उसका अर्थ
    }
search-try-match = <a href="{ $address }" target="_self">इसका कुछ भी</a> खोजें
search-sort = क्रम
search-sort-relevance = प्रासंगिकता
search-sort-date = सबसे नया

search-filters = फ़िल्टर
search-facet-collection = संग्रह
search-facet-source = स्रोत
search-facet-type = प्रकार
search-facet-language = भाषा
search-facet-tag = टैग, सभी
search-facet-since = तारीख़
search-age = आयु
search-archived = संग्रहित
search-archived-help = केवल वही जो पुराना होने के कारण अलग रखा गया है, बाकी दस्तावेज़ नहीं
search-limit-since = { $value } से
search-limit-until = { $value } तक
search-remove = यह फ़िल्टर हटाएँ
search-remove-all = सब हटाएँ
search-more-choices = { $count } और
search-past-week = पिछला सप्ताह
search-past-month = पिछला महीना
search-past-year = पिछला वर्ष
search-from = से
search-to = तक
search-set = लगाएँ

search-results = परिणाम
search-found = { $documents ->
       *[other] { $documents } दस्तावेज़
    }
search-found-best = { $documents ->
        [one] सबसे अच्छा दस्तावेज़
       *[other] सबसे अच्छे { $documents } दस्तावेज़
    }
search-newest-note = सबसे नया पहले, { $documents ->
        [one] सबसे अच्छा उत्तर देने वाले एक दस्तावेज़ में
       *[other] सबसे अच्छा उत्तर देने वाले { $documents } दस्तावेज़ों में
    }
search-took = { $ms } मि.से.
search-quick = लिखते समय का तेज़ क्रम। <kbd>Enter</kbd> फिर से क्रम देता है।
search-looking = फिर से क्रम दिया जा रहा है …
search-busy = अभी बहुत लोग खोज रहे हैं: यह तेज़ क्रम है। <kbd>Enter</kbd> फिर से क्रम देने की कोशिश करता है।
search-understood = ऐसे समझा गया: { $query }
search-nearest = लगता है यहाँ कुछ भी इसका उत्तर नहीं देता। सबसे निकट के अंश:
search-instructs = यह दस्तावेज़ अपने पाठक को निर्देश देने की कोशिश करता है।
search-page-of = पृष्ठ { $page }
search-pages = परिणामों के पृष्ठ
search-page = पृष्ठ { $page }
search-previous = पिछला
search-next = अगला
search-last = ये सबसे अच्छे { $count } हैं। दूसरे देखने के लिए किसी फ़िल्टर या अधिक शब्दों से खोज को सीमित करें।

search-nothing = कुछ नहीं मिला
search-nothing-relevant = कुछ प्रासंगिक नहीं मिला
search-try-spelling = वर्तनी जाँचें, या दूसरे या कम शब्द लिखें।
search-try-meaning = <a href="{ $address }" target="_self">अर्थ से भी खोजें</a>, केवल शब्दों से नहीं।
search-try-without = फ़िल्टर <b>{ $filter }</b> के बिना
        { $documents ->
            [one] <a href="{ $address }" target="_self">एक दस्तावेज़</a> उत्तर देता है।
           *[other] <a href="{ $address }" target="_self">{ $documents } दस्तावेज़</a> उत्तर देते हैं।
        }
search-try-clear = <a href="{ $address }" target="_self">सभी फ़िल्टर हटाएँ</a>।

search-welcome = <h1>खोज</h1><p>{ $documents ->
            [one] एक दस्तावेज़
           *[other] { $documents } दस्तावेज़
    }, शब्दों से और उनके अर्थ से। परिणाम लिखते-लिखते आते हैं।</p>
search-syntax-title = आप क्या लिख सकते हैं
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>ये शब्द, इनके रूप, और जिनका अर्थ वही है</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>ठीक यही शब्द, इसी क्रम में</dd></div>
    <div><dt><code>*4471*</code></dt><dd>किसी शब्द, कोड या नाम का यह भाग</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>केवल वहीं से; इसी तरह <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>इससे पुराना नहीं; <code>before:</code> से नया नहीं</dd></div>
    <div><dt><code>-draft</code></dt><dd>इस शब्द के बिना</dd></div>
    </dl>
search-keys = <kbd>/</kbd> खोज-पेटी पर ले जाता है, <kbd>↓</kbd> <kbd>↑</kbd> या <kbd>j</kbd> <kbd>k</kbd> परिणामों में,
    <kbd>Enter</kbd> एक को खोलता है, <kbd>Esc</kbd> वापस लाता है।

## किसी परिणाम का क्रम क्यों है, और कोई दस्तावेज़ परिणामों में क्यों नहीं

search-why = यह क्रम क्यों
search-why-not = यह दस्तावेज़ क्यों नहीं?
search-why-not-name = दस्तावेज़
search-why-not-box = इसका पता, या पते का अंत
search-why-rank = क्रम
search-why-score = अंक
search-why-final = अंतिम
search-why-probably = संभवतः प्रासंगिक
search-why-lexical = शब्द (BM25)
search-why-vector = अर्थ (कोसाइन)
search-why-fused = मिलाकर
search-why-aged = आयु के बाद
search-why-trusted = स्रोत पर भरोसे के बाद
search-why-reranked = फिर से क्रम देने के बाद
search-why-fed-back = छद्म प्रासंगिकता प्रतिपुष्टि के बाद
search-why-found = क्रम { $rank } पर मिला
search-why-lost = परिणामों में नहीं: { $stage }
search-why-passage = अंश
search-why-passage-n = अंश { $n }
search-why-ended = अंत
search-why-retriever-lexical = शब्द
search-why-retriever-vector = अर्थ
search-why-of = { $of } में { $rank }
search-why-more = और { $count } अंश
search-end-beyond-k = नीचे के क्रम पर
search-end-depth = प्रत्याशी नहीं
search-end-aged = आयु
search-end-trusted = कम भरोसे का स्रोत
search-end-reranked = फिर से क्रम
search-end-unwanted = नीचे किया गया
search-end-irrelevant = प्रासंगिक नहीं
search-also = इसमें भी
search-ask-these = इनके बारे में पूछें
search-no-collection = किसी संग्रह में नहीं
