## खोज्ने

search-box = आफ्ना कागजातमा खोज्नुहोस्
search-go = खोज्ने
search-mode = केबाट खोज्ने
search-mode-rerank = उत्तम
search-mode-hybrid = छिटो
search-mode-lexical = शब्द
search-mode-vector = अर्थ
search-mode-help = { $mode ->
        [rerank] शब्द र अर्थ, र उत्तम अंश फेरि क्रममा
        [hybrid] शब्द र अर्थ, फेरि क्रम नमिलाई
        [lexical] तपाईंका शब्द भएका अंश मात्र
       *[vector] अंशको अर्थले मात्र, शब्द जे होस्
    }
search-match = यो हुनुपर्छ
search-match-any = यसको केही
search-match-all = सबै शब्द
search-match-exact = ठ्याक्कै यही पाठ
search-match-part = शब्दका भाग
search-match-help = { $match ->
    [all] प्रश्नको हरेक शब्द, जुनसुकै रूपमा
    [exact] प्रश्नको पाठ जस्तो लेखिएको छ
    [part] प्रश्नको पाठ, शब्दभित्र पनि: कोड र नामका लागि
   *[other] यसका केही शब्द, वा यसको अर्थ
    }
search-try-match = <a href="{ $address }" target="_self">यसको केही</a> खोज्ने
search-sort = क्रम
search-sort-relevance = सान्दर्भिकता
search-sort-date = सबैभन्दा नयाँ

search-filters = छनोट
search-facet-collection = सङ्ग्रह
search-facet-source = स्रोत
search-facet-type = प्रकार
search-facet-language = भाषा
search-facet-tag = ट्याग, सबै
search-facet-since = मिति
search-age = उमेर
search-archived = अभिलेखमा
search-archived-help = पुरानो भएकाले छुट्याइएको मात्र, अरू कागजात होइन
search-limit-since = { $value } देखि
search-limit-until = { $value } सम्म
search-remove = यो छनोट हटाउने
search-remove-all = सबै हटाउने
search-more-choices = थप { $count }
search-past-week = गएको हप्ता
search-past-month = गएको महिना
search-past-year = गएको वर्ष
search-from = देखि
search-to = सम्म
search-set = लगाउने

search-results = नतिजा
search-found = { $documents ->
       *[other] { $documents } कागजात
    }
search-found-best = { $documents ->
        [one] उत्तम कागजात
       *[other] उत्तम { $documents } कागजात
    }
search-newest-note = सबैभन्दा नयाँ पहिले, { $documents ->
        [one] सबैभन्दा राम्रो जवाफ दिने एउटा कागजातमा
       *[other] सबैभन्दा राम्रो जवाफ दिने { $documents } कागजातमा
    }
search-took = { $ms } मि.से.
search-quick = लेख्दै गर्दाको छिटो क्रम। <kbd>Enter</kbd> ले फेरि क्रम मिलाउँछ।
search-looking = फेरि क्रम मिलाइँदै …
search-busy = अहिले धेरैले खोज्दै छन्: यो छिटो क्रम हो। <kbd>Enter</kbd> ले फेरि क्रम मिलाउन खोज्छ।
search-understood = यसरी बुझियो: { $query }
search-nearest = यहाँ यसको जवाफ दिने केही देखिँदैन। सबैभन्दा नजिकका अंश:
search-instructs = यो कागजातले आफ्नो पाठकलाई निर्देशन दिन खोज्छ।
search-page-of = पृष्ठ { $page }
search-pages = नतिजाका पृष्ठ
search-page = पृष्ठ { $page }
search-previous = अघिल्लो
search-next = अर्को
search-last = यी उत्तम { $count } हुन्। अरू हेर्न छनोट वा थप शब्दले खोज साँघुर्‍याउनुहोस्।

search-nothing = केही भेटिएन
search-nothing-relevant = सान्दर्भिक केही भेटिएन
search-try-spelling = हिज्जे जाँच्नुहोस्, वा अरू वा थोरै शब्द प्रयोग गर्नुहोस्।
search-try-meaning = <a href="{ $address }" target="_self">अर्थले पनि खोज्ने</a>, शब्दले मात्र होइन।
search-try-without = छनोट <b>{ $filter }</b> विना
        { $documents ->
            [one] <a href="{ $address }" target="_self">एउटा कागजात</a>ले जवाफ दिन्छ।
           *[other] <a href="{ $address }" target="_self">{ $documents } कागजात</a>ले जवाफ दिन्छन्।
        }
search-try-clear = <a href="{ $address }" target="_self">सबै छनोट हटाउने</a>।

search-welcome = <h1>खोज्ने</h1><p>{ $documents ->
            [one] एउटा कागजात
           *[other] { $documents } कागजात
    }, शब्दले र अर्थले। लेख्दालेख्दै नतिजा आउँछ।</p>
search-syntax-title = के लेख्न सकिन्छ
search-syntax = <dl>
    <div><dt><code>annual leave</code></dt><dd>यी शब्द, यिनका रूप, र उही अर्थ भएका</dd></div>
    <div><dt><code>"notice period"</code></dt><dd>ठ्याक्कै यही क्रममा यी शब्द</dd></div>
    <div><dt><code>*4471*</code></dt><dd>शब्द, कोड वा नामको यो भाग</dd></div>
    <div><dt><code>source:{ $source }</code></dt><dd>त्यहाँबाट मात्र; यस्तै <code>type:</code> <code>lang:</code> <code>collection:</code> <code>tag:</code></dd></div>
    <div><dt><code>after:2025-06</code></dt><dd>योभन्दा पुरानो होइन; <code>before:</code> ले नयाँ होइन</dd></div>
    <div><dt><code>-draft</code></dt><dd>यो शब्दविना</dd></div>
    </dl>
search-keys = <kbd>/</kbd> ले खोज बाकसमा लैजान्छ, <kbd>↓</kbd> <kbd>↑</kbd> वा <kbd>j</kbd> <kbd>k</kbd> ले नतिजामा,
    <kbd>Enter</kbd> ले एउटा खोल्छ, <kbd>Esc</kbd> ले फर्काउँछ।

## नतिजाको क्रम किन यस्तो, र कुनै कागजात नतिजामा किन छैन

search-why = यो क्रम किन
search-why-not = यो कागजात किन छैन?
search-why-not-name = कागजात
search-why-not-box = यसको ठेगाना, वा ठेगानाको अन्त्य
search-why-rank = क्रम
search-why-score = अङ्क
search-why-final = अन्तिम
search-why-probably = सम्भवतः सान्दर्भिक
search-why-lexical = शब्द (BM25)
search-why-vector = अर्थ (कोसाइन)
search-why-fused = मिलाएर
search-why-aged = उमेरपछि
search-why-trusted = स्रोतको विश्वासपछि
search-why-reranked = फेरि क्रम मिलाएपछि
search-why-fed-back = उत्तम नतिजाबाट विस्तार गरेपछि
search-why-found = क्रम { $rank } मा भेटियो
search-why-lost = नतिजामा छैन: { $stage }
search-why-passage = अंश
search-why-passage-n = अंश { $n }
search-why-ended = अन्त्य
search-why-retriever-lexical = शब्द
search-why-retriever-vector = अर्थ
search-why-of = { $of } मध्ये { $rank }
search-why-more = र थप { $count } अंश
search-end-beyond-k = तलको क्रममा
search-end-depth = उम्मेदवार होइन
search-end-aged = उमेर
search-end-trusted = कम विश्वासको स्रोत
search-end-reranked = फेरि क्रम
search-end-unwanted = तल सारिएको
search-end-irrelevant = सान्दर्भिक छैन
search-also = यसमा पनि
search-ask-these = यिनबारे सोध्ने
search-no-collection = कुनै सङ्ग्रहमा छैन
