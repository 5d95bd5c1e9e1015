## कागजात: यसको पाठ, यसको मूल, र दुवैबारे थाहा भएको

document-tabs = यो कागजातका दृश्य
document-tab-text = पाठ
document-tab-original = मूल
document-tab-about = विवरण
document-tab-history = इतिहास
document-tab-passages = अंश
document-tab-cited = उद्धृत गर्ने

document-gone = <h3>यो कागजात यहाँ छैन</h3>उद्धृत भएपछि हटाइएको हुन सक्छ, वा तपाईं पढ्न पाउनुहुन्न।
document-search = खोज्ने
document-removed = यो कागजात हटाइएको छ; यो संस्करण { $version } मा यसको पाठ हो।
document-older = संस्करण { $version } मा कागजात यस्तो थियो।
document-newest = आज जस्तो छ त्यस्तै पढ्ने
document-changed = उद्धृत भएपछि यो कागजात बदलिएको छ; अंश सरेको हुन सक्छ।
document-changed-read = उद्धृत हुँदा जस्तो थियो त्यस्तै पढ्ने
document-no-such-version = ठेगानाले भनेको संस्करणमा यो कागजात छैन, वा तपाईं पढ्न पाउनुहुन्न।
document-no-such-span = ठेगानाले भनेको अंश यो पाठमा छैन।
document-instructs = यो कागजात { $how }

document-line-owner = { $owner } को
document-line-published = { $date } मा प्रकाशित ({ $age })
document-line-updated = { $date } मा अद्यावधिक ({ $age })
document-line-fetched = { $date } मा पढिएको ({ $age })

document-contents = विषयसूची
document-contents-more = { $count ->
        [one] र एउटा सानो शीर्षक
       *[other] र थप { $count } शीर्षक
    }
document-page-mark = पृष्ठ { $page }
document-earlier = ‹ अघि
document-later = पछि ›
document-share = पाठको { $start } % देखि { $end } %

document-original-opening = मूल खुल्दै
document-original-title = { $title } को मूल
document-original-none = <h3>मूल देखाउन सकिँदैन</h3>{ $reason }।
document-original-file = <h3>{ $name }</h3>ब्राउजरले यस्तो फाइल देखाउन सक्दैन। यसको पाठ यसबाटै पढिएको हो; फाइल हेर्न डाउनलोड
    गर्नुहोस्।
document-original-unmarked = उद्धृत शब्द मूलमा भेटिएनन्। ती पाठमा छन्।
document-page-alt = { $title } का { $pages } पृष्ठमध्ये पृष्ठ { $page }, देखिएजस्तै; यसका शब्द पाठमा छन्
document-image-alt = { $title }, देखिएजस्तै; चिनिएका शब्द पाठमा छन्
document-page = पृष्ठ
document-page-of = { $pages } मध्ये
document-download = डाउनलोड गर्ने
document-at-source = स्रोतमा खोल्ने

document-readers = कसले पढ्न पाउँछ
document-readers-are = पाठक
document-readers-by = कसले भनेको
document-readers-denied = होइन
document-readers-allow = { $who } ले पाउँछ
document-readers-deny = { $who } ले पाउँदैन
document-readers-everyone = सबै
document-readers-nobody = कोही होइन
document-close = यसलाई बन्द गर्ने
document-close-note = अबदेखि यो कागजात कुनै संस्करणमा कसैले भेट्दैन, खोल्दैन, तपाईं पनि। यो हटाइँदैन: “सञ्चालन” को “पहुँच” मा
    फर्काउन सकिन्छ।
document-close-why = किन, लगका लागि
document-close-now = अहिले बन्द गर्ने

document-about-title = शीर्षक
document-about-author = लेखक
document-about-owner = धनी
document-about-language = भाषा
document-about-published = प्रकाशित
document-about-updated = अद्यावधिक
document-about-fetched = स्रोतबाट पढिएको
document-about-collection = सङ्ग्रह
document-about-source = स्रोत
document-about-address = ठेगाना
document-about-type = प्रकार
document-about-pages = पृष्ठ
document-about-characters = अक्षर
document-about-passages = अंश
document-about-parser = पढ्ने प्रोग्राम
document-about-stage = चरणको साँचो
document-about-revision = संशोधन
document-about-raw = बाइटको SHA-256
document-about-run = ल्याउने रन
document-about-version = सूचीको संस्करण
document-about-ids = पहिचान-चिह्न
document-about-tags = ट्याग
document-about-flags = चिह्न
document-about-losses = फाइलको नराखिएको

document-history-one = <h3>एउटा संशोधन थाहा छ</h3>कागजात स्रोतमा बदलिएपछि, पुरानो भएको संस्करण राखिएसम्म, दुवै पाठ र बीचको परिवर्तन
    यहाँ देखिन्छ।
document-history-newest = सबैभन्दा नयाँ
document-history-built = { $date } मा सूचीमा ({ $age })
document-history-length = { $count } अक्षर
document-history-versions = { $count ->
        [one] संस्करण { $newest } मा
       *[other] { $count } संस्करणमा, पछिल्लो { $newest }
    }
document-history-read = पढ्ने
document-history-compare = अघिल्लोसँग तुलना गर्ने
document-history-old = देखि
document-history-new = सम्म
document-history-equal = <h3>फरक छैन</h3>यी दुई पाठ उस्तै छन्।
document-history-changed = { $places ->
        [one] एक ठाउँ बदलियो
       *[other] { $places } ठाउँ बदलिए
    }: { $gone ->
        [one] एक लाइन
       *[other] { $gone } लाइन
    } हट्यो, { $came ->
        [one] एक लाइन
       *[other] { $came } लाइन
    } थपियो।
document-history-more = … र थप { $count } लाइन
document-list-before = ‹ अघि
document-list-after = पछि ›
document-list-part = { $parts } मध्ये { $part }

document-passages-none = <h3>अंश छैन</h3>यो कागजातमा खोज्नका लागि पाठ धेरै थोरै छ।
document-passages-told = { $count ->
        [one] एउटा अंश: खोजले भेट्ने यही पाठ हो।
       *[other] { $count } अंश: खोजले भेट्ने यीमध्ये एउटा हो।
    }
document-passage-tokens = { $count } टोकन
document-passage-span = अक्षर { $start } देखि { $end }
document-passage-no-section = शीर्षक छैन
document-passage-show = पाठमा देखाउने
document-passage-show-n = अंश { $number } पाठमा देखाउने

document-cited-none = <h3>तपाईंको कुनै जवाफले यो कागजात उद्धृत गर्दैन</h3>गरेपछि उद्धरणसहित यहाँ देखिन्छ।
document-cited-others = { $count ->
        [0] अरूलाई दिइएको कुनै जवाफले यसलाई उद्धृत गर्दैन।
        [one] अरूलाई दिइएको एउटा जवाफले यसलाई उद्धृत गर्छ।
       *[other] अरूलाई दिइएका { $count } जवाफले यसलाई उद्धृत गर्छन्।
    }
document-cited-version = संस्करण { $version } बाट
document-cited-show = पाठमा देखाउने
document-ask = यो कागजातबारे सोध्ने
document-ask-selected = यसबारे सोध्ने
document-attached = तपाईंको एउटा च्याटसँग जोडिएको; तपाईंले मात्र देख्नुहुन्छ
