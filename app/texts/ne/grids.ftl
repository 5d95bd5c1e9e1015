## जवाफका तालिका: हरेक स्तम्भमा एउटा प्रश्न, हरेक पङ्क्तिमा एउटा कागजात

grids-title = तालिका
grids-about = धेरै कागजातलाई उही प्रश्न सोध्नुहोस्: हरेक कागजातको एउटा पङ्क्ति, हरेक प्रश्नको एउटा स्तम्भ, र हरेक जवाफ आफ्नो स्रोतसहित।
grids-all = सबै तालिका
grids-new = नयाँ तालिका
grids-none = <h3>अहिलेसम्म तालिका छैन</h3>केही कागजात र केही प्रश्न भन्नुहोस्, र जवाफ सँगसँगै पढ्नुहोस्। खोज वा सङ्ग्रहबाट पनि सुरु गर्न सकिन्छ:
    त्यहाँ <b>तालिकामा तुलना गर्ने</b> छान्नुहोस्।
grids-visitor = <h3>तालिका बनाउन साइन इन गर्नुहोस्</h3>हेर्न मात्र आएकाले बनाएको फेरि भेटिँदैन।
grids-gone = तपाईंले पढ्न पाउने यस्तो तालिका छैन। हटाइएको हुन सक्छ।
grids-facts = { $rows ->
       *[other] { $rows } कागजात
    }लाई { $columns ->
       *[other] { $columns } प्रश्न
    }, { $age } बनेको
grids-of-others = { $owner } को
grids-is-filling = भरिँदै
grids-compare = तालिकामा तुलना गर्ने

## तालिका बनाउने

grids-name = नाम
grids-name-help = जस्तै: आपूर्ति सम्झौता 2026
grids-questions = प्रश्न, हरेक लाइनमा एउटा
grids-questions-help = हरेक प्रश्न हरेक कागजातलाई सोधिन्छ। एक पटकमा एउटै कुरा सोध्नुहोस्, जस्तै: सम्झौता कहिले सकिन्छ?
grids-documents = कागजात
grids-find-documents = शीर्षकले कागजात खोज्ने
grids-found-none = कुनै शीर्षकमा यी अक्षर छैनन्।
grids-collections = यी सङ्ग्रहका सबै कागजात
grids-from-search = “{ $question }” का लागि उत्तम कागजात
grids-from-chosen = { $count ->
       *[other] तपाईंले छानेका { $count } कागजात
    }
grids-from-collections = { $count ->
       *[other] सङ्ग्रहका { $count } कागजात
    }
grids-writer = जवाफ कसले लेख्ने
grids-any-writer = सामान्यझैँ
grids-make = तालिका बनाउने
grids-choose = सोधिने कागजात छान्नुहोस्।

## एउटा तालिका

grids-document = कागजात
grids-table = { $name }: जवाफको तालिका
grids-fill = { $count ->
       *[other] { $count } जवाफ लिने
    }
grids-fill-help = नभएको वा पुरानो मात्र सोधिन्छ
grids-stop = रोक्ने
grids-progress = { $all } मध्ये { $done } जवाफ
grids-stale-count = { $count ->
        [one] { $count } पुरानो छ
       *[other] { $count } पुराना छन्
    }
grids-remaining = करिब { $count ->
       *[other] { $count } मिनेट
    } बाँकी
grids-remaining-seconds = एक मिनेटभन्दा कम बाँकी
grids-withheld = { $count ->
       *[other] { $count } पङ्क्ति देखाइँदैन: त्यसको कागजात तपाईं अहिले पढ्न पाउनुहुन्न, वा त्यो छैन।
    }
grids-newcomers = { $count ->
       *[other] त्यसपछि { $count } कागजात सङ्ग्रहमा आए।
    }
grids-add-newcomers = { $count ->
       *[other] थप्ने
    }
grids-no-columns = <h3>अहिलेसम्म प्रश्न छैन</h3>प्रश्न थप्नुहोस्: त्यो हरेक कागजातलाई सोधिन्छ।
grids-no-rows = <h3>अहिलेसम्म कागजात छैन</h3>सोधिने कागजात थप्नुहोस्।
grids-nothing = यो कागजातमा जवाफ छैन
grids-missing = अहिलेसम्म सोधिएको छैन
grids-waiting = पालो पर्खिँदै
grids-failed = सोध्न सकिएन
grids-stale = पुरानो
grids-stale-help = त्यसपछि कागजात, वा जवाफ लेख्ने, बदलिएको छ
grids-not-live = अब प्रकाशित छैन
grids-verdict = { $verdict ->
        [yes] हो
       *[no] होइन
    }
grids-source = स्रोत { $n }: { $quote }
grids-more = पूरा जवाफ: { $question }, { $title }
grids-row = पङ्क्ति: { $title }
grids-column = स्तम्भ: { $question }

## तालिका फेर्ने

grids-add-column = प्रश्न थप्ने
grids-question = प्रश्न
grids-short-name = छोटो नाम
grids-short-name-help = स्तम्भमाथि देखिने; नभए प्रश्न देखिन्छ
grids-save = राख्ने
grids-remove-column = यो प्रश्न हटाउने
grids-add-rows = कागजात थप्ने
grids-add = थप्ने
grids-row-open = कागजात खोल्ने
grids-leave-out = तालिकाबाट हटाउने
grids-settings = सेटिङ
grids-readers = अरू कसले पढ्न पाउँछ
grids-readers-help = उनीहरूले आफैँ पढ्न पाउने कागजातका पङ्क्ति देख्छन्
grids-readers-none = अरू कोही होइन
grids-remove = तालिका हटाउने
grids-export = निर्यात
grids-export-title = तालिकाका रूपमा निर्यात
grids-export-note = CSV फाइल, जुन Excel र अरू तालिका प्रोग्रामले खोल्छन्। सूत्रझैँ सुरु हुने कुराअघि एउटा अपोस्ट्रफी राखिन्छ।
grids-export-quotes = हरेक प्रश्नका लागि थप एउटा स्तम्भ: जवाफले के उद्धृत गर्छ, र कहाँबाट
grids-export-csv = CSV मा राख्ने
grids-csv-quotes = { $question }: उद्धरण
grids-csv-address = ठेगाना
grids-csv-page = पृष्ठ { $page }
grids-csv-stale = { $answer } (पुरानो)
grids-cell-title = जवाफ
grids-cell-facts = { $age } जवाफ, संस्करण { $version }, { $model ->
        [extractive] उद्धरण मात्र, मोडेल छैन
       *[other] { $model } ले
    }
