## गुणवत्ता: भाग

quality-title = गुणवत्ता
quality-part = गुणवत्ता का भाग
quality-overview = सारांश
quality-versions = संस्करण
quality-questions = प्रश्न
quality-proposed = सुझाए गए
quality-proposed-count = सुझाए गए{ $count ->
        [0] { "" }
       *[other] { " " }({ $count })
    }

## सबसे नया संस्करण

quality-nothing-built = <h3>अभी परखने को कुछ नहीं है</h3>सूचकांक का संस्करण <code>rag sync</code> से, या “संग्रह” में
    <b>अभी समन्वय करें</b> से बनता है। हर एक से वही प्रश्न पूछे जाते हैं, और वह चालू संस्करण के साथ यहाँ दिखता है।
quality-never = <h3>{ $version } अभी परखा नहीं गया</h3><b>अभी मूल्यांकन करें</b> दबाएँ: संस्करण से आपके प्रश्न पूछे जाते हैं, चालू
    संस्करण से उसकी तुलना होती है, और निर्णय यहाँ दिखता है। इससे कुछ प्रकाशित नहीं होता।
quality-newest = सबसे नया संस्करण: <code>{ $version }</code>
quality-newest-live = सबसे नया संस्करण: <code>{ $version }</code>, जो चालू है
quality-evaluate = अभी मूल्यांकन करें
quality-evaluate-help = सबसे नए संस्करण से आज के प्रश्न पूछता है और चालू से तुलना करता है। कुछ प्रकाशित नहीं करता।
quality-evaluating = मूल्यांकन की तैयारी हो रही है …
quality-evaluating-of = { $total } में से प्रश्न { $done } पूछा जा रहा है …
quality-failed = पिछला मूल्यांकन विफल हुआ: { $reason }
quality-damaged = { $version } के मूल्यांकन का रखा हुआ क्षतिग्रस्त है ({ $error })। फिर परखने के लिए “अभी मूल्यांकन करें” दबाएँ या “rag sync” चलाएँ।
quality-passed = उत्तीर्ण
quality-refused = अस्वीकृत
quality-rescore = तुलना नहीं हुई
quality-not-judged = परखा नहीं गया
quality-reasons = { $count ->
        [one] कारण, शब्दशः
       *[other] सभी { $count } कारण, शब्दशः
    }
quality-against-live = चालू की तुलना में
quality-interval = 95 % निश्चित: { $ends }
quality-card-questions = जीते : हारे
quality-of = { $count } प्रश्नों में से
quality-card-search = खोज की माध्यिका
quality-card-p95 = 95वाँ शतमक { $ms } मि.से.

quality-over-time = समय के साथ
quality-measure = माप
quality-chart-key = हर बिंदु एक मूल्यांकन है, उसकी पट्टी 95 % अंतराल। खोखला बिंदु अस्वीकृत हुआ। जहाँ रेखा टूटती है वहाँ प्रश्न बदले:
    उसके दोनों ओर की तुलना नहीं हो सकती।
quality-one-evaluation = अभी एक ही मूल्यांकन है; अगला रेखा शुरू करेगा।
quality-all-evaluations = { $count ->
        [one] मूल्यांकन तालिका में
       *[other] सभी { $count } मूल्यांकन तालिका में
    }
quality-version = संस्करण
quality-on = तारीख़
quality-interval-95 = 95 % अंतराल
quality-gate = जाँच-द्वार
quality-scored-again = फिर अंक दिए गए
quality-no-questions = <h3>कुछ मापा नहीं गया</h3>केवल सूचकांक ही जाँचा गया, क्योंकि अभी प्रश्न नहीं हैं। <b>प्रश्न</b> में कुछ लिखें: लोग क्या पूछते हैं, और
    दस्तावेज़ के वे शब्द जो उत्तर देते हैं। फिर <b>अभी मूल्यांकन करें</b> दबाएँ।
quality-side-by-side = { $then } के साथ { $now }
quality-scores = अंक
quality-other-questions = पिछले संस्करण से दूसरे प्रश्न पूछे गए थे, इसलिए दोनों की तुलना नहीं की जाती।
quality-more-measures = और माप
quality-by = { $group } के अनुसार { $metric }
quality-change = बदलाव

quality-moved = जीते और हारे प्रश्न
quality-worse = हारे ({ $count })
quality-better = जीते ({ $count })
quality-none-moved = कोई नहीं।
quality-show-all = सभी { $count } दिखाएँ
quality-ranks = क्रम { $before } → { $after }
quality-not-found = कोई नहीं
quality-cause = कारण: { $cause }।
quality-no-cause = मिले दस्तावेज़ों में कुछ नहीं बदला।
quality-competition = इसके अपने अंश वही हैं; दूसरे इससे ऊपर आए, या गए।
quality-found-by = { $version } को मिला
quality-found-nothing = कुछ नहीं।
quality-right = (सही वाला)
quality-unreadable-hit = ऐसा दस्तावेज़ जिसे आप नहीं पढ़ सकते
quality-hidden = जिन दस्तावेज़ों को आप नहीं पढ़ सकते उनके प्रश्न गिने जाते हैं, पर दिखाए नहीं जाते।

## संस्करण

quality-damaged-versions = { $count ->
        [one] 1 संस्करण पढ़ा नहीं जा सकता
       *[other] { $count } संस्करण पढ़े नहीं जा सकते
    }: उसका वर्णन करने वाली फ़ाइल क्षतिग्रस्त है। <code>rag repair</code> उसे ठीक करता है।
quality-admins-publish = संस्करण प्रशासक प्रकाशित करते और वापस लेते हैं।
quality-live = चालू
quality-candidate = प्रत्याशी
quality-pinned = पिन किया गया
quality-version-facts = { $age } बना ({ $date }) · { $documents ->
       *[other] { $documents } दस्तावेज़
    } · { $chunks ->
       *[other] { $chunks } अंश
    } · { $model }
quality-not-scored = अभी कोई अंक नहीं।
quality-by-promote = { $when } { $who } ने प्रकाशित किया: { $why }
quality-by-rollback = { $when } { $who } इस पर वापस लाए: { $why }
quality-by-redact = { $when } { $who } ने भुलाए गए दस्तावेज़ निकाले: { $why }
quality-why-refused = क्यों अस्वीकृत हुआ
quality-promote = प्रकाशित करें …
quality-rollback = इस पर वापस जाएँ …
quality-again = फिर प्रकाशित करें …
quality-release = प्रकाशन आगे बढ़ने दें …
quality-report = रिपोर्ट
quality-compare = चालू से तुलना करें

quality-promote-title = { $version } प्रकाशित करें?
quality-rollback-title = { $version } पर वापस जाएँ?
quality-promote-means = अगले प्रश्न से सबको इसी संस्करण से उत्तर मिलेगा। इसमें पल भर लगता है, और ऐसे ही पूर्ववत हो सकता है। वापसी के बाद समन्वय फिर
    अपने आप प्रकाशित करते हैं।
quality-rollback-means = अगले प्रश्न से सबको इसी संस्करण से उत्तर मिलेगा। इसमें पल भर लगता है। जब तक कोई संस्करण प्रकाशित न करे, अपने आप कुछ
    प्रकाशित नहीं होता: समन्वय बनाते और परखते रहते हैं।
quality-reason = कारण, लॉग के लिए
quality-reason-example = सबसे नए में दाम ग़लत हैं
quality-reason-missing = बताएँ क्यों: बाद में लॉग देखने वाला जानना चाहेगा।
quality-promote-now = प्रकाशित करें
quality-rollback-now = वापस जाएँ
quality-override-means = जाँच-द्वार ने इस संस्करण को नहीं जाने दिया। फिर भी प्रकाशित करना उसे लाँघना है, जो आपके नाम के साथ लॉग में रहता है।
quality-override = जाँच-द्वार को लाँघें: { $version } प्रकाशित करें, यद्यपि वह उत्तीर्ण नहीं हुआ
quality-override-logged = { $reason } (यद्यपि जाँच-द्वार ने उसे नहीं जाने दिया था)
quality-moved-meanwhile = इस बीच { $version } चालू हो गया। इसे बंद करें, फिर देखें, और नए सिरे से तय करें।
quality-is-live = { $version } चालू है
quality-documents = दस्तावेज़
quality-chunks = अंश
quality-now = अभी: { $version }
quality-then = तब: { $version }
quality-what-changes = क्या बदलेगा
quality-documents-move = दस्तावेज़: { $came } आएँगे, { $went } जाएँगे, { $edited } बदलेंगे।
quality-score-moves = { $metric }: { $change }।

## रिपोर्टें और तुलनाएँ

quality-report-of = { $version } की रिपोर्ट
quality-one-version = <h3>तुलना करने को अभी कुछ नहीं है</h3>इसके लिए दो संस्करण चाहिए: कुछ बदलने वाला हर समन्वय एक बनाता है।
quality-compare-title = क्या अलग है
quality-side-a = पहले
quality-side-b = बाद में
quality-same-version = यह एक ही संस्करण दो बार है। दूसरा चुनें।
quality-passages = अंश: { $kept } रहे, { $new } नए हैं, { $gone } गए।
quality-disk = डिस्क पर: पहले { $then }, अब { $now }।
quality-made-with = किससे बना
quality-source = स्रोत
quality-by-source = स्रोत के अनुसार
quality-came-added = आए
quality-came-removed = गए
quality-came-edited = बदले
quality-kind-added = आए ({ $count })
quality-kind-removed = गए ({ $count })
quality-kind-source = स्रोत पर बदले ({ $count })
quality-kind-extractor = उन्हीं बाइटों से अलग पढ़े गए ({ $count })
quality-kind-description = अलग वर्णन, वही पाठ ({ $count })
quality-more = और { $count }
quality-unreadable = और { $count } जिन्हें आप नहीं पढ़ सकते

## प्रश्न

quality-no-questions-yet = <h3>अच्छे प्रश्न बुरे संस्करणों को दूर रखते हैं</h3>लोग अपने शब्दों में जो पूछते हैं उसे लिखें, और दस्तावेज़ के वे शब्द चुनें जो उत्तर
    देते हैं। हर नए संस्करण से ये प्रश्न पूछे जाते हैं, और जो बुरा करे वह प्रकाशित नहीं होता। पचास अच्छी शुरुआत हैं; कुछ ऐसे हों जिनका उत्तर दस्तावेज़ न दें।
quality-add = प्रश्न जोड़ें
quality-import = आयात
quality-import-title = प्रश्न आयात करें
quality-import-means = ऐसी फ़ाइल जिसकी हर पंक्ति में एक JSON वस्तु हो, जैसी <b>निर्यात</b> लिखता है। या तो पूरी ली जाती है या कुछ नहीं; फ़ाइल का नाम ही
    समूह का नाम है।
quality-import-file = प्रश्न-समूह
quality-imported = { $count ->
        [one] 1 प्रश्न जोड़ा गया
       *[other] { $count } प्रश्न जोड़े गए
    }{ $lost ->
        [0] ।
        [one] ; 1 उद्धरण ऐसे किसी दस्तावेज़ में नहीं है जिसे आप पढ़ सकते हैं।
       *[other] ; { $lost } उद्धरण ऐसे किसी दस्तावेज़ में नहीं हैं जिसे आप पढ़ सकते हैं।
    }
quality-export = निर्यात
quality-malformed = यह पंक्ति पढ़ी नहीं जा सकती और हर मूल्यांकन रोकती है: <code>{ $where }</code>। फ़ाइल में इसे ठीक करें;
    <code>rag questions check</code> और बताता है।
quality-find-question = प्रश्न खोजें
quality-find-question-hint = इसके शब्द, id या टैग
quality-set = समूह
quality-all-sets = सभी समूह
quality-unanswerable = उत्तर नहीं दिया जा सकता
quality-lost = उद्धरण नहीं मिला
quality-train = अनुकूलन के लिए
quality-edit = संपादित करें

quality-adding = नया प्रश्न
quality-editing = प्रश्न संपादित करें
quality-accepting = सुझाया गया प्रश्न लें
quality-no-such-question = <h3>यह प्रश्न यहाँ नहीं है</h3>इसे मिटाया या बदला गया, या यह उन दस्तावेज़ों के बारे में है जिन्हें आप नहीं पढ़ सकते।
quality-question = लोग क्या पूछते हैं
quality-question-hint = मुझे कितने दिन की छुट्टी मिलती है?
quality-answerable = दस्तावेज़ इसका उत्तर देते हैं
quality-answerable-help = बंद: सही यही है कि कहा जाए कि दस्तावेज़ नहीं बताते।
quality-answer = मान्य उत्तर (वैकल्पिक)
quality-answer-help = कुछ शब्द जो सही उत्तर में हों। कई हों तो बीच में | लगाएँ।
quality-places = अंश जो इसका उत्तर देते हैं
quality-places-mean = कम से कम एक उद्धरण: दस्तावेज़ के शब्द, ज्यों के त्यों। दस्तावेज़ कैसे काटे गए, इससे फ़र्क नहीं पड़ता।
quality-remove-place = जगह { $number } हटाएँ
quality-search = उत्तर देने वाला अंश खोजें
quality-search-hint = अंश के शब्द, या स्वयं प्रश्न
quality-search-nothing = कुछ नहीं मिला। दूसरे शब्द आज़माएँ।
quality-choose-passage = अंश चुनें
quality-choose-sentence = उत्तर देने वाला वाक्य चुनें
quality-quote = उद्धरण; इसे लंबा या छोटा करें
quality-use-quote = यह उद्धरण लें
quality-open-document = दस्तावेज़ खोलें
quality-details = विवरण
quality-tags = टैग, बीच में अल्पविराम
quality-language = भाषा, जैसे hi
quality-asked-by = पूछने वाला
quality-asked-by-help = किसके रूप में खोजा जाए, जैसे group:hr; ख़ाली: सब, नहीं तो जो ये जगहें पढ़ सकें।
quality-as-of = किस तारीख़ को
quality-as-of-help = जिस तारीख़ पर पूछा जाए, जैसे 2026-05-31; ख़ाली: जब भी हो।
quality-split = विभाजन
quality-split-help = “dev” के प्रश्न जाँच-द्वार में निर्णय करते हैं; “train” के प्रश्न सेटिंग आज़माने के लिए हैं।
quality-by-chance = अपने आप
quality-save = सहेजें
quality-saved = सहेजा गया। अगला मूल्यांकन इसे पूछेगा।
quality-delete = मिटाएँ

## सुझाए गए प्रश्न

quality-nothing-proposed = <h3>कुछ सुझाया नहीं गया</h3>जब कोई किसी उत्तर पर अंगूठा नीचे करता है, या ऐसे उत्तर पर राय देता है जो दस्तावेज़ों में नहीं था, तो प्रश्न
    यहाँ आता है। उसे लें, और अगले संस्करण को बेहतर करना होगा।
quality-accept = लें …
quality-dismiss = छोड़ें
quality-judged-good = मना करना सही था
quality-judged-better = दूसरे उत्तर से बेहतर
quality-why-wrong = ग़लत
quality-why-incomplete = कुछ छूटा है
quality-why-outdated = पुराना
quality-why-source = ग़लत स्रोत
quality-why-unanswered = दस्तावेज़ों में इसका उत्तर है
quality-why-other = बुरा
quality-judged = { $when } राय दी गई, { $version } ने उत्तर दिया
quality-answered = उत्तर था: { $answer }

## लोगों ने उत्तरों के बारे में क्या सोचा

quality-feedback = राय
quality-judged-none = इन दिनों किसी ने किसी उत्तर पर राय नहीं दी। अंगूठे हर उत्तर के नीचे हैं।
quality-judged-all = राय
quality-judged-rate = अच्छा माना
quality-judged-bad = बुरा माना
quality-judged-were-good = अच्छे
quality-judged-were-bad = बुरे
quality-judged-by-day = दिन के अनुसार राय
quality-judged-spoken = { $days } दिनों में { $good } अच्छी और { $bad } बुरी राय।
quality-judged-by-collection = संग्रह के अनुसार
quality-judged-by-generator = उत्तर के लेखक के अनुसार
quality-judged-preferred = दूसरे उत्तर से बेहतर माना गया
quality-judged-name = नाम
quality-judged-reasons = क्यों: { $reasons }।
quality-judged-worst = बुरे उत्तरों वाले प्रश्न
quality-judged-worst-mean = जो लगभग एक ही बात पूछते हैं, साथ हैं।
quality-judged-times = { $times ->
        [one] एक बार बुरा माना
       *[other] { $times } बार बुरा माना
    }
quality-judged-make = इसे जाँच-द्वार का प्रश्न बनाएँ
quality-judged-make-help = उत्तर ने जो उद्धृत किया, उसे उत्तर देने वाली जगह मानकर। जहाँ यह न हो सके, संपादक खुलता है।
quality-judged-made = अब यह जाँच-द्वार का प्रश्न है।
quality-judged-decided = इस पर कोई पहले ही तय कर चुका है।
quality-judged-edit = पहले देखें
