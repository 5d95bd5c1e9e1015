## संचालन: भाग

operate-title = संचालन
operate-part = संचालन का भाग
operate-now = अभी
operate-sources = स्रोत
operate-review = समीक्षा
operate-asked = पूछा गया
operate-holding = भंडार
operate-costs = लागत
operate-audit = लेखा-परीक्षा
operate-decided = पहुँच

## पहुँच

operate-no-rules = कौन पढ़ सकता है, इस पर किसी ने कुछ तय नहीं किया: स्रोत जो कहते हैं वही मान्य है।
operate-rules = नियम
operate-rule-allow = { $who } इसे पढ़ सकते हैं
operate-rule-deny = { $who } इसे नहीं पढ़ सकते
operate-rule-remove = वापस लें
operate-rule-removed = संचालन में वापस लिया गया
operate-changes = बदलाव
operate-change-when = कब
operate-change-who = किसने
operate-change-what = क्या
operate-change-why = क्यों

## अभी

operate-running = चल रहा है
operate-idle = कुछ नहीं चल रहा।
operate-doing = { $source ->
        [none] { "" }
       *[other] { $source }:{ " " }
    }{ $stage }, { $elapsed } से
operate-done-of = · { $total } में { $done }
operate-stage-sync = तैयारी
operate-stage-fetch = लाना
operate-stage-extract = पढ़ना
operate-stage-chunk = काटना
operate-stage-embed = एम्बेड करना
operate-stage-index = सूचकांक बनाना
operate-stage-evaluate = मूल्यांकन
operate-sync-failed = पिछला समन्वय { $when } विफल हुआ: { $reason }
operate-health = स्वास्थ्य
operate-damaged = चालू संस्करण को किसी की ज़रूरत है: { $notice }
operate-all-well = इस मशीन और इस कार्यक्षेत्र में कुछ ग़लत नहीं है।
operate-all-checks = सभी { $count } जाँचें
operate-level-ok = ठीक
operate-level-hint = संकेत
operate-level-wrong = ग़लत
operate-moves = चालू संस्करण के बदलाव
operate-no-moves = अभी कुछ प्रकाशित नहीं हुआ।
operate-when = कब (UTC)
operate-what = क्या
operate-who = कौन
operate-why = क्यों
operate-rollback = वापस: { $before } → { $version }
operate-redact = मिटाया गया: { $before } → { $version }

## स्रोत

operate-no-sources = <h3>अभी कोई स्रोत नहीं है</h3>स्रोत वह है जहाँ से दस्तावेज़ आते हैं: फ़ोल्डर, फ़ीड, साइट, पोर्टल, तालिका।
    <b>संग्रह</b> में या <code>rag.toml</code> में एक जोड़ें।
operate-attention = { $count ->
        [0] सभी { $of } स्रोत ठीक हैं।
        [one] { $of } में से 1 स्रोत पर ध्यान चाहिए।
       *[other] { $of } में से { $count } स्रोतों पर ध्यान चाहिए।
    }
operate-well = ठीक
operate-look = ध्यान चाहिए
operate-schedule = समय { $cron }
operate-no-schedule = कोई समय नहीं
operate-check-failures = विफलताएँ
operate-check-boilerplate = भराव पाठ
operate-check-count = दस्तावेज़ों की संख्या
operate-check-length = दस्तावेज़ों की लंबाई
operate-check-languages = भाषाएँ
operate-check-freshness = देर
operate-check-instructions = निर्देश
operate-check-readable = अपठनीय
operate-do-failures = नीचे देखें क्या विफल हुआ; जो अपने आप ठीक हो सकता है, अगले समन्वय में फिर आज़माया जाएगा।
operate-do-boilerplate = इसके कुछ दस्तावेज़ देखें: क्या मुख्य पाठ है?
operate-do-count = यदि यह सही है, तो कुछ नहीं करना; नहीं तो स्रोत को ही देखें।
operate-do-length = इसके कुछ दस्तावेज़ देखें: क्या पूरा पाठ है?
operate-do-languages = इसके कुछ दस्तावेज़ देखें: क्या उनका पाठ पढ़ा जा सकता है?
operate-do-freshness = “संग्रह” में इसका समन्वय करें; देखें कि Dagster चल रहा है या नहीं, और स्रोत तक पहुँच है या नहीं।
operate-do-instructions = ये दस्तावेज़ पढ़ें: ये भाषा मॉडल को बताने की कोशिश करते हैं कि क्या करे। इनकी बात कभी नहीं मानी जाती।
operate-do-readable = “rag repair” चलाएँ: इसे अलग रखकर नया बनाया जाता है।
operate-failures = { $count ->
        [one] 1 चीज़ विफल हुई
       *[other] { $count } चीज़ें विफल हुईं
    }
operate-mend-fetch = अगले समन्वय में फिर कोशिश होगी।
operate-mend-read = दस्तावेज़ को वहीं ठीक करें जहाँ से वह आता है, फिर समन्वय करें।
operate-more = और { $count }

## पूछा गया

operate-period = अवधि
operate-days = { $count } दिन
operate-nothing-asked = <h3>इस अवधि में कुछ नहीं पूछा गया</h3>जैसे ही लोग पूछेंगे और खोजेंगे, आप यहाँ देखेंगे कि दिन में कितना, किसमें देर लगी, और
    दस्तावेज़ों ने किसका उत्तर नहीं दिया।
operate-questions = प्रश्न
operate-unanswered = उत्तर नहीं मिला
operate-answered = उत्तर मिला
operate-share = इनमें से { $percent }
operate-searches = खोजें
operate-searches-mean = लिखते समय की खोजें भी
operate-days-spoken = { $days } दिनों में { $questions } प्रश्न, जिनमें { $unanswered } का उत्तर नहीं मिला
operate-day = दिन (UTC)
operate-by-day = दिन के अनुसार प्रश्न और खोजें
operate-as-table = तालिका में
operate-median = माध्यिका
operate-p95 = 95वाँ शतमक
operate-unanswered-part = उत्तर नहीं मिला
operate-unanswered-mean = जो दस्तावेज़ों में नहीं था, विषय के अनुसार समूहों में। किसने पूछा, यह नहीं दिखाया जाता।
operate-all-answered = इस अवधि के हर प्रश्न का उत्तर मिला।
operate-grouping = अर्थ के अनुसार समूह बन रहे हैं …
operate-no-model = ये समूहों में नहीं हैं, क्योंकि मॉडल काम में नहीं आ सकता: { $reason }
operate-most-asked = { $of } अलग-अलग प्रश्नों में सबसे अधिक पूछे गए { $most }।
operate-show-all = सभी { $count } दिखाएँ
operate-asked-times = { $times ->
        [one] एक बार
       *[other] { $times } बार
    } पूछा गया{ $wordings ->
        [one] { "" }
       *[other] { "" }, { $wordings } तरह के शब्दों में
    }, आख़िरी बार { $last }
operate-times = { $times ->
        [one] एक बार
       *[other] { $times } बार
    }
operate-propose = मूल्यांकन के प्रश्न के रूप में सुझाएँ
operate-propose-help = दस्तावेज़ों को इसका उत्तर देना चाहिए। यह “गुणवत्ता” के “सुझाए गए” में जाता है, जहाँ संपादक वे शब्द चुनता है जो उत्तर देते हैं।
operate-propose-unanswerable = मना करना सही था
operate-propose-unanswerable-help = दस्तावेज़ों को इसका उत्तर देने की ज़रूरत नहीं। यह “गुणवत्ता” के “सुझाए गए” में ऐसे प्रश्न के रूप में जाता है जिसे मना करना है।
operate-proposed = सुझाया गया। संपादकों को यह “गुणवत्ता” में मिलेगा।
operate-slow = सबसे धीमे
operate-slow-mean = किसने पूछा, यह नहीं दिखाया जाता।
operate-stage = चरण
operate-took-total = कुल
operate-took-search = खोज
operate-took-generate = लेखन
operate-took-verify = जाँच
operate-question = प्रश्न
operate-model = लेखक

## भंडार

operate-no-data = <h3>अभी कुछ नहीं रखा गया</h3>पहला समन्वय फ़ोल्डर <code>data</code> बनाता है।
operate-measuring = मापा जा रहा है …
operate-free = डिस्क पर ख़ाली
operate-of-disk = { $size } में से
operate-data = data/ में
operate-live-index = चालू संस्करण
operate-chunks = { $count ->
       *[other] { $count } अंश
    }
operate-in-data = data/ में क्या है
operate-folder = फ़ोल्डर या फ़ाइल
operate-size = आकार
operate-holds-index = रखे गए सभी संस्करण
operate-holds-raw = स्रोतों ने जो सूची दी, और बाइट जैसे लाए गए
operate-holds-documents = साफ़ पाठ
operate-holds-chunks = अंश
operate-holds-embeddings = वेक्टर, रखे गए ताकि कोई पाठ दो बार एम्बेड न हो
operate-holds-evals = मूल्यांकनों की रिपोर्टें और इतिहास
operate-holds-uploads = अपलोड की गई फ़ाइलों के संग्रह
operate-holds-dagster = Dagster के रनों का इतिहास
operate-holds-logs = चालू किए गए प्रोग्राम जो लिखते हैं
operate-holds-app-sqlite = रसीदें, चैट और राय
operate-versions = सूचकांक के संस्करण
operate-no-versions = अभी कोई नहीं बना।
operate-version = संस्करण
operate-live = चालू
operate-part-vectors = वेक्टर
operate-part-words = शब्द
operate-part-catalog = पाठ
operate-part-other = अन्य
operate-version-holds = { $documents ->
       *[other] { $documents } दस्तावेज़
    }, { $chunks ->
       *[other] { $chunks } अंश
    } · { $models }
operate-dimension = मॉडल के नाम के बाद की संख्या उसके वेक्टरों की विमा है। कई मॉडलों वाले संस्करण में हर एक का अपना वेक्टर-स्थान होता है।

## लागत

operate-no-costs = <h3>अभी कोई रन दर्ज नहीं हुआ</h3>हर समन्वय का हर चरण लिखता है कि उसने क्या किया और कितना समय लगा।
operate-time-by-day = दिन के अनुसार समय
operate-time-spoken = { $days } दिनों में { $time }
operate-runs = रन
operate-runs-mean = जो बदला वह नया बनता है, बाकी फिर काम में आता है: इसलिए रन की लागत बदलाव जितनी होती है, कुल जितनी नहीं।
operate-time = समय
operate-seconds = सेकंड
operate-made = बनाया गया
operate-reused = फिर काम में
operate-tokens = टोकन
operate-written = लिखा गया

## समीक्षा

operate-held = समीक्षा के लिए रोके गए
operate-held-mean = जब तक कोई इन्हें स्वीकार न करे, ये किसी को नहीं मिलते।
operate-none-held = कुछ रोका नहीं गया।
operate-held-since = { $when } रोका गया
operate-accept = स्वीकार करें
operate-accept-help = यह अभी से उत्तर देता है, बिना समन्वय के। स्रोत पाठ बदलेगा तो फिर रोका जाएगा।
operate-accepted = “{ $title }” अभी से उत्तर देता है।
operate-reject = अस्वीकार करें
operate-reject-help = इसे अब कोई नहीं पढ़ेगा, पाठ चाहे जो हो जाए। कुछ मिटाया नहीं जाता।
operate-rejected = “{ $title }” सबके लिए बंद है।
operate-flagged = निशान लगे
operate-flagged-mean = ये उस भाषा मॉडल को निर्देश देने की कोशिश करते हैं जो इन्हें पढ़ता है। ये औरों की तरह मिलते हैं, जब तक [documents] में hold_flagged चालू न हो।
operate-none-flagged = किसी दस्तावेज़ पर निशान नहीं है।

# लेखा-परीक्षा

operate-audit-who = केवल इस व्यक्ति या टोकन का
operate-audit-none = इसके अनुरूप कुछ दर्ज नहीं है।
operate-audit-through = किससे
operate-audit-documents = दिखाए गए दस्तावेज़
operate-audit-question = प्रश्न
operate-audit-erased = (मिटाया गया)
operate-audit-refused = मना किया गया
operate-audit-search = खोज
operate-audit-answer = उत्तर
operate-audit-open = दस्तावेज़ खोला
operate-audit-original = मूल डाउनलोड किया
operate-audit-export = निर्यात
operate-audit-erase = घटनाओं के भाग मिटाए
operate-audit-see_as = दूसरे की नज़र से देखा
operate-audit-share = साझेदारी बदली
operate-change = इसकी सेटिंग बदलें
