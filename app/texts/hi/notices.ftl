## क्या चालू नहीं है और क्यों

notice-refused = अस्वीकृत
notice-held = रोका गया
notice-rollback = प्रकाशन बंद है
notice-overridden = फिर भी प्रकाशित
notice-late = देर से
notice-waiting = चालू नहीं
notice-more = { $count ->
        [one] 1 और कारण
       *[other] { $count } और कारण
    }
notice-examples = दस्तावेज़ साथ-साथ
notice-before = जैसा चालू है
notice-after = जैसा पिछली बार पढ़ा गया
notice-not-there = (कुछ नहीं)
notice-reason = कारण
notice-reason-missing = बताएँ क्यों; यह लॉग में रहता है।
notice-hold-title = { $source } रोकें?
notice-hold-means = <code>{ $source }</code> वैसा ही रहेगा जैसा चालू है, जब तक कोई उसे न छोड़े, बीच में चाहे जो पढ़ा जाए। बाकी स्रोत चलते रहेंगे।
notice-hold-now = रोकें
notice-publish-title = फिर भी { $source } प्रकाशित करें?
notice-publish-means = तब लोगों को <code>{ $source }</code> वैसा मिलेगा जैसा पिछली बार पढ़ा गया, जाँचें चाहे जो कहें। केवल यही स्थिति
    जाती है: बाद वाली फिर परखी जाएगी।
notice-publish-now = प्रकाशित करें
notice-done = { $source }: एक संस्करण बनाया जा रहा है।
