## गुणस्तर: भागहरू

quality-title = गुणस्तर
quality-part = गुणस्तरको भाग
quality-overview = सारांश
quality-versions = संस्करण
quality-questions = प्रश्न
quality-proposed = सुझाइएका
quality-proposed-count = सुझाइएका{ $count ->
        [0] { "" }
       *[other] { " " }({ $count })
    }

## सबैभन्दा नयाँ संस्करण

quality-nothing-built = <h3>अहिले जाँच्ने केही छैन</h3>सूचीको संस्करण <code>rag sync</code> ले, वा “सङ्ग्रह” को
    <b>अहिले मिलान गर्ने</b> ले बन्छ। हरेकलाई उही प्रश्न सोधिन्छ, र चालु संस्करणसँगै यहाँ देखाइन्छ।
quality-never = <h3>{ $version } अहिलेसम्म जाँचिएको छैन</h3><b>अहिले मूल्याङ्कन गर्ने</b> थिच्नुहोस्: संस्करणलाई तपाईंका प्रश्न सोधिन्छन्, चालु
    संस्करणसँग तुलना हुन्छ, र निर्णय यहाँ देखाइन्छ। यसले केही प्रकाशित गर्दैन।
quality-newest = सबैभन्दा नयाँ संस्करण: <code>{ $version }</code>
quality-newest-live = सबैभन्दा नयाँ संस्करण: <code>{ $version }</code>, जुन चालु छ
quality-evaluate = अहिले मूल्याङ्कन गर्ने
quality-evaluate-help = सबैभन्दा नयाँ संस्करणलाई आजका प्रश्न सोध्छ र चालुसँग तुलना गर्छ। केही प्रकाशित गर्दैन।
quality-evaluating = मूल्याङ्कनको तयारी हुँदै …
quality-evaluating-of = { $total } मध्ये प्रश्न { $done } सोधिँदै …
quality-failed = पछिल्लो मूल्याङ्कन असफल भयो: { $reason }
quality-damaged = { $version } को मूल्याङ्कनको राखिएको कुरा बिग्रिएको छ ({ $error })। फेरि जाँच्न “अहिले मूल्याङ्कन गर्ने” थिच्नुहोस्, वा “rag sync” चलाउनुहोस्।
quality-passed = उत्तीर्ण
quality-refused = अस्वीकृत
quality-rescore = तुलना भएको छैन
quality-not-judged = जाँचिएको छैन
quality-reasons = { $count ->
        [one] कारण, शब्दशः
       *[other] सबै { $count } कारण, शब्दशः
    }
quality-against-live = चालुको तुलनामा
quality-interval = 95 % निश्चित: { $ends }
quality-card-questions = जितेका : हारेका
quality-of = { $count } प्रश्नमध्ये
quality-card-search = खोजको मध्यिका
quality-card-p95 = 95औँ शतमक { $ms } मि.से.

quality-over-time = समयसँगै
quality-measure = मापन
quality-chart-key = हरेक बिन्दु एउटा मूल्याङ्कन हो, त्यसको पट्टी 95 % अन्तराल। खाली बिन्दु अस्वीकृत भयो। रेखा टुटेको ठाउँमा प्रश्न बदलिए:
    त्यसका दायाँबायाँ तुलना गर्न मिल्दैन।
quality-one-evaluation = अहिलेसम्म एउटा मूल्याङ्कन छ; अर्कोले रेखा सुरु गर्छ।
quality-all-evaluations = { $count ->
        [one] मूल्याङ्कन तालिकामा
       *[other] सबै { $count } मूल्याङ्कन तालिकामा
    }
quality-version = संस्करण
quality-on = मिति
quality-interval-95 = 95 % अन्तराल
quality-gate = जाँचद्वार
quality-scored-again = फेरि अङ्क दिइयो
quality-no-questions = <h3>केही नापिएन</h3>प्रश्न नभएकाले सूची मात्र जाँचियो। <b>प्रश्न</b> मा केही लेख्नुहोस्: मानिसले के सोध्छन्, र जवाफ दिने कागजातका
    शब्द। अनि <b>अहिले मूल्याङ्कन गर्ने</b> थिच्नुहोस्।
quality-side-by-side = { $then } सँगै { $now }
quality-scores = अङ्क
quality-other-questions = अघिल्लो संस्करणलाई अरू प्रश्न सोधिएका थिए, त्यसैले तुलना गरिँदैन।
quality-more-measures = थप मापन
quality-by = { $group } अनुसार { $metric }
quality-change = परिवर्तन

quality-moved = जितेका र हारेका प्रश्न
quality-worse = हारेका ({ $count })
quality-better = जितेका ({ $count })
quality-none-moved = कुनै छैन।
quality-show-all = सबै { $count } देखाउने
quality-ranks = क्रम { $before } → { $after }
quality-not-found = छैन
quality-cause = कारण: { $cause }।
quality-no-cause = भेटिएका कागजातमा केही बदलिएको छैन।
quality-competition = यसका आफ्ना अंश उही छन्; अरू माथि आए, वा गए।
quality-found-by = { $version } ले भेट्यो
quality-found-nothing = केही छैन।
quality-right = (सही)
quality-unreadable-hit = तपाईंले पढ्न नपाउने कागजात
quality-hidden = तपाईंले पढ्न नपाउने कागजातका प्रश्न गनिन्छन्, तर देखाइँदैनन्।

## संस्करण

quality-damaged-versions = { $count ->
        [one] 1 संस्करण पढ्न सकिँदैन
       *[other] { $count } संस्करण पढ्न सकिँदैनन्
    }: वर्णन गर्ने फाइल बिग्रिएको छ। <code>rag repair</code> ले मिलाउँछ।
quality-admins-publish = प्रशासकले संस्करण प्रकाशित गर्छन् र पछाडि फर्काउँछन्।
quality-live = चालु
quality-candidate = उम्मेदवार
quality-pinned = पिन गरिएको
quality-version-facts = { $age } बनेको ({ $date }) · { $documents ->
       *[other] { $documents } कागजात
    } · { $chunks ->
       *[other] { $chunks } अंश
    } · { $model }
quality-not-scored = अहिलेसम्म अङ्क छैन।
quality-by-promote = { $when } { $who } ले प्रकाशित गरेको: { $why }
quality-by-rollback = { $when } { $who } ले यसमा फर्काएको: { $why }
quality-by-redact = { $when } { $who } ले बिर्सिएका कागजात हटाएको: { $why }
quality-why-refused = किन अस्वीकृत भयो
quality-promote = प्रकाशित गर्ने …
quality-rollback = यसमा फर्कने …
quality-again = फेरि प्रकाशित गर्ने …
quality-release = प्रकाशन अघि बढ्न दिने …
quality-report = प्रतिवेदन
quality-compare = चालुसँग तुलना गर्ने

quality-promote-title = { $version } प्रकाशित गर्ने?
quality-rollback-title = { $version } मा फर्कने?
quality-promote-means = अर्को प्रश्नदेखि सबैलाई यही संस्करणबाट जवाफ दिइन्छ। एक क्षण लाग्छ, र त्यसरी नै फर्काउन सकिन्छ। पछाडि फर्केपछि मिलानले फेरि
    आफैँ प्रकाशित गर्छन्।
quality-rollback-means = अर्को प्रश्नदेखि सबैलाई यही संस्करणबाट जवाफ दिइन्छ। एक क्षण लाग्छ। कसैले संस्करण प्रकाशित नगरेसम्म केही पनि आफैँ
    प्रकाशित हुँदैन: मिलानले बनाउन र जाँच्न भने छोड्दैन।
quality-reason = कारण, लगका लागि
quality-reason-example = सबैभन्दा नयाँमा मूल्य गलत छन्
quality-reason-missing = किन भन्नुहोस्: पछि लग हेर्नेले जान्न चाहन्छ।
quality-promote-now = प्रकाशित गर्ने
quality-rollback-now = फर्कने
quality-override-means = जाँचद्वारले यो संस्करणलाई जान दिएन। तैपनि प्रकाशित गर्नु त्यसलाई नाघ्नु हो, जुन तपाईंको नामसहित लगमा रहन्छ।
quality-override = जाँचद्वार नाघ्ने: उत्तीर्ण नभए पनि { $version } प्रकाशित गर्ने
quality-override-logged = { $reason } (जाँचद्वारले जान नदिए पनि)
quality-moved-meanwhile = यसबीच { $version } चालु भयो। यसलाई बन्द गर्नुहोस्, फेरि हेर्नुहोस्, र नयाँ निर्णय गर्नुहोस्।
quality-is-live = { $version } चालु छ
quality-documents = कागजात
quality-chunks = अंश
quality-now = अहिले: { $version }
quality-then = पछि: { $version }
quality-what-changes = के बदलिन्छ
quality-documents-move = कागजात: { $came } आउँछन्, { $went } जान्छन्, { $edited } बदलिन्छन्।
quality-score-moves = { $metric }: { $change }।

## प्रतिवेदन र तुलना

quality-report-of = { $version } को प्रतिवेदन
quality-one-version = <h3>तुलना गर्न अहिले केही छैन</h3>यसका लागि दुई संस्करण चाहिन्छ: केही बदल्ने हरेक मिलानले एउटा बनाउँछ।
quality-compare-title = के फरक छ
quality-side-a = अघि
quality-side-b = पछि
quality-same-version = यो उही संस्करण दुई पटक हो। अर्को छान्नुहोस्।
quality-passages = अंश: { $kept } रहे, { $new } नयाँ छन्, { $gone } गए।
quality-disk = डिस्कमा: अघि { $then }, अहिले { $now }।
quality-made-with = केले बनेको
quality-source = स्रोत
quality-by-source = स्रोतअनुसार
quality-came-added = आए
quality-came-removed = गए
quality-came-edited = बदलिए
quality-kind-added = आए ({ $count })
quality-kind-removed = गए ({ $count })
quality-kind-source = स्रोतमा बदलिए ({ $count })
quality-kind-extractor = उही बाइटबाट फरक पढिए ({ $count })
quality-kind-description = फरक वर्णन, उही पाठ ({ $count })
quality-more = र थप { $count }
quality-unreadable = र तपाईंले पढ्न नपाउने { $count }

## प्रश्न

quality-no-questions-yet = <h3>राम्रा प्रश्नले नराम्रा संस्करण रोक्छन्</h3>मानिसले आफ्नै शब्दमा सोध्ने कुरा लेख्नुहोस्, र जवाफ दिने कागजातका शब्द छान्नुहोस्। हरेक नयाँ
    संस्करणलाई यी प्रश्न सोधिन्छन्, र नराम्रो गर्ने प्रकाशित हुँदैन। पचास राम्रो सुरुवात हो; केही कागजातले जवाफ नदिने हुनुपर्छ।
quality-add = प्रश्न थप्ने
quality-import = आयात
quality-import-title = प्रश्न आयात गर्ने
quality-import-means = हरेक लाइनमा एउटा JSON वस्तु भएको फाइल, <b>निर्यात</b> ले लेखेजस्तै। सबै लिइन्छ वा केही पनि होइन; फाइलको नाम नै समूहको
    नाम हो।
quality-import-file = प्रश्न समूह
quality-imported = { $count ->
        [one] 1 प्रश्न थपियो
       *[other] { $count } प्रश्न थपिए
    }{ $lost ->
        [0] ।
        [one] ; 1 उद्धरण तपाईंले पढ्न पाउने कुनै कागजातमा छैन।
       *[other] ; { $lost } उद्धरण तपाईंले पढ्न पाउने कुनै कागजातमा छैनन्।
    }
quality-export = निर्यात
quality-malformed = यो लाइन पढ्न सकिँदैन, र हरेक मूल्याङ्कन रोक्छ: <code>{ $where }</code>। फाइलमा मिलाउनुहोस्;
    <code>rag questions check</code> ले थप भन्छ।
quality-find-question = प्रश्न खोज्ने
quality-find-question-hint = यसका शब्द, id वा ट्याग
quality-set = समूह
quality-all-sets = सबै समूह
quality-unanswerable = जवाफ दिन नसकिने
quality-lost = उद्धरण भेटिएन
quality-train = मिलाउनका लागि
quality-edit = सम्पादन गर्ने

quality-adding = नयाँ प्रश्न
quality-editing = प्रश्न सम्पादन गर्ने
quality-accepting = सुझाइएको प्रश्न लिने
quality-no-such-question = <h3>यो प्रश्न यहाँ छैन</h3>मेटियो वा बदलियो, वा यो तपाईंले पढ्न नपाउने कागजातबारे हो।
quality-question = मानिसले के सोध्छन्
quality-question-hint = मैले कति दिन बिदा पाउँछु?
quality-answerable = कागजातले यसको जवाफ दिन्छन्
quality-answerable-help = बन्द: कागजातले भन्दैनन् भन्नु नै सही हो।
quality-answer = मान्य जवाफ (ऐच्छिक)
quality-answer-help = सही जवाफमा हुने केही शब्द। धेरै भए बीचमा | राख्नुहोस्।
quality-places = जवाफ दिने अंश
quality-places-mean = कम्तीमा एउटा उद्धरण: कागजातका शब्द, जस्ताको तस्तै। कागजात कसरी काटिए भन्नेले फरक पार्दैन।
quality-remove-place = ठाउँ { $number } हटाउने
quality-search = जवाफ दिने अंश खोज्ने
quality-search-hint = अंशका शब्द, वा प्रश्न नै
quality-search-nothing = केही भेटिएन। अरू शब्द प्रयास गर्नुहोस्।
quality-choose-passage = अंश छान्नुहोस्
quality-choose-sentence = जवाफ दिने वाक्य छान्नुहोस्
quality-quote = उद्धरण; लामो वा छोटो बनाउनुहोस्
quality-use-quote = यो उद्धरण लिने
quality-open-document = कागजात खोल्ने
quality-details = विवरण
quality-tags = ट्याग, बीचमा अल्पविराम
quality-language = भाषा, जस्तै ne
quality-asked-by = सोध्ने
quality-asked-by-help = कसका रूपमा खोज्ने, जस्तै group:hr; खाली: सबै, नभए ती ठाउँ पढ्न पाउने।
quality-as-of = यस मितिमा
quality-as-of-help = सोधिने मिति, जस्तै 2026-05-31; खाली: जहिले पनि।
quality-split = विभाजन
quality-split-help = “dev” का प्रश्नले जाँचद्वारमा निर्णय गर्छन्; “train” का सेटिङ परीक्षण गर्नका लागि हुन्।
quality-by-chance = आफैँ
quality-save = राख्ने
quality-saved = राखियो। अर्को मूल्याङ्कनले सोध्छ।
quality-delete = मेट्ने

## सुझाइएका प्रश्न

quality-nothing-proposed = <h3>केही सुझाइएको छैन</h3>कसैले जवाफमा औँलो तल देखाएपछि, वा कागजातमा नभएको जवाफ मूल्याङ्कन गरेपछि, प्रश्न यहाँ आउँछ। त्यसलाई
    लिनुहोस्, र अर्को संस्करणले राम्रो गर्नुपर्छ।
quality-accept = लिने …
quality-dismiss = छोड्ने
quality-judged-good = नदिनु नै सही थियो
quality-judged-better = अर्को जवाफभन्दा राम्रो
quality-why-wrong = गलत
quality-why-incomplete = केही छुटेको
quality-why-outdated = पुरानो
quality-why-source = गलत स्रोत
quality-why-unanswered = कागजातमा यसको जवाफ छ
quality-why-other = नराम्रो
quality-judged = { $when } मूल्याङ्कन, { $version } ले जवाफ दिएको
quality-answered = जवाफ थियो: { $answer }

## मानिसले जवाफबारे के सोचे

quality-feedback = प्रतिक्रिया
quality-judged-none = यी दिनमा कसैले जवाफ मूल्याङ्कन गरेन। औँलाहरू हरेक जवाफको तल छन्।
quality-judged-all = मूल्याङ्कन
quality-judged-rate = राम्रो ठानिएका
quality-judged-bad = नराम्रो ठानिएका
quality-judged-were-good = राम्रा
quality-judged-were-bad = नराम्रा
quality-judged-by-day = दिनअनुसार मूल्याङ्कन
quality-judged-spoken = { $days } दिनमा { $good } राम्रो र { $bad } नराम्रो मूल्याङ्कन।
quality-judged-by-collection = सङ्ग्रहअनुसार
quality-judged-by-generator = जवाफको लेखकअनुसार
quality-judged-preferred = अर्को जवाफभन्दा मन पराइएको
quality-judged-name = नाम
quality-judged-reasons = किन: { $reasons }।
quality-judged-worst = नराम्रा जवाफ भएका प्रश्न
quality-judged-worst-mean = झन्डै उही सोध्ने सँगै छन्।
quality-judged-times = { $times ->
        [one] एक पटक नराम्रो ठानियो
       *[other] { $times } पटक नराम्रो ठानियो
    }
quality-judged-make = जाँचद्वारको प्रश्न बनाउने
quality-judged-make-help = जवाफले उद्धृत गरेको कुरालाई जवाफ दिने ठाउँ मानेर। त्यसो हुन नसके सम्पादन खुल्छ।
quality-judged-made = अब यो जाँचद्वारको प्रश्न हो।
quality-judged-decided = यसमा कसैले निर्णय गरिसक्यो।
quality-judged-edit = पहिले हेर्ने
