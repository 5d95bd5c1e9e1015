## सोध्ने: च्याटको दृश्य

ask-hero = <h1>आफ्ना कागजातलाई सोध्नुहोस्</h1><p>जवाफ प्रकाशित कुराबाट लेखिन्छ, र हरेक वाक्यले आफू अडिएको अंशसम्म पुर्‍याउँछ।
    कागजातले नभनेको कुरामा जवाफले त्यही भन्छ।</p>
ask-examples = तपाईं सोध्न सक्नुहुन्छ
ask-placeholder = आफ्ना कागजातबारे सोध्नुहोस्
ask-written-by = लेखक
ask-quotes-alone = उद्धरण मात्र, मोडेल होइन
ask-own-model = भाषा मोडेल
ask-prompt = सुरक्षित निर्देशन
ask-no-prompt = कुनै होइन
ask-archived = अभिलेखमा राखिएका कागजात
ask-archived-help = जवाफ पुराना भएकाले छुट्याइएका कागजातबाट आउँछ, अरूबाट होइन।
ask-you-asked = तपाईंले सोध्नुभयो
ask-unpublished = <h1>अहिले सोध्ने केही छैन</h1><p>यो पृष्ठले कागजातबाट जवाफ दिन्छ, र अहिलेसम्म कुनै प्रकाशित छैन। तीन चरणले
    त्यहाँ पुर्‍याउँछन्:</p>
ask-unpublished-steps = <ol><li><b>के पढ्ने हो भन्नुहोस्।</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">फाइल राख्नुहोस्</a>, वा
            <a class="inner" href="collections?show=sources&add=folder" target="_self">फोल्डर</a>,
            <a class="inner" href="collections?show=sources&add=web" target="_self">साइट</a> वा
            <a class="inner" href="collections?show=sources&add=feed" target="_self">फिड</a> थप्नुहोस्
       *[reader] सम्पादकले फाइल राख्छन्, वा फोल्डर, साइट वा फिड थप्छन्
    }।</li>
    <li><b>पढिँदै गरेको हेर्नुहोस्।</b> <b>अहिले मिलान गर्ने</b> ले सबै एक पटक पढ्छ र कति भयो देखाउँछ; पछि बदलिएको मात्र पढिन्छ।</li>
    <li><b>सोध्नुहोस्।</b> पहिलो संस्करण आफैँ चालु हुन्छ, र यो पृष्ठले थाहा पाउँछ।</li></ol>
ask-look-again = फेरि हेर्ने

## जवाफ लेखिँदा

ask-understanding = प्रश्न बुझिँदै …
ask-searching = खोजिँदै …
ask-reading = { $passages ->
        [one] एउटा अंश पढिँदै
       *[other] { $passages } वटा अंश पढिँदै
    } …
ask-thinking = सोचिँदै …
ask-writing = लेखिँदै …
ask-nothing-found = केही भेटिएन
ask-trace = { $searches ->
        [one] एक पटक खोजियो
       *[other] { $searches } पटक खोजियो
    } · { $passages ->
        [0] कुनै अंश छैन
       *[other] { $passages } अंश
    } · { $seconds } से.
ask-trace-stopped = रोकियो · { $passages ->
        [0] कुनै अंश छैन
       *[other] { $passages } अंश
    }
ask-step-understood = यसरी बुझियो: <q>{ $question }</q>
ask-step-searched = खोजियो: <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] कुनै अंश भेटिएन
       *[other] { $passages } अंश भेटिए
    }
ask-step-wrote = { $model ->
        [extractive] उद्धृत, मोडेलविना
       *[other] { $model } ले लेखेको
    }
ask-step-checked = { $claims ->
        [0] जाँच्ने केही छैन
        [one] एउटा वाक्य आफ्नो स्रोतसँग जाँचियो
       *[other] { $claims } वाक्य आफ्ना स्रोतसँग जाँचिए
    }
ask-step-total = जम्मा
ask-thought = मोडेलले के सोच्यो

## एउटा जवाफ

ask-sources = स्रोत
ask-more-passages = { $count ->
        [one] यसको अर्को एउटा अंश
       *[other] यसका थप { $count } अंश
    }
ask-beside = स्रोत
ask-beside-close = बन्द गर्ने
ask-beside-open = पूरै खोल्ने
ask-origins = { $count } स्वतन्त्र स्रोतले भनेको
ask-source-open = { $n }: { $title }। कागजातमा यो अंश खोल्छ।
ask-closest = सबैभन्दा नजिकका अंश
ask-stopped-sources = जुन स्रोतबाट लेखिँदै थियो
ask-told = { $when } · { $version } · { $model ->
        [extractive] उद्धरण मात्र, मोडेल होइन
       *[other] { $model }
    }
ask-ids = रसिद
ask-older = <code>{ $version }</code> बाट जवाफ दिइएको। त्यसपछि { $live } चालु भएको छ, त्यसैले कागजातले अर्कै भन्न सक्छन्।
ask-again = फेरि सोध्ने
ask-withheld = यो जवाफ तपाईंले पढ्न नपाउने कागजातमा अडिएको छ, त्यसैले देखाइँदैन।
ask-withheld-now = यो जवाफ तपाईंले अब पढ्न नपाउने कागजातमा अडिएको छ, त्यसैले अब देखाइँदैन।
ask-unanswered = यो प्रश्नको जवाफ छैन: केही लेखिनुअघि नै रोकियो।
ask-stopped = रोकियो। यो पाठ आफ्ना स्रोतसँग जाँचिएको छैन।
ask-stop = रोक्ने
ask-waits = यसपछि तपाईंको प्रश्नको जवाफ दिइन्छ।
ask-model-failed = <b>{ $model } ले जवाफ दिन सकेन।</b> तपाईंले देख्नुभएका वाक्य स्रोतकै हुन्।
ask-failed = <b>यो भएन।</b> { $reason } तपाईंको प्रश्न राखिएको छ।
ask-too-many = एकैचोटि धेरै प्रश्न भए। { $seconds ->
        [one] एक सेकेन्ड
       *[other] { $seconds } सेकेन्ड
    }पछि फेरि सोध्नुहोस्; तपाईंको प्रश्न तल छ।
ask-try-again = फेरि प्रयास गर्ने
ask-try-with = { $name } बाट जवाफ लिने
ask-next = अब सोध्न सकिने
ask-copy = प्रतिलिपि गर्ने
ask-copy-code = यो कोड प्रतिलिपि गर्ने
ask-speak = पढेर सुनाउने
ask-speak-stop = सुनाउन रोक्ने
ask-listen = बोलेर सोध्ने
ask-listen-failed = केही सुनिएन
ask-copied = प्रतिलिपि भयो
ask-late = <b>{ $sources }</b> { $count ->
        [one] ढिलो भयो: { $age } पढिएदेखि यसको समय दुई पटक बितिसक्यो।
       *[other] ढिला भए: { $age } पढिएदेखि यिनको समय दुई पटक बितिसक्यो।
    } जवाफमा नयाँ कुरा छुट्न सक्छ।
ask-earlier = अघिका प्रश्न देखाउने ({ $count })

ask-verdict = { $verdict ->
        [yes] हो, यसले भनेअनुसार:
       *[no] होइन, यसले भनेअनुसार:
    }
ask-also-in = { $language } मा पनि:

ask-disagree = <b>स्रोतहरूको कुरा मिल्दैन।</b>
ask-side = { $count ->
        [one] { $of } मध्ये एउटा स्रोतले भन्छ
       *[other] { $of } मध्ये { $count } स्रोतले भन्छन्
    }
ask-side-newest = { $count ->
        [one] { $of } मध्ये एउटा स्रोत, { $of ->
            [2] बढी नयाँ
           *[other] सबैभन्दा नयाँ
        } ({ $date }), ले भन्छ
       *[other] { $of } मध्ये { $count } स्रोतले, सबैभन्दा नयाँ ({ $date }) समेत, भन्छन्
    }

## यसका वाक्यलाई के भयो

ask-state = { $state ->
        [quoted] उद्धृत
        [supported] समर्थित
        [contradicted] खण्डित
       *[unverified] प्रमाणित छैन
    }
ask-word-for-word = स्रोतमा शब्दशः
ask-probable = समर्थित हुने सम्भावना { $percent } %
ask-checked-by = { $check } ले जाँचेको
ask-taken-away = <b>हटाइएको</b>, किनकि एउटा स्रोतले अर्कै भन्छ: <del>{ $sentence }</del>
ask-denies = अर्कै भन्छ

## कागजातले नभनेको

ask-searched-in = { $documents ->
        [-1] यो खोजियो:
        [0] तपाईं कुनै पनि कागजात पढ्न पाउनुहुन्न। यो खोजियो:
        [one] तपाईंले पढ्न पाउने एउटा कागजातमा यो खोजियो:
       *[other] तपाईंले पढ्न पाउने सबै { $documents } कागजातमा यो खोजियो:
    }
ask-missing-add = नभएको कागजात थप्ने
ask-missing-tell = यो छैन भनी सम्पादकलाई भन्ने
ask-missing-others = अरू केको जवाफ आएन

## मूल्याङ्कन

ask-judge = यो राम्रो जवाफ थियो?
ask-bad-title = यसमा के गलत थियो?
ask-bad-abstained-title = यसको जवाफ आउनुपर्थ्यो?
ask-reason = कारण
ask-reason-wrong = यो गलत छ
ask-reason-incomplete = केही छुटेको छ
ask-reason-outdated = यो पुरानो भयो
ask-reason-source = यसले गलत स्रोत देखाउँछ
ask-reason-unanswered = कागजातमा यसको जवाफ छ
ask-reason-other = अरू केही
ask-comment = सही के हुन्थ्यो? (ऐच्छिक)
ask-judge-note = प्रश्न, त्यसको जवाफ र तपाईंले यहाँ लेख्नुभएको कुरा सम्पादकलाई सुझाइन्छ, हरेक नयाँ संस्करण जाँच्ने प्रश्नका रूपमा।
ask-send = पठाउने
ask-thanks = धन्यवाद। सम्पादकले हेर्नेछन्।

## च्याट

ask-new = नयाँ च्याट
ask-chats = च्याट
ask-find = आफ्ना च्याटमा खोज्ने
ask-no-chats = तपाईंका च्याट यहाँ देखिनेछन्। अरू कसैले देख्दैन।
ask-none-found = कुनै च्याटमा यी शब्द छैनन्।
ask-more-chats = थप देखाउने
ask-today = आज
ask-yesterday = हिजो
ask-week = पछिल्ला सात दिन
ask-before = त्यसअघि
ask-pinned = पिन गरिएको
ask-pin = पिन गर्ने
ask-unpin = पिन हटाउने
ask-folder = फोल्डर
ask-no-folder = फोल्डर छैन
ask-folder-help = एउटा छान्नुहोस्, वा नयाँ नाम लेख्नुहोस्।
ask-share = साझा गर्ने
ask-export = निर्यात
ask-export-word = Word, पादटिप्पणीसहित
ask-export-print = छाप्ने, वा PDF मा राख्ने
ask-more = थप
ask-rename = नाम फेर्ने
ask-rename-title = यो च्याटको नाम फेर्ने
ask-title = शीर्षक
ask-save = राख्ने
ask-delete = मेट्ने
ask-gone = यो च्याट यहाँ छैन। मेटिएको हुन सक्छ, वा अरू कसैको हो।

## साझा गर्ने

ask-share-title = यो च्याट साझा गर्ने
ask-share-note = लिङ्क हुनेले अहिलेसम्मको कुरा पढ्न सक्छ, हरेक जवाफ भने त्यो लेखिएका सबै कागजात पढ्न पाउने भए मात्र। तपाईंले पछि सोध्ने
    कुरा यसमा छैन।
ask-share-readers = यिनका लागि मात्र
ask-share-everybody = यहाँ सोध्न पाउने सबै
ask-share-readers-help = मानिस र समूह, जस्तै group:support। अरूले लिङ्कमा केही भेट्दैनन्।
ask-share-make = लिङ्क बनाउने
ask-share-renew = अहिले जस्तो छ त्यस्तै साझा गर्ने
ask-share-end = साझा गर्न रोक्ने
ask-shared = <b>{ $title }</b> तपाईंसँग साझा गरियो। तपाईं पढ्न सक्नुहुन्छ, फेर्न सक्नुहुन्न।
ask-shared-gone = <h3>यो लिङ्कले कतै पुर्‍याउँदैन</h3>च्याट मेटियो, वा यसको धनीले साझा गर्न रोके।
ask-shared-own = आफ्नो प्रश्न सोध्ने

## निर्यात गरिएको फाइल

ask-export-asked = { $date } मा सोधियो, संस्करण { $version } बाट { $model ->
        [extractive] उद्धरणले मात्र, मोडेलविना,
       *[other] { $model } ले
    } जवाफ दियो; रसिद { $receipt }।
ask-export-sources = स्रोत
ask-export-checked = जाँचिएको
ask-export-page = पृष्ठ { $page }
ask-export-at = { $date } मा निर्यात गरिएको।

## च्याटको जवाफ केबाट

ask-scope = यसबाट मात्र
ask-scope-remove = अब { $name } बाट जवाफ नदिने
ask-scope-all = सबैबाट
ask-scope-gone = यहाँ नरहेको, वा तपाईंले अब पढ्न नपाउने कुरा
ask-complete = सङ्ग्रह र कागजात
ask-complete-collection = सङ्ग्रह
ask-complete-document = कागजात

## च्याटका फाइल

ask-attaching = { $name } पढिँदै …
ask-pasted = टाँसिएको पाठ.txt
ask-attached = यो च्याटका फाइल
ask-attached-remove = { $name } हटाउने
ask-attached-only = यी फाइलबाट मात्र
ask-attached-note = यी तपाईंले मात्र देख्नुहुन्छ, र यो च्याटसँगै जान्छन्।

## यसका तालिका र चित्र

ask-table-of = { $title } को तालिका
ask-table-whole = सबै { $count } पङ्क्ति
ask-table-more = { $count ->
        [one] थप एउटा पङ्क्ति कागजातमा छ।
       *[other] थप { $count } पङ्क्ति कागजातमा छन्।
    }
ask-chart-show = “{ $title }” को चार्ट बनाउने
ask-chart-hide = “{ $title }” को चार्ट लुकाउने
ask-chart-show-own = यो तालिकाको चार्ट बनाउने
ask-chart-hide-own = चार्ट लुकाउने
ask-chart-spoken = { $by } अनुसार { $names } को चार्ट।
ask-figure-show = “{ $name }” देखाउने
ask-figure-hide = “{ $name }” लुकाउने
ask-figure-alt = { $title } को चित्र: { $said }
