## बदलिँदा कसैले थाहा पाउन चाहेको

watches-title = निगरानीमा
watches-all = तपाईंले निगरानी गर्ने सबै
watches-none = <h3>केही पनि निगरानीमा छैन</h3>जवाफ वा खोजको तल <b>निगरानी</b> छान्नुहोस्: हरेक प्रकाशनमा फेरि सोधिन्छ, र के बदलियो
    यहाँ देखिन्छ।
watches-visitor = <h3>निगरानी गर्न साइन इन गर्नुहोस्</h3>हेर्न मात्र आएकालाई पछि भन्न सकिँदैन।
watches-gone = तपाईंको यस्तो निगरानी छैन। सकिएको हुन सक्छ।
watches-watch = निगरानी
watches-watch-help = हरेक प्रकाशनपछि फेरि सोध्ने, र जवाफ बदलिँदा मलाई भन्ने
watches-watch-search = यो खोजको निगरानी
watches-watch-search-help = हरेक प्रकाशनपछि फेरि खोज्ने, र अरू कागजात भेटिँदा मलाई भन्ने
watches-begun = यो बदलिँदा “निगरानीमा” मा भनिनेछ।
watches-too-many = सकिने जति निगरानी तपाईंसँग छ। नचाहिने एउटा अन्त्य गर्नुहोस्।
watches-link = निगरानीमा
watches-link-new = निगरानीमा · { $count } नयाँ
watches-new = { $count } नयाँ
watches-is-new = नयाँ
watches-problem = हेरिएको छैन
watches-failed = पछिल्लो प्रकाशनदेखि यो हेर्न सकिएन: { $why }। फेरि प्रयास हुन्छ।
watches-is-question = एउटा प्रश्न, { $age } देखि निगरानीमा
watches-is-search = एउटा खोज, { $age } देखि निगरानीमा
watches-when = { $age }, संस्करण { $version } सँग
watches-changed = जवाफ बदलियो
watches-lost = अब जवाफ छैन
watches-found = अब जवाफ छ
watches-other-documents = { $count ->
        [0] अरू कागजात भेटिन्छन्
       *[other] { $count } कागजात अर्कै छन्
    }
watches-document-came = नयाँ
watches-document-changed = बदलिएको
watches-document-went = अब भेटिँदैन
watches-forgotten = यो जवाफ बिर्सिइयो।
watches-unchanged = तपाईंले निगरानी गरेदेखि केही बदलिएको छैन।
watches-mail = { $address } लाई भन्ने
watches-mail-failed = इमेल पठाइएन: { $why }।
watches-feed = फिड
watches-feed-title = यो निगरानीको फिड
watches-feed-note = फिडको ठेगाना हुनेले यी परिवर्तनमा तपाईंले पढ्न पाउने कुरा पढ्छ। ठेगाना एक पटक देखाइन्छ; नयाँ ठेगानाले अघिल्लोलाई सक्छ।
watches-feed-make = ठेगाना बनाउने
watches-feed-end = फिड अन्त्य गर्ने
watches-end = निगरानी नगर्ने

## त्यसपछि के बदलियो

watches-since = अझै सही?
watches-since-help = कागजातले अझै यही भन्छन् कि हेर्ने
watches-since-title = यो जवाफ अझै सही छ?
watches-still-right = छ: यसले उद्धृत गरेको सबै अझै छ।
watches-right-until = { $date } सम्म सही
watches-right-again = त्यसपछि यसले उद्धृत गरेको फेरि त्यहाँ छ।
watches-quote-stands = अझै छ
watches-quote-gone = अब छैन
watches-collection-since = के बदलियो, यस दिनदेखि …
watches-since-day = यो दिनको अन्त्यदेखि
watches-since-nothing = त्यो दिनको कुनै संस्करण राखिएको छैन। पछिको दिन छान्नुहोस्।
watches-since-same = तपाईंले पढ्न पाउने कुरामा केही बदलिएको छैन।
