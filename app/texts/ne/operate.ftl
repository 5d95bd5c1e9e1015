## सञ्चालन: भागहरू

operate-title = सञ्चालन
operate-part = सञ्चालनको भाग
operate-now = अहिले
operate-sources = स्रोत
operate-review = समीक्षा
operate-asked = सोधिएको
operate-holding = भण्डार
operate-costs = लागत
operate-audit = लेखापरीक्षण
operate-decided = पहुँच

## पहुँच

operate-no-rules = कसले पढ्न पाउँछ भन्नेबारे कसैले केही तय गरेको छैन: स्रोतले भनेको मान्य हुन्छ।
operate-rules = नियम
operate-rule-allow = { $who } ले पढ्न पाउँछ
operate-rule-deny = { $who } ले पढ्न पाउँदैन
operate-rule-remove = फिर्ता लिने
operate-rule-removed = सञ्चालनमा फिर्ता लिइएको
operate-changes = परिवर्तन
operate-change-when = कहिले
operate-change-who = कसले
operate-change-what = के
operate-change-why = किन

## अहिले

operate-running = चल्दै छ
operate-idle = केही चल्दै छैन।
operate-doing = { $source ->
        [none] { "" }
       *[other] { $source }:{ " " }
    }{ $stage }, { $elapsed } देखि
operate-done-of = · { $total } मध्ये { $done }
operate-stage-sync = तयारी
operate-stage-fetch = ल्याउने
operate-stage-extract = पढ्ने
operate-stage-chunk = काट्ने
operate-stage-embed = इम्बेड गर्ने
operate-stage-index = सूची बनाउने
operate-stage-evaluate = मूल्याङ्कन
operate-sync-failed = पछिल्लो मिलान { $when } असफल भयो: { $reason }
operate-health = स्वास्थ्य
operate-damaged = चालु संस्करणलाई कसैको आवश्यकता छ: { $notice }
operate-all-well = यो मेसिन र यो कार्यक्षेत्रमा केही गडबड छैन।
operate-all-checks = सबै { $count } जाँच
operate-level-ok = ठीक
operate-level-hint = सङ्केत
operate-level-wrong = गलत
operate-moves = चालु संस्करणका परिवर्तन
operate-no-moves = अहिलेसम्म केही प्रकाशित भएको छैन।
operate-when = कहिले (UTC)
operate-what = के
operate-who = को
operate-why = किन
operate-rollback = पछाडि: { $before } → { $version }
operate-redact = मेटाइएको: { $before } → { $version }

## स्रोत

operate-no-sources = <h3>अहिलेसम्म स्रोत छैन</h3>कागजात स्रोतबाट आउँछन्: फोल्डर, फिड, साइट, पोर्टल, तालिका।
    <b>सङ्ग्रह</b> मा वा <code>rag.toml</code> मा एउटा थप्नुहोस्।
operate-attention = { $count ->
        [0] सबै { $of } स्रोत ठीक छन्।
        [one] { $of } मध्ये 1 स्रोतलाई ध्यान चाहिन्छ।
       *[other] { $of } मध्ये { $count } स्रोतलाई ध्यान चाहिन्छ।
    }
operate-well = ठीक
operate-look = ध्यान चाहिन्छ
operate-schedule = समय { $cron }
operate-no-schedule = समय छैन
operate-check-failures = असफलता
operate-check-boilerplate = भरौटे पाठ
operate-check-count = कागजातको सङ्ख्या
operate-check-length = कागजातको लम्बाइ
operate-check-languages = भाषा
operate-check-freshness = ढिलो
operate-check-instructions = निर्देशन
operate-check-readable = पढ्न नसकिने
operate-do-failures = के असफल भयो तल हेर्नुहोस्; आफैँ ठीक हुन सक्ने कुरा अर्को मिलानमा फेरि प्रयास हुन्छ।
operate-do-boilerplate = यसका केही कागजात हेर्नुहोस्: मुख्य पाठ छ?
operate-do-count = सही हो भने केही गर्नु पर्दैन; नभए स्रोत नै हेर्नुहोस्।
operate-do-length = यसका केही कागजात हेर्नुहोस्: पूरा पाठ छ?
operate-do-languages = यसका केही कागजात हेर्नुहोस्: पाठ पढ्न सकिन्छ?
operate-do-freshness = “सङ्ग्रह” मा यसलाई मिलान गर्नुहोस्; Dagster चल्दै छ कि छैन, र स्रोतसम्म पुग्न सकिन्छ कि हेर्नुहोस्।
operate-do-instructions = यी कागजात पढ्नुहोस्: यिनले भाषा मोडेललाई के गर्ने भन्न खोज्छन्। यिनको कुरा कहिल्यै मानिँदैन।
operate-do-readable = “rag repair” चलाउनुहोस्: यसलाई छुट्याएर नयाँ बनाइन्छ।
operate-failures = { $count ->
        [one] 1 कुरा असफल भयो
       *[other] { $count } कुरा असफल भए
    }
operate-mend-fetch = अर्को मिलानमा फेरि प्रयास हुन्छ।
operate-mend-read = कागजात जहाँबाट आउँछ त्यहीँ मिलाउनुहोस्, अनि मिलान गर्नुहोस्।
operate-more = र थप { $count }

## सोधिएको

operate-period = अवधि
operate-days = { $count } दिन
operate-nothing-asked = <h3>यो अवधिमा केही सोधिएन</h3>मानिसले सोध्न र खोज्न थालेपछि, दिनमा कति, केमा समय लाग्यो, र कागजातले केको जवाफ दिएनन्,
    यहाँ देखिन्छ।
operate-questions = प्रश्न
operate-unanswered = जवाफ नआएको
operate-answered = जवाफ आएको
operate-share = यीमध्ये { $percent }
operate-searches = खोज
operate-searches-mean = लेख्दै गर्दाका पनि
operate-days-spoken = { $days } दिनमा { $questions } प्रश्न, तीमध्ये { $unanswered } को जवाफ आएन
operate-day = दिन (UTC)
operate-by-day = दिनअनुसार प्रश्न र खोज
operate-as-table = तालिकामा
operate-median = मध्यिका
operate-p95 = 95औँ शतमक
operate-unanswered-part = जवाफ नआएको
operate-unanswered-mean = कागजातमा नभएको कुरा, विषयअनुसार समूहमा। कसले सोध्यो देखाइँदैन।
operate-all-answered = यो अवधिका हरेक प्रश्नको जवाफ आयो।
operate-grouping = अर्थअनुसार समूह बन्दै …
operate-no-model = यी समूहमा छैनन्, किनकि मोडेल प्रयोग गर्न सकिँदैन: { $reason }
operate-most-asked = { $of } फरक प्रश्नमध्ये सबैभन्दा धेरै सोधिएका { $most }।
operate-show-all = सबै { $count } देखाउने
operate-asked-times = { $times ->
        [one] एक पटक
       *[other] { $times } पटक
    } सोधिएको{ $wordings ->
        [one] { "" }
       *[other] { "" }, { $wordings } किसिमका शब्दमा
    }, पछिल्लो पटक { $last }
operate-times = { $times ->
        [one] एक पटक
       *[other] { $times } पटक
    }
operate-propose = मूल्याङ्कनको प्रश्नका रूपमा सुझाउने
operate-propose-help = कागजातले यसको जवाफ दिनुपर्छ। यो “गुणस्तर” को “सुझाइएका” मा जान्छ, जहाँ सम्पादकले जवाफ दिने शब्द छान्छन्।
operate-propose-unanswerable = नदिनु नै सही थियो
operate-propose-unanswerable-help = कागजातले यसको जवाफ दिनु पर्दैन। यो “गुणस्तर” को “सुझाइएका” मा, जवाफ नदिनुपर्ने प्रश्नका रूपमा जान्छ।
operate-proposed = सुझाइयो। सम्पादकले “गुणस्तर” मा भेट्छन्।
operate-slow = सबैभन्दा ढिला
operate-slow-mean = कसले सोध्यो देखाइँदैन।
operate-stage = चरण
operate-took-total = जम्मा
operate-took-search = खोज
operate-took-generate = लेखन
operate-took-verify = जाँच
operate-question = प्रश्न
operate-model = लेखक

## भण्डार

operate-no-data = <h3>अहिलेसम्म केही राखिएको छैन</h3>पहिलो मिलानले <code>data</code> फोल्डर बनाउँछ।
operate-measuring = नापिँदै …
operate-free = डिस्कमा खाली
operate-of-disk = { $size } मध्ये
operate-data = data/ मा
operate-live-index = चालु संस्करण
operate-chunks = { $count ->
       *[other] { $count } अंश
    }
operate-in-data = data/ मा के छ
operate-folder = फोल्डर वा फाइल
operate-size = आकार
operate-holds-index = राखिएका सबै संस्करण
operate-holds-raw = स्रोतले देखाएको सूची, र ल्याइएका बाइट
operate-holds-documents = सफा पाठ
operate-holds-chunks = अंश
operate-holds-embeddings = भेक्टर, कुनै पाठ दुई पटक इम्बेड नहोस् भनी राखिएका
operate-holds-evals = मूल्याङ्कनका प्रतिवेदन र इतिहास
operate-holds-uploads = अपलोड गरिएका फाइलका सङ्ग्रह
operate-holds-dagster = Dagster का रनको इतिहास
operate-holds-logs = चलाइएका प्रोग्रामले लेख्ने कुरा
operate-holds-app-sqlite = रसिद, च्याट र मूल्याङ्कन
operate-versions = सूचीका संस्करण
operate-no-versions = अहिलेसम्म कुनै बनेको छैन।
operate-version = संस्करण
operate-live = चालु
operate-part-vectors = भेक्टर
operate-part-words = शब्द
operate-part-catalog = पाठ
operate-part-other = अरू
operate-version-holds = { $documents ->
       *[other] { $documents } कागजात
    }, { $chunks ->
       *[other] { $chunks } अंश
    } · { $models }
operate-dimension = मोडेलको नामपछिको सङ्ख्या यसका भेक्टरको आयाम हो। धेरै मोडेल भएको संस्करणमा हरेकको आफ्नै भेक्टर क्षेत्र हुन्छ।

## लागत

operate-no-costs = <h3>अहिलेसम्म कुनै रन अभिलेख भएको छैन</h3>हरेक मिलानको हरेक चरणले के गर्‍यो र कति समय लाग्यो लेख्छ।
operate-time-by-day = दिनअनुसार समय
operate-time-spoken = { $days } दिनमा { $time }
operate-runs = रन
operate-runs-mean = बदलिएको नयाँ बन्छ, बाँकी फेरि प्रयोग हुन्छ: त्यसैले रनको लागत परिवर्तन जति हुन्छ, भएको जति होइन।
operate-time = समय
operate-seconds = सेकेन्ड
operate-made = बनाइएको
operate-reused = फेरि प्रयोग
operate-tokens = टोकन
operate-written = लेखिएको

## समीक्षा

operate-held = समीक्षाका लागि रोकिएका
operate-held-mean = कसैले स्वीकार नगरेसम्म यी कसैले भेट्दैन।
operate-none-held = केही रोकिएको छैन।
operate-held-since = { $when } रोकिएको
operate-accept = स्वीकार गर्ने
operate-accept-help = अबदेखि यसले जवाफ दिन्छ, मिलानविना। स्रोतले पाठ बदलेपछि फेरि रोकिन्छ।
operate-accepted = “{ $title }” ले अबदेखि जवाफ दिन्छ।
operate-reject = अस्वीकार गर्ने
operate-reject-help = यसको पाठ जे भए पनि अब कसैले पढ्दैन। केही मेटिँदैन।
operate-rejected = “{ $title }” सबैका लागि बन्द छ।
operate-flagged = चिह्न लागेका
operate-flagged-mean = यिनले पढ्ने भाषा मोडेललाई निर्देशन दिन खोज्छन्। [documents] मा hold_flagged चालु नभए यी अरूझैँ भेटिन्छन्।
operate-none-flagged = कुनै कागजातमा चिह्न छैन।

# लेखापरीक्षण

operate-audit-who = यो व्यक्ति वा टोकनको मात्र
operate-audit-none = मिल्ने केही अभिलेख छैन।
operate-audit-through = केबाट
operate-audit-documents = देखाइएका कागजात
operate-audit-question = प्रश्न
operate-audit-erased = (मेटाइएको)
operate-audit-refused = अस्वीकार गरिएको
operate-audit-search = खोज
operate-audit-answer = जवाफ
operate-audit-open = कागजात खोलियो
operate-audit-original = मूल डाउनलोड भयो
operate-audit-export = निर्यात
operate-audit-erase = घटनाका भाग मेटाइए
operate-audit-see_as = अर्काको नजरबाट हेरियो
operate-audit-share = साझेदारी बदलियो
operate-change = यसका सेटिङ फेर्ने
