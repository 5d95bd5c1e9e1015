## फाइलका सङ्ग्रह, र स्रोत

collections-title = सङ्ग्रह
collections-both = के देखाउने
collections-show-collections = सङ्ग्रह
collections-show-sources = स्रोत
collections-new = नयाँ सङ्ग्रह
collections-create = बनाउने
collections-save = राख्ने
collections-edit = सम्पादन गर्ने
collections-back = सबै सङ्ग्रह
collections-back-sources = सबै स्रोत
collections-find = सङ्ग्रह खोज्ने
collections-find-file = फाइल खोज्ने
collections-found-none = यहाँ “{ $words }” नामको केही छैन।
collections-found-some = { $all } मध्ये { $found }
collections-place = स्रोत
collections-empty = <h3>आफ्नो सामग्री यहाँ राख्नुहोस्</h3>सङ्ग्रहमा सँगै रहने फाइल हुन्छन्: कुनै पाठ्यक्रमका पर्चा, कुनै परियोजनाका कागज। एउटा बनाउनुहोस्,
    त्यसमा फाइल राख्नुहोस्, र <b>अहिले मिलान गर्ने</b> थिच्नुहोस्। हरेक फाइल पढिन्छ, अंशमा काटिन्छ र सूचीमा राखिन्छ; अनि यसबारे
    <b>सोध्न</b> र यसमा <b>खोज्न</b> सकिन्छ, र हरेक जवाफले तपाईंको फाइलको अंशसम्म पुर्‍याउँछ।
collections-empty-reader = <h3>तपाईंका लागि अहिलेसम्म सङ्ग्रह छैन</h3>सङ्ग्रहमा सँगै रहने फाइल हुन्छन्।
    कसैले तपाईंसँग साझा गर्नेबित्तिकै यहाँ देखिन्छ।
collections-no-place = <h3>फाइलका लागि अहिलेसम्म ठाउँ छैन</h3>सङ्ग्रहमा तपाईंले यहाँ राख्ने फाइल हुन्छन्: कागजात, वेब पृष्ठ, इमेल।
    प्रशासकले एक क्लिकमा ठाउँ बनाउँछन्; फोल्डर, फिड र साइट <b>स्रोत</b> मा पढिन्छन्।
collections-make-place = फाइलका लागि ठाउँ बनाउने
collections-nothing = यो सङ्ग्रहमा अहिलेसम्म केही छैन।
collections-nothing-drop = यो सङ्ग्रहमा अहिलेसम्म केही छैन। फाइल माथि राख्नुहोस्, वा छान्न <b>Upload</b> थिच्नुहोस्।

collections-wanted = कागजातले <q>{ $question }</q> को जवाफ दिँदैनन्। जवाफ दिने कागजात सङ्ग्रहमा थप्नुहोस्, वा
    <b>स्रोत</b> मा त्यो भएको फोल्डर, फिड वा साइट; अर्को मिलानपछि प्रश्न फेरि सोध्न सकिन्छ।
collections-wanted-back = च्याटमा फर्कने

collections-field-title = शीर्षक
collections-hint-title = भौतिकशास्त्र, पहिलो वर्ष
collections-field-description = यसमा के छ
collections-field-readers = कसले पढ्न पाउँछ
collections-help-readers = कोही नछाने: स्रोत पढ्न पाउने सबै। तपाईं आफैँ जसका रूपमा पढ्नुहुन्छ ती समूह र मानिस मात्र देखाइन्छन्।
collections-everyone = सबै
collections-language-field = यसका पाठको भाषा
collections-language-help = चिन्न नसकिने गरी छोटा पाठका लागि।
collections-language = { $code ->
    [none] पाठबाट चिनिएको
    [ar] अरबी
    [ca] क्याटलान
    [zh] चिनियाँ
    [cs] चेक
    [da] डेनिस
    [nl] डच
    [en] अङ्ग्रेजी
    [fi] फिनिस
    [fr] फ्रान्सेली
    [de] जर्मन
    [hi] हिन्दी
    [it] इटालियन
    [ja] जापानी
    [ko] कोरियाली
    [ne] नेपाली
    [pl] पोलिस
    [pt] पोर्चुगिज
    [ru] रुसी
    [es] स्पेनिस
    [sv] स्विडिस
    [tr] टर्किस
    [uk] युक्रेनी
   *[other] { $other }
}
collections-files = { $count ->
   *[other] { $count } फाइल
}
collections-passages = { $count ->
   *[other] { $count } अंश
}
collections-documents = { $count ->
   *[other] { $count } कागजात
}
collections-read-by = { $who } ले पढ्ने
collections-revision = संशोधन { $number }
collections-added = { $age } थपिएको
collections-added-by = { $age } { $who } ले थपेको
collections-drop = फाइल यहाँ राख्नुहोस्: कागजात, वेब पृष्ठ, इमेल, सङ्कुचित फाइल, हरेक बढीमा { $most }{ "\u00A0" }MB
collections-remove = हटाउने
collections-remove-help = { $name } हटाउने
collections-open-help = { $name } खोल्ने

collections-state-uploaded = अपलोड भयो, अर्को मिलान पर्खिँदै
collections-state-fetched = ल्याइयो, अब पढिन्छ
collections-state-read = पढियो, अब अंशमा काटिन्छ
collections-state-chunked = अंशमा काटियो, अब इम्बेड हुन्छ
collections-state-embedded = इम्बेड भयो, अर्को संस्करणसँग प्रकाशित हुन्छ
collections-state-live = चालु: भेट्न सकिन्छ
collections-state-failed = पढ्न सकिएन
collections-state-excluded = छोडियो
collections-state-forgotten = बिर्सिइयो
collections-short-uploaded = अपलोड भयो
collections-short-fetched = पढिन पर्खिँदै
collections-short-read = पढियो
collections-short-chunked = काटियो
collections-short-embedded = इम्बेड भयो
collections-short-live = चालु
collections-short-failed = पढ्न सकिएन
collections-short-excluded = छोडियो
collections-short-forgotten = बिर्सिइयो
collections-step = { $of } मध्ये चरण { $step }

collections-delete = मेट्ने
collections-delete-title = यो सङ्ग्रह मेट्ने?
collections-delete-source-title = यो स्रोत मेट्ने?
collections-delete-files = { $count ->
    [0] यसमा फाइल छैन।
    [one] यसको एउटा फाइल सधैँका लागि जान्छ।
   *[other] यसका { $count } फाइल सधैँका लागि जान्छन्।
}
collections-delete-index = { $documents ->
    [0] यसको केही पनि सूचीमा छैन।
    [one] { $chunks } अंशको एउटा कागजात अर्को संस्करणसँग सूचीबाट हट्छ।
   *[other] { $chunks } अंशका { $documents } कागजात अर्को संस्करणसँग सूचीबाट हट्छन्।
}
collections-delete-answers = { $answers ->
    [0] कुनै अघिल्लो जवाफले यसलाई उद्धृत गर्दैन।
    [one] एउटा अघिल्लो जवाफले यसलाई उद्धृत गर्छ। जवाफ रहन्छ; यसका चिह्नले राखिएका संस्करणमा पुर्‍याउँछन्।
   *[other] { $answers } अघिल्ला जवाफले यसलाई उद्धृत गर्छन्। जवाफ रहन्छन्; तिनका चिह्नले राखिएका संस्करणमा पुर्‍याउँछन्।
}
collections-delete-last = सूचीमा अरू केही छैन। त्यसैले अरू केही नपढिएसम्म चालु संस्करण रहन्छ।
collections-delete-kept = यसबाट पढिएको कुरा <code>data/</code> मा रहन्छ, ताकि फेरि थप्न छिटो होस्। सबैतिरबाट, प्रमाणसहित मेट्न:
    <code>rag forget { $id }</code>।
collections-delete-gate = तपाईंका प्रश्न समूहका प्रश्न यसमा अडिएका छन् भने, तिनलाई ननिकालेसम्म जाँचद्वारले अर्को संस्करण अस्वीकार गर्छ।
collections-type-name = पक्का गर्न { $name } लेख्नुहोस्

## मिलान पछ्याउने

collections-sync = अहिले मिलान गर्ने
collections-sync-help = नयाँ कुरा पढ्छ, जाँच्छ र प्रकाशित गर्छ।
collections-sync-local = Dagster विना मिलान गर्ने
collections-cancel = रद्द गर्ने
collections-look-again = फेरि हेर्ने
collections-in-dagster = रन Dagster मा हेर्ने
collections-ready = तयारी हुँदै
collections-stage = { $stage ->
    [sync] तयारी हुँदै
    [fetch] ल्याइँदै
    [extract] पढिँदै
    [chunk] काटिँदै
    [embed] इम्बेड हुँदै
    [index] सूची बन्दै
    [evaluate] मूल्याङ्कन हुँदै
    [publish] प्रकाशित हुँदै
   *[other] { $stage }
}
collections-stage-of = { $stage }: { $total } मध्ये { $done }
collections-rate = सेकेन्डमा { $rate }
collections-left = जम्मा करिब { $time } बाँकी
collections-seconds = { $count } से.
collections-minutes = { $count } मिनेट
collections-waits = चलिरहेको मिलान पर्खिँदै; अनि पर्खिने सबै एकैचोटि पढिन्छ
collections-joined = यो मिलानका अरू स्रोत पढिँदै छन्
collections-run-queued = Dagster मा पालो पर्खिँदै
collections-run-starting = Dagster ले रन सुरु गर्दै छ
collections-run-canceling = रन सकिँदै छ
collections-run-by = { $age } सुरु भएको
collections-waiting = नयाँ फाइल अर्को मिलानपछि भेटिन्छन्।
collections-synced = पछिल्लो मिलान { $age }।
collections-never = अहिलेसम्म पढिएको छैन
collections-failed = पछिल्लो मिलान ({ $age }) असफल भयो: { $reason }
collections-canceled = पछिल्लो मिलान ({ $age }) रद्द भयो। सकिएको राखिएको छ; अर्को त्यहीँबाट अघि बढ्छ।
collections-refused = पछिल्लो मिलान ({ $age }) प्रकाशित भएन: { $reason }
collections-paused-note = यो स्रोत रोकिएको छ: कुनै समयले यसलाई पढ्दैन। अघि बढ्न फेरि चलाउनुहोस्।
collections-down = <b>{ $why }।</b> कार्यक्षेत्रको फोल्डरमा <code>make up</code> वा <code>dg dev</code> ले
    यसलाई सुरु गर्नुहोस्। तबसम्म यसविना मिलान गर्न सकिन्छ।
collections-interrupted = { $age } सुरु भएको रन चल्दै गर्दा Dagster गयो, र अब त्यसमा कसैले काम गर्दैन। सकिएको राखिएको छ; अर्को मिलान
    त्यहीँबाट अघि बढ्छ।
collections-lost = <b>रन मर्‍यो।</b> Dagster ले अझै चलेको ठान्छ, तर यसको प्रक्रिया छैन। सकिएको राखिएको छ; यसलाई हटाउनुहोस् र
    फेरि मिलान गर्नुहोस्।
collections-clear = हटाउने
collections-idle = Dagster को वेब सर्भरले जवाफ दिन्छ, तर यसको डेमन चल्दैन, त्यसैले रन पर्खिन्छ। दुवैलाई
    <code>make up</code> वा <code>dg dev</code> ले सुरु गर्नुहोस्, वा रन रद्द गरी Dagster विना मिलान गर्नुहोस्।
collections-busy = यो Dagster बाहिर चल्दै छ, त्यसैले यहाँ रद्द गर्न सकिँदैन।

## स्रोत

collections-add = स्रोत थप्ने
collections-sources-empty = <h3>अहिलेसम्म केही पढिँदैन</h3>स्रोत भनेको यो प्लेटफर्मले पढ्ने र ताजा राख्ने कुरा हो: फिड, साइट, फोल्डर, लगइनपछाडिको
    पोर्टल, डाटाबेसका पङ्क्ति। एउटा थप्नुहोस्, के पढिन्छ पहिले हेर्नुहोस्, अनि राख्नुहोस्।
collections-sources-empty-editor = <h3>तपाईंका लागि अहिलेसम्म स्रोत छैन</h3>स्रोत भनेको यो प्लेटफर्मले पढ्ने र ताजा राख्ने कुरा हो। फिड, साइट वा
    पोर्टल थप्नुहोस्; प्रशासकले फोल्डर र डाटाबेस पनि थप्न सक्छन्।
collections-find-source = स्रोत खोज्ने
collections-kind = { $kind ->
    [feed] फिड
    [web] साइट
    [portal] पोर्टल
    [folder] फोल्डर
    [sql] डाटाबेस
    [objects] बकेट
    [upload] अपलोड
    [more] सबै प्रकार
   *[other] { $kind }
}
collections-gallery-about = स्रोत हुन सक्ने सबै, फारम नभएका पनि। प्रशासकले तालिका
    <code>rag.toml</code> मा, वा <code>rag source add</code> को फाइलमा राख्छन् र फेर्छन्;
    <code>$&#123;secret:name&#125;</code> लेखिएको कुरा <code>rag secret set name</code> ले राखिन्छ।
collections-gallery-reads = { $kind ->
    [feed] RSS, Atom वा JSON फिड, लेखका पृष्ठसहित।
    [web] साइटका पृष्ठ: साइटम्यापबाट, लिङ्कबाट, वा सूचीबाट।
    [portal] लगइनपछाडिको साइट, जस्तै पाठ्यक्रम पोर्टल।
    [folder] यो मेसिनको कुनै फोल्डरका फाइल।
    [sql] डाटाबेसका पङ्क्ति, हरेक एउटा कागजात।
    [objects] बकेटका फाइल: S3 र अरू भण्डार।
    [upload] मानिसले यहाँ राख्ने फाइल।
    [git] Git भण्डारका फाइल, GitLab र Gitea का विकी पनि।
    [imap] कुनै खाताको डाक, कुराकानीअनुसार।
    [webdav] WebDAV सर्भरका फाइल, जस्तै Nextcloud।
    [mediawiki] MediaWiki का पृष्ठ, जस्तै Wikipedia।
    [store] Chroma, Qdrant, pgvector, LanceDB, LlamaIndex वा LangChain ले सूचीमा राखेको।
    [dlt] dlt को कुनै पनि स्रोतले पढ्ने: घोषित REST API, तालिका, फाइल, सयौँ सेवा।
    [llamahub] LlamaHub को कुनै पनि पाठकले पढ्ने: Confluence, Notion, Slack, Drive, SharePoint, Jira र अरू।
   *[other] { $reads }
}
collections-gallery-add = { $kind } प्रकारको स्रोत थप्ने
collections-gallery-missing = स्थापित छैन: थप भाग { $extras }, जुन यसको केही कुरालाई चाहिन्छ।
collections-gallery-broken = यसको प्याकेज प्रयोग गर्न सकिँदैन: { $reason }
collections-gallery-own = अरू जुनसुकै कुराका लागि <code>rag source new-kind</code> ले तपाईंको आफ्नै प्रकारको प्याकेज लेख्छ, जुन
    चल्छ र जसका परीक्षण छन्।
collections-kind-about = { $kind ->
    [feed] RSS, Atom वा JSON फिड, लेखका पृष्ठसहित।
    [web] साइटका पृष्ठ: साइटम्यापबाट, लिङ्कबाट, वा सूचीबाट।
    [portal] लगइनपछाडिको साइट, जस्तै पाठ्यक्रम पोर्टल।
    [folder] यो मेसिनको कुनै फोल्डरका फाइल।
    [sql] डाटाबेसका पङ्क्ति, हरेक एउटा कागजात।
   *[other] { $kind }
}
collections-paused = रोकिएको
collections-late = ढिलो
collections-running = चल्दै
collections-some-failed = { $count } असफल
collections-read-at = { $age } पढिएको
collections-next-at = अर्को { $when }
collections-unscheduled = समय छैन
collections-in-minutes = { $count } मिनेटमा
collections-in-hours = { $count } घण्टामा
collections-in-days = { $count } दिनमा
collections-pause = रोक्ने
collections-resume = फेरि चलाउने
collections-pause-help = कसैले फेरि नचलाएसम्म समयले यसलाई छोड्छ।
collections-settings = यसका सेटिङ
collections-failures = के असफल भयो
collections-failures-more = … र थप { $count }
collections-as-they = अरू पाठकले यसमा आफूले पढ्न पाउने कुरा देख्छन्।

## नयाँ स्रोतको फारम

collections-add-title = स्रोत थप्ने
collections-which = यो के हो?
collections-more = थप सेटिङ
collections-preview = के पढिन्छ पहिले हेर्ने
collections-previewing = स्रोतमा के छ हेरिँदै …
collections-preview-again = फेरि पहिले हेर्ने
collections-preview-stop = रोक्ने
collections-preview-none = केही राखिँदैन: मिलानले के पढ्छ मात्र देखाइन्छ।
collections-preview-count = { $cut ->
    [yes] कम्तीमा { $count } पढिन्थे।
   *[no] { $count ->
        [0] केही पढिँदैनथ्यो।
        [one] एउटा कागजात पढिन्थ्यो।
       *[other] { $count } कागजात पढिन्थे।
    }
}
collections-preview-took = { $seconds } से. मा सूची आयो; केही राखिएन।
collections-preview-more = … र थप { $count }
collections-preview-failed = <b>यसरी पढ्न सकिँदैन।</b> { $reason }
collections-preview-part = सूची आउन सकेन:
collections-preview-old = यो हेरेपछि फारम बदलियो।
collections-save-source = स्रोत थप्ने
collections-mend = माथि देखाइएको पहिले मिलाउनुहोस्।
collections-added-source = { $id } थपियो। पढ्न “अहिले मिलान गर्ने” थिच्नुहोस्।
collections-local-only = फोल्डर र डाटाबेस यो मेसिन वा यसको नेटवर्कमा हुन्छन्, त्यसैले प्रशासकले मात्र थप्न पाउँछन्।

collections-field-id = नाम
collections-help-id = छनोट, प्रतिवेदन र Dagster मा। पछि फेर्न सकिँदैन।
collections-field-address = फिडको ठेगाना
collections-field-others = थप फिड
collections-help-others = हरेक लाइनमा एउटा ठेगाना।
collections-field-articles = फिडको पाठ मात्र होइन, लेखका पृष्ठ पढ्ने
collections-field-max_age_days = योभन्दा पुराना प्रविष्टि छोड्ने (दिन)
collections-field-allow_private = यो यस मेसिनको आफ्नै नेटवर्कमा छ
collections-help-allow_private = यो चालु नभए निजी ठेगाना अस्वीकार हुन्छन्।
collections-field-way = यसका पृष्ठ कसरी भेट्ने
collections-way-sitemap = साइटम्याप
collections-way-crawl = लिङ्क पछ्याउने
collections-way-urls = पृष्ठको सूची
collections-field-sitemap = साइटम्यापको ठेगाना
collections-field-crawl = सुरु गर्ने पृष्ठ
collections-help-crawl = यो रहेको फोल्डरभित्र यसका लिङ्क पछ्याइन्छन्।
collections-field-urls = पृष्ठ
collections-help-urls = हरेक लाइनमा एउटा ठेगाना।
collections-field-include = यससँग मिल्ने मात्र
collections-help-include = **/*.pdf जस्ता ढाँचा, हरेक लाइनमा एउटा। खाली: सबै।
collections-field-exclude = यससँग मिल्ने छोड्ने
collections-help-exclude = **/drafts/** जस्ता ढाँचा, हरेक लाइनमा एउटा।
collections-field-limit = बढीमा पृष्ठ
collections-field-javascript = यसका पृष्ठ स्क्रिप्टले बनाउँछन्: ब्राउजरमा खोल्ने
collections-field-url = { $kind ->
    [sql] डाटाबेसको ठेगाना
   *[other] पोर्टलको ठेगाना
}
collections-field-profile = पोर्टलको प्रकार
collections-profile-generic = जुनसुकै
collections-field-user = प्रयोगकर्ता
collections-field-password = पासवर्ड
collections-help-password = गोप्य कुरामा गुप्तलेखन गरी राखिन्छ, rag.toml मा कहिल्यै होइन, र फेरि देखाइँदैन।
collections-field-logged_in = लगइन गरेकाले मात्र देख्ने पाठ
collections-field-depth = कति लिङ्क परसम्मका पृष्ठ पढ्ने
collections-field-path = फोल्डर
collections-help-path = यो मेसिनको बाटो; सापेक्ष बाटो कार्यक्षेत्रको फोल्डरबाट सुरु हुन्छ।
collections-field-query = क्वेरी
collections-field-key = पङ्क्ति चिनाउने स्तम्भ
collections-field-title-sql = शीर्षक
collections-field-template = कागजातको पाठ
collections-help-template = Markdown; {"{"}column{"}"} को ठाउँमा पङ्क्तिको मान आउँछ।
collections-field-uri = पङ्क्तिको ठेगाना
collections-field-cursor = पङ्क्ति बदलिँदा बदलिने स्तम्भ
collections-field-published_at = मितिको स्तम्भ
collections-field-updated_at = पछिल्लो परिवर्तनको स्तम्भ
collections-field-schedule = फेरि पढ्ने
collections-schedule-none = भनेपछि मात्र
collections-schedule-quarter = हरेक 15 मिनेटमा
collections-schedule-hour = हरेक घण्टा
collections-schedule-day = हरेक दिन 06:00 UTC मा
collections-schedule-week = हरेक सोमबार 06:00 UTC मा
collections-schedule-own = आफ्नै समयमा
collections-field-cron = समय, cron ले भनेजस्तै (UTC)
collections-field-language = यसका पाठको भाषा
collections-field-comments = पाठकले पृष्ठमुनि लेखेको राख्ने
collections-field-page_text = PDF र चित्रको पाठ यसबाट
collections-help-page_text = पृष्ठको पाठ तह नभए वा नराम्रो भए त्यसको चित्र पढिन्छ। दृष्टि मोडेल राखिएको ठाउँमा मात्र पढ्छ।
collections-page_text-auto = जे उत्तम छ
collections-page_text-layer = पाठ तह
collections-page_text-ocr = अक्षर पहिचान
collections-page_text-vision = दृष्टि मोडेल
collections-field-half_life_days = कागजात आधा गनिने उमेर (दिन)
collections-field-fresh_within_hours = यतिमा नपढिए ढिलो (घण्टा)
collections-field-principals = कसले पढ्न पाउँछ
collections-help-principals = कोही नछाने: सबै। तपाईं आफैँ जसका रूपमा पढ्नुहुन्छ ती समूह र मानिस मात्र देखाइन्छन्।

collections-wrong-missing = यो चाहिन्छ।
collections-wrong-taken = { $id } नामको स्रोत भइसक्यो। अर्को नाम छान्नुहोस्।
collections-wrong-id = साना अक्षर, अङ्क, - र _, सुरुमा अक्षर वा अङ्क; बढीमा 63।
collections-wrong-address = “{ $given }” वेब ठेगाना होइन। त्यो https:// वा http:// बाट सुरु हुन्छ र होस्टको नाम लिन्छ।
collections-wrong-password = ठेगानामा पासवर्ड नराख्नुहोस्: rag.toml मा पढ्न सकिन्छ। तल त्यसकै खाना भए त्यहाँ लेख्नुहोस्।
collections-wrong-placeholder = गोप्य कुराका नाम rag.toml मै मात्र चल्छन्। पासवर्ड त्यसकै खानामा लेख्नुहोस्।
collections-wrong-database = डाटाबेसको ठेगाना यस्तो हुन्छ: postgresql+psycopg://reader@db.example.org/desk वा sqlite:///data/desk.sqlite।
collections-wrong-user = पासवर्ड भए ठेगानाले प्रयोगकर्ताको नाम लिन्छ: postgresql+psycopg://reader@db.example.org/desk।
collections-wrong-cron = पाँच खाना: मिनेट, घण्टा, दिन, महिना, बार। “30 7 * * 1-5” सोमबारदेखि शुक्रबार 07:30 हो।
collections-wrong-number = शून्यभन्दा ठूलो सङ्ख्या।
collections-wrong-folder = यो मेसिनमा यस्तो फोल्डर छैन।
collections-wrong-kind = यो प्रकारको स्रोत प्रशासकले मात्र थप्न पाउँछन्।

## जुनसुकै प्रकारको स्रोतका सेटिङ

collections-change = फेर्ने
collections-change-title = { $id } का सेटिङ
collections-change-about = <code>{ $kind }</code> प्रकारको स्रोत। खानाका नाम <code>rag.toml</code> मा जस्तै छन्; खाली रहेको कुरा
    सामान्यझैँ हुन्छ। पासवर्ड कहिल्यै देखाइँदैन: खाली खानाले भएकैलाई राख्छ। <code>principals</code> अर्को प्रश्नदेखि लागू हुन्छ, बाँकी अर्को
    मिलानदेखि।
collections-change-by-file = <code>{ $kind }</code> प्रकारको स्रोतले केबाट पढ्छ त्यो जुनसुकै प्रोग्राम हुन सक्छ, त्यसैले यो
    <code>rag.toml</code> मा मात्र फेरिन्छ।
collections-changed = { $count ->
        [0] केही पनि पहिलेभन्दा फरक थिएन।
        [one] एउटा सेटिङ फेरियो।
       *[other] { $count } सेटिङ फेरिए।
    }
collections-add-by-settings = <code>{ $kind }</code> प्रकारको स्रोत। खानाका नाम
    <code>rag.toml</code> मा जस्तै छन्; तारा भएका चाहिन्छन्। पासवर्ड गुप्तलेखन गरी राखिन्छ, फाइलले त्यसको नाम मात्र लिन्छ।
collections-secret-kept = जस्तो छ त्यस्तै राखियो
collections-hint-lines = हरेक लाइनमा एउटा
collections-hint-json = JSON का रूपमा
collections-not-set = सामान्यझैँ
collections-ask = यी कागजातबारे सोध्ने
