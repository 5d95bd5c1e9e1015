## फ़ाइलों के संग्रह, और स्रोत

collections-title = संग्रह
collections-both = क्या दिखाएँ
collections-show-collections = संग्रह
collections-show-sources = स्रोत
collections-new = नया संग्रह
collections-create = बनाएँ
collections-save = सहेजें
collections-edit = संपादित करें
collections-back = सभी संग्रह
collections-back-sources = सभी स्रोत
collections-find = संग्रह खोजें
collections-find-file = फ़ाइल खोजें
collections-found-none = यहाँ “{ $words }” नाम का कुछ नहीं है।
collections-found-some = { $all } में से { $found }
collections-place = स्रोत
collections-empty = <h3>अपनी सामग्री यहाँ रखें</h3>संग्रह में साथ की फ़ाइलें रहती हैं: किसी पाठ्यक्रम के पर्चे, किसी परियोजना के काग़ज़। एक बनाएँ,
    उसमें फ़ाइलें डालें, और <b>अभी समन्वय करें</b> दबाएँ। हर फ़ाइल पढ़ी जाती है, अंशों में काटी जाती है और सूचकांक में डाली जाती है; फिर आप उसके बारे में
    <b>पूछ</b> सकते हैं और उसमें <b>खोज</b> सकते हैं, और हर उत्तर आपकी फ़ाइल के अंश तक ले जाता है।
collections-empty-reader = <h3>आपके लिए अभी कोई संग्रह नहीं है</h3>संग्रह में साथ की फ़ाइलें रहती हैं।
    जैसे ही कोई आपके साथ साझा करेगा, वह यहाँ दिखेगा।
collections-no-place = <h3>फ़ाइलों के लिए अभी जगह नहीं है</h3>संग्रह में वे फ़ाइलें रहती हैं जो आप यहाँ रखते हैं: दस्तावेज़, वेब पृष्ठ, ई-मेल।
    प्रशासक एक क्लिक में जगह बनाता है; फ़ोल्डर, फ़ीड और साइटें <b>स्रोत</b> में पढ़ी जाती हैं।
collections-make-place = फ़ाइलों के लिए जगह बनाएँ
collections-nothing = इस संग्रह में अभी कुछ नहीं है।
collections-nothing-drop = इस संग्रह में अभी कुछ नहीं है। फ़ाइलें ऊपर छोड़ें, या चुनने के लिए <b>Upload</b> दबाएँ।

collections-wanted = दस्तावेज़ <q>{ $question }</q> का उत्तर नहीं देते। किसी संग्रह में ऐसा दस्तावेज़ जोड़ें जो देता हो, या
    <b>स्रोत</b> में वह फ़ोल्डर, फ़ीड या साइट जिसमें वह है; अगले समन्वय के बाद प्रश्न फिर पूछा जा सकता है।
collections-wanted-back = चैट पर वापस

collections-field-title = शीर्षक
collections-hint-title = भौतिकी, पहला वर्ष
collections-field-description = इसमें क्या है
collections-field-readers = कौन पढ़ सकता है
collections-help-readers = कोई नहीं चुना: वे सब जो स्रोत पढ़ सकते हैं। केवल वही समूह और लोग दिए जाते हैं जिनके रूप में आप स्वयं पढ़ते हैं।
collections-everyone = सब
collections-language-field = इसके पाठों की भाषा
collections-language-help = उन पाठों के लिए जो पहचानने के लिए बहुत छोटे हैं।
collections-language = { $code ->
    [none] पाठ से पहचानी गई
    [ar] अरबी
    [ca] कैटलन
    [zh] चीनी
    [cs] चेक
    [da] डेनिश
    [nl] डच
    [en] अंग्रेज़ी
    [fi] फ़िनिश
    [fr] फ़्रांसीसी
    [de] जर्मन
    [hi] हिन्दी
    [it] इतालवी
    [ja] जापानी
    [ko] कोरियाई
    [ne] नेपाली
    [pl] पोलिश
    [pt] पुर्तगाली
    [ru] रूसी
    [es] स्पेनिश
    [sv] स्वीडिश
    [tr] तुर्की
    [uk] यूक्रेनी
   *[other] { $other }
}
collections-files = { $count ->
    [one] { $count } फ़ाइल
   *[other] { $count } फ़ाइलें
}
collections-passages = { $count ->
   *[other] { $count } अंश
}
collections-documents = { $count ->
   *[other] { $count } दस्तावेज़
}
collections-read-by = { $who } पढ़ते हैं
collections-revision = संशोधन { $number }
collections-added = { $age } जोड़ा गया
collections-added-by = { $age } { $who } ने जोड़ा
collections-drop = फ़ाइलें यहाँ छोड़ें: दस्तावेज़, वेब पृष्ठ, ई-मेल, संपीड़ित फ़ाइलें, हर एक अधिक से अधिक { $most }{ "\u00A0" }MB
collections-remove = हटाएँ
collections-remove-help = { $name } हटाएँ
collections-open-help = { $name } खोलें

collections-state-uploaded = अपलोड हुआ, अगले समन्वय की प्रतीक्षा में
collections-state-fetched = लाया गया, आगे पढ़ा जाएगा
collections-state-read = पढ़ा गया, आगे अंशों में काटा जाएगा
collections-state-chunked = अंशों में काटा गया, आगे एम्बेड होगा
collections-state-embedded = एम्बेड हुआ, अगले संस्करण के साथ प्रकाशित होगा
collections-state-live = चालू: खोजा जा सकता है
collections-state-failed = पढ़ा नहीं जा सका
collections-state-excluded = छोड़ा गया
collections-state-forgotten = भुलाया गया
collections-short-uploaded = अपलोड हुआ
collections-short-fetched = पढ़े जाने की प्रतीक्षा में
collections-short-read = पढ़ा गया
collections-short-chunked = काटा गया
collections-short-embedded = एम्बेड हुआ
collections-short-live = चालू
collections-short-failed = पढ़ा नहीं जा सका
collections-short-excluded = छोड़ा गया
collections-short-forgotten = भुलाया गया
collections-step = { $of } में से चरण { $step }

collections-delete = मिटाएँ
collections-delete-title = यह संग्रह मिटाएँ?
collections-delete-source-title = यह स्रोत मिटाएँ?
collections-delete-files = { $count ->
    [0] इसमें कोई फ़ाइल नहीं है।
    [one] इसकी एक फ़ाइल हमेशा के लिए चली जाएगी।
   *[other] इसकी { $count } फ़ाइलें हमेशा के लिए चली जाएँगी।
}
collections-delete-index = { $documents ->
    [0] इसका कुछ भी सूचकांक में नहीं है।
    [one] { $chunks } अंशों वाला एक दस्तावेज़ अगले संस्करण के साथ सूचकांक से हटेगा।
   *[other] { $chunks } अंशों वाले { $documents } दस्तावेज़ अगले संस्करण के साथ सूचकांक से हटेंगे।
}
collections-delete-answers = { $answers ->
    [0] कोई पुराना उत्तर इसे उद्धृत नहीं करता।
    [one] एक पुराना उत्तर इसे उद्धृत करता है। उत्तर रहेगा; उसके निशान रखे गए संस्करणों तक ले जाते हैं।
   *[other] { $answers } पुराने उत्तर इसे उद्धृत करते हैं। उत्तर रहेंगे; उनके निशान रखे गए संस्करणों तक ले जाते हैं।
}
collections-delete-last = सूचकांक में और कुछ नहीं है। इसलिए चालू संस्करण तब तक रहेगा जब तक कुछ और न पढ़ा जाए।
collections-delete-kept = इससे जो पढ़ा गया वह <code>data/</code> में रहता है, ताकि फिर जोड़ना जल्दी हो। हर जगह से, प्रमाण के साथ मिटाने के लिए:
    <code>rag forget { $id }</code>।
collections-delete-gate = यदि आपके प्रश्न-समूहों के प्रश्न इस पर टिके हैं, तो जब तक आप उन्हें न हटाएँ, जाँच-द्वार अगले संस्करण को अस्वीकार करेगा।
collections-type-name = पुष्टि के लिए { $name } लिखें

## समन्वय को देखना

collections-sync = अभी समन्वय करें
collections-sync-help = जो नया है उसे पढ़ता, जाँचता और प्रकाशित करता है।
collections-sync-local = Dagster के बिना समन्वय करें
collections-cancel = रद्द करें
collections-look-again = फिर देखें
collections-in-dagster = रन को Dagster में देखें
collections-ready = तैयारी हो रही है
collections-stage = { $stage ->
    [sync] तैयारी हो रही है
    [fetch] लाया जा रहा है
    [extract] पढ़ा जा रहा है
    [chunk] काटा जा रहा है
    [embed] एम्बेड हो रहा है
    [index] सूचकांक बन रहा है
    [evaluate] मूल्यांकन हो रहा है
    [publish] प्रकाशित हो रहा है
   *[other] { $stage }
}
collections-stage-of = { $stage }: { $total } में { $done }
collections-rate = { $rate } प्रति सेकंड
collections-left = कुल लगभग { $time } शेष
collections-seconds = { $count } से.
collections-minutes = { $count } मिनट
collections-waits = चल रहे समन्वय की प्रतीक्षा में; फिर जो कुछ प्रतीक्षा में है एक साथ पढ़ा जाएगा
collections-joined = इस समन्वय के दूसरे स्रोत पढ़े जा रहे हैं
collections-run-queued = Dagster में अपनी बारी की प्रतीक्षा में
collections-run-starting = Dagster रन शुरू कर रहा है
collections-run-canceling = रन समाप्त हो रहा है
collections-run-by = { $age } शुरू हुआ
collections-waiting = नई फ़ाइलें अगले समन्वय के बाद मिलेंगी।
collections-synced = पिछला समन्वय { $age }।
collections-never = अभी तक नहीं पढ़ा गया
collections-failed = पिछला समन्वय ({ $age }) विफल हुआ: { $reason }
collections-canceled = पिछला समन्वय ({ $age }) रद्द किया गया। जो पूरा हुआ वह रखा गया; अगला वहीं से आगे बढ़ेगा।
collections-refused = पिछला समन्वय ({ $age }) प्रकाशित नहीं हुआ: { $reason }
collections-paused-note = यह स्रोत रुका हुआ है: कोई समय-सारणी इसे नहीं पढ़ती। आगे बढ़ने के लिए इसे फिर चालू करें।
collections-down = <b>{ $why }।</b> कार्यक्षेत्र के फ़ोल्डर में इसे <code>make up</code> या <code>dg dev</code> से
    चालू करें। तब तक आप इसके बिना समन्वय कर सकते हैं।
collections-interrupted = { $age } शुरू हुआ एक रन चल ही रहा था कि Dagster चला गया, और अब उस पर कोई काम नहीं कर रहा। जो पूरा हुआ वह रखा गया;
    अगला समन्वय वहीं से आगे बढ़ेगा।
collections-lost = <b>रन मर गया है।</b> Dagster उसे अब भी चलता मानता है, पर उसकी प्रक्रिया जा चुकी है। जो पूरा हुआ वह रखा गया;
    उसे हटाएँ और फिर समन्वय करें।
collections-clear = हटाएँ
collections-idle = Dagster का वेब सर्वर उत्तर देता है, पर उसका डेमन नहीं चल रहा, इसलिए रन प्रतीक्षा में है। दोनों को
    <code>make up</code> या <code>dg dev</code> से चालू करें, या रन रद्द करके Dagster के बिना समन्वय करें।
collections-busy = यह Dagster के बाहर चल रहा है, इसलिए यहाँ रद्द नहीं किया जा सकता।

## स्रोत

collections-add = स्रोत जोड़ें
collections-sources-empty = <h3>अभी कुछ नहीं पढ़ा जाता</h3>स्रोत वह है जिसे यह मंच पढ़ता है और ताज़ा रखता है: फ़ीड, साइट, फ़ोल्डर, लॉगिन के पीछे का
    पोर्टल, डेटाबेस की पंक्तियाँ। एक जोड़ें, पहले देखें कि क्या पढ़ा जाएगा, और सहेजें।
collections-sources-empty-editor = <h3>आपके लिए अभी कोई स्रोत नहीं है</h3>स्रोत वह है जिसे यह मंच पढ़ता है और ताज़ा रखता है। कोई फ़ीड, साइट
    या पोर्टल जोड़ें; प्रशासक फ़ोल्डर और डेटाबेस भी जोड़ सकता है।
collections-find-source = स्रोत खोजें
collections-kind = { $kind ->
    [feed] फ़ीड
    [web] साइट
    [portal] पोर्टल
    [folder] फ़ोल्डर
    [sql] डेटाबेस
    [objects] बकेट
    [upload] अपलोड
    [more] सभी प्रकार
   *[other] { $kind }
}
collections-gallery-about = जो कुछ स्रोत हो सकता है, बिना फ़ॉर्म वाला भी। प्रशासक तालिका को
    <code>rag.toml</code> में, या <code>rag source add</code> की फ़ाइल में रखता है और बदलता है; जो
    <code>$&#123;secret:name&#125;</code> लिखा है, वह <code>rag secret set name</code> से रखा जाता है।
collections-gallery-reads = { $kind ->
    [feed] RSS, Atom या JSON फ़ीड, लेखों के पृष्ठों सहित।
    [web] साइट के पृष्ठ: उसके साइटमैप से, उसके लिंकों से, या सूची से।
    [portal] लॉगिन के पीछे की साइट, जैसे पाठ्यक्रम पोर्टल।
    [folder] इस मशीन के किसी फ़ोल्डर की फ़ाइलें।
    [sql] डेटाबेस की पंक्तियाँ, हर एक एक दस्तावेज़।
    [objects] बकेट की फ़ाइलें: S3 और दूसरे भंडार।
    [upload] फ़ाइलें जो लोग यहाँ रखते हैं।
    [git] Git भंडार की फ़ाइलें, GitLab और Gitea के विकी भी।
    [imap] किसी खाते की डाक, बातचीत के अनुसार।
    [webdav] WebDAV सर्वर की फ़ाइलें, जैसे Nextcloud।
    [mediawiki] MediaWiki के पृष्ठ, जैसे Wikipedia।
    [store] जो Chroma, Qdrant, pgvector, LanceDB, LlamaIndex या LangChain ने सूचकांक में रखा है।
    [dlt] जो dlt का कोई स्रोत पढ़ता है: घोषित REST API, तालिकाएँ, फ़ाइलें, सैकड़ों सेवाएँ।
    [llamahub] जो LlamaHub का कोई पाठक पढ़ता है: Confluence, Notion, Slack, Drive, SharePoint, Jira और अधिक।
   *[other] { $reads }
}
collections-gallery-add = { $kind } प्रकार का स्रोत जोड़ें
collections-gallery-missing = स्थापित नहीं: अतिरिक्त भाग { $extras }, जिनकी इसके कुछ हिस्से को ज़रूरत है।
collections-gallery-broken = इसका पैकेज काम में नहीं आ सकता: { $reason }
collections-gallery-own = और किसी भी चीज़ के लिए <code>rag source new-kind</code> आपके अपने प्रकार का पैकेज लिखता है, जो
    चलता है और जिसके परीक्षण हैं।
collections-kind-about = { $kind ->
    [feed] RSS, Atom या JSON फ़ीड, लेखों के पृष्ठों सहित।
    [web] साइट के पृष्ठ: उसके साइटमैप से, उसके लिंकों से, या सूची से।
    [portal] लॉगिन के पीछे की साइट, जैसे पाठ्यक्रम पोर्टल।
    [folder] इस मशीन के किसी फ़ोल्डर की फ़ाइलें।
    [sql] डेटाबेस की पंक्तियाँ, हर एक एक दस्तावेज़।
   *[other] { $kind }
}
collections-paused = रुका हुआ
collections-late = देर से
collections-running = चल रहा है
collections-some-failed = { $count } विफल
collections-read-at = { $age } पढ़ा गया
collections-next-at = अगला { $when }
collections-unscheduled = कोई समय नहीं
collections-in-minutes = { $count } मिनट में
collections-in-hours = { $count } घंटे में
collections-in-days = { $count } दिन में
collections-pause = रोकें
collections-resume = फिर चालू करें
collections-pause-help = जब तक कोई फिर चालू न करे, समय-सारणियाँ इसे छोड़ देती हैं।
collections-settings = इसकी सेटिंग
collections-failures = क्या विफल हुआ
collections-failures-more = … और { $count }
collections-as-they = दूसरे पाठक इसमें से वही देखते हैं जो वे पढ़ सकते हैं।

## नए स्रोत का फ़ॉर्म

collections-add-title = स्रोत जोड़ें
collections-which = यह क्या है?
collections-more = और सेटिंग
collections-preview = पहले देखें कि क्या पढ़ा जाएगा
collections-previewing = देखा जा रहा है कि स्रोत में क्या है …
collections-preview-again = फिर पहले देखें
collections-preview-stop = रोकें
collections-preview-none = कुछ रखा नहीं जाता: यह केवल दिखाता है कि समन्वय क्या पढ़ेगा।
collections-preview-count = { $cut ->
    [yes] कम से कम { $count } पढ़े जाएँगे।
   *[no] { $count ->
        [0] कुछ नहीं पढ़ा जाएगा।
        [one] एक दस्तावेज़ पढ़ा जाएगा।
       *[other] { $count } दस्तावेज़ पढ़े जाएँगे।
    }
}
collections-preview-took = { $seconds } से. में सूची मिली; कुछ रखा नहीं गया।
collections-preview-more = … और { $count }
collections-preview-failed = <b>ऐसे इसे नहीं पढ़ा जा सकता।</b> { $reason }
collections-preview-part = इनकी सूची नहीं मिली:
collections-preview-old = इसे देखने के बाद फ़ॉर्म बदला गया।
collections-save-source = स्रोत जोड़ें
collections-mend = पहले ऊपर बताई गई बातें ठीक करें।
collections-added-source = { $id } जोड़ा गया। पढ़ने के लिए “अभी समन्वय करें” दबाएँ।
collections-local-only = फ़ोल्डर और डेटाबेस इस मशीन पर या इसके नेटवर्क में हैं, इसलिए केवल प्रशासक उन्हें जोड़ सकता है।

collections-field-id = नाम
collections-help-id = फ़िल्टरों, रिपोर्टों और Dagster में। बाद में नहीं बदला जा सकता।
collections-field-address = फ़ीड का पता
collections-field-others = और फ़ीड
collections-help-others = हर पंक्ति में एक पता।
collections-field-articles = लेखों के पृष्ठ पढ़ें, केवल फ़ीड का पाठ नहीं
collections-field-max_age_days = इससे पुरानी प्रविष्टियाँ छोड़ें (दिन)
collections-field-allow_private = यह इस मशीन के अपने नेटवर्क में है
collections-help-allow_private = यह चालू न हो तो निजी पते अस्वीकार होते हैं।
collections-field-way = इसके पृष्ठ कैसे मिलें
collections-way-sitemap = साइटमैप
collections-way-crawl = लिंकों से
collections-way-urls = पृष्ठों की सूची
collections-field-sitemap = साइटमैप का पता
collections-field-crawl = आरंभ का पृष्ठ
collections-help-crawl = इसके लिंकों से आगे बढ़ा जाता है, उसी फ़ोल्डर के भीतर जिसमें यह है।
collections-field-urls = पृष्ठ
collections-help-urls = हर पंक्ति में एक पता।
collections-field-include = केवल जो इससे मिले
collections-help-include = **/*.pdf जैसे ढाँचे, हर पंक्ति में एक। ख़ाली: सब।
collections-field-exclude = जो इससे मिले उसे छोड़ें
collections-help-exclude = **/drafts/** जैसे ढाँचे, हर पंक्ति में एक।
collections-field-limit = अधिक से अधिक पृष्ठ
collections-field-javascript = इसके पृष्ठ स्क्रिप्ट बनाती हैं: उन्हें ब्राउज़र में खोलें
collections-field-url = { $kind ->
    [sql] डेटाबेस का पता
   *[other] पोर्टल का पता
}
collections-field-profile = पोर्टल का प्रकार
collections-profile-generic = कोई भी
collections-field-user = उपयोगकर्ता
collections-field-password = पासवर्ड
collections-help-password = रहस्यों में कूटबद्ध रखा जाता है, rag.toml में कभी नहीं, और फिर कभी नहीं दिखाया जाता।
collections-field-logged_in = वह पाठ जो केवल लॉगिन किया हुआ देखता है
collections-field-depth = कितने लिंक दूर तक के पृष्ठ पढ़े जाएँ
collections-field-path = फ़ोल्डर
collections-help-path = इस मशीन का पथ; सापेक्ष पथ कार्यक्षेत्र के फ़ोल्डर से शुरू होता है।
collections-field-query = क्वेरी
collections-field-key = पंक्ति को पहचानने वाला स्तंभ
collections-field-title-sql = शीर्षक
collections-field-template = दस्तावेज़ का पाठ
collections-help-template = Markdown; {"{"}column{"}"} की जगह पंक्ति का मान आता है।
collections-field-uri = पंक्ति का पता
collections-field-cursor = वह स्तंभ जो पंक्ति के बदलने पर बदलता है
collections-field-published_at = तारीख़ का स्तंभ
collections-field-updated_at = पिछले बदलाव का स्तंभ
collections-field-schedule = फिर पढ़ें
collections-schedule-none = केवल कहने पर
collections-schedule-quarter = हर 15 मिनट में
collections-schedule-hour = हर घंटे
collections-schedule-day = हर दिन 06:00 UTC पर
collections-schedule-week = हर सोमवार 06:00 UTC पर
collections-schedule-own = अपने समय पर
collections-field-cron = समय, cron की तरह (UTC)
collections-field-language = इसके पाठों की भाषा
collections-field-comments = पृष्ठों के नीचे पाठकों का लिखा रखें
collections-field-page_text = PDF और चित्रों का पाठ यहाँ से
collections-help-page_text = जहाँ पृष्ठ की पाठ-परत नहीं है या ख़राब है, वहाँ उसका चित्र पढ़ा जाता है। दृष्टि मॉडल वहीं पढ़ता है जहाँ वह लगाया गया है।
collections-page_text-auto = जो सबसे अच्छा हो
collections-page_text-layer = पाठ-परत
collections-page_text-ocr = पाठ-पहचान
collections-page_text-vision = दृष्टि मॉडल
collections-field-half_life_days = किस आयु पर दस्तावेज़ आधा गिना जाए (दिन)
collections-field-fresh_within_hours = इतने में न पढ़ा जाए तो देर (घंटे)
collections-field-principals = कौन पढ़ सकता है
collections-help-principals = कोई नहीं चुना: सब। केवल वही समूह और लोग दिए जाते हैं जिनके रूप में आप स्वयं पढ़ते हैं।

collections-wrong-missing = यह ज़रूरी है।
collections-wrong-taken = { $id } नाम का स्रोत पहले से है। दूसरा नाम चुनें।
collections-wrong-id = छोटे अक्षर, अंक, - और _, आरंभ में अक्षर या अंक; अधिक से अधिक 63।
collections-wrong-address = “{ $given }” वेब पता नहीं है। वह https:// या http:// से शुरू होता है और होस्ट बताता है।
collections-wrong-password = पासवर्ड पते में न लिखें: rag.toml में वह पढ़ा जा सकेगा। नीचे उसके अपने ख़ाने में लिखें, जहाँ वह हो।
collections-wrong-placeholder = रहस्यों के नाम केवल rag.toml में ही लिए जाते हैं। पासवर्ड उसके अपने ख़ाने में लिखें।
collections-wrong-database = डेटाबेस का पता ऐसा होता है: postgresql+psycopg://reader@db.example.org/desk या sqlite:///data/desk.sqlite।
collections-wrong-user = पासवर्ड हो तो पता उपयोगकर्ता बताए: postgresql+psycopg://reader@db.example.org/desk।
collections-wrong-cron = पाँच ख़ाने: मिनट, घंटा, दिन, महीना, सप्ताह का दिन। “30 7 * * 1-5” सोमवार से शुक्रवार 07:30 है।
collections-wrong-number = शून्य से बड़ी संख्या।
collections-wrong-folder = इस मशीन पर ऐसा कोई फ़ोल्डर नहीं है।
collections-wrong-kind = इस प्रकार का स्रोत केवल प्रशासक जोड़ सकता है।

## किसी भी प्रकार के स्रोत की सेटिंग

collections-change = बदलें
collections-change-title = { $id } की सेटिंग
collections-change-about = <code>{ $kind }</code> प्रकार का स्रोत। ख़ानों के नाम वही हैं जो
    <code>rag.toml</code> में हैं; जो ख़ाली रहे वह सामान्य की तरह है। पासवर्ड कभी नहीं दिखता: ख़ाली ख़ाना पुराना ही रखता है।
    <code>principals</code> अगले प्रश्न से लागू होते हैं, बाकी अगले समन्वय से।
collections-change-by-file = <code>{ $kind }</code> प्रकार का स्रोत जिससे पढ़ता है वह कोई भी प्रोग्राम हो सकता है, इसलिए वह केवल
    <code>rag.toml</code> में बदला जाता है।
collections-changed = { $count ->
        [0] कुछ भी पहले से अलग नहीं था।
        [one] एक सेटिंग बदली गई।
       *[other] { $count } सेटिंग बदली गईं।
    }
collections-add-by-settings = <code>{ $kind }</code> प्रकार का स्रोत। ख़ानों के नाम वही हैं जो
    <code>rag.toml</code> में हैं; तारांकित ज़रूरी हैं। पासवर्ड कूटबद्ध रखा जाता है, फ़ाइल केवल उसका नाम बताती है।
collections-secret-kept = जैसा है वैसा रखा गया
collections-hint-lines = हर पंक्ति में एक
collections-hint-json = JSON के रूप में
collections-not-set = सामान्य की तरह
collections-ask = इन दस्तावेज़ों के बारे में पूछें
