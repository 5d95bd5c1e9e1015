## के चालु छैन र किन

notice-refused = अस्वीकृत
notice-held = रोकिएको
notice-rollback = प्रकाशन बन्द छ
notice-overridden = तैपनि प्रकाशित
notice-late = ढिलो
notice-waiting = चालु छैन
notice-more = { $count ->
        [one] थप 1 कारण
       *[other] थप { $count } कारण
    }
notice-examples = कागजात सँगसँगै
notice-before = चालु जस्तो छ
notice-after = पछिल्लो पटक पढिएको
notice-not-there = (केही छैन)
notice-reason = कारण
notice-reason-missing = किन भन्नुहोस्; यो लगमा रहन्छ।
notice-hold-title = { $source } रोक्ने?
notice-hold-means = कसैले नछोडेसम्म <code>{ $source }</code> चालु जस्तो छ त्यस्तै रहन्छ, बीचमा जे पढिए पनि। अरू स्रोत चलिरहन्छन्।
notice-hold-now = रोक्ने
notice-publish-title = तैपनि { $source } प्रकाशित गर्ने?
notice-publish-means = अनि मानिसले <code>{ $source }</code> पछिल्लो पटक पढिएको पाउँछन्, जाँचले जे भने पनि। यो अवस्था मात्र जान्छ:
    पछिको फेरि जाँचिन्छ।
notice-publish-now = प्रकाशित गर्ने
notice-done = { $source }: एउटा संस्करण बन्दै छ।
