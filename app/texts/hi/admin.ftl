## प्रशासन

admin-title = प्रशासन
admin-part = इस दृश्य का भाग
admin-people = लोग
admin-reading = कौन क्या पढ़ता है
admin-tokens = टोकन
admin-limits = सीमाएँ
admin-servers = मॉडल
admin-backups = बैकअप
admin-who = कौन
admin-why = क्यों
admin-name = नाम
admin-name-hint = user:ilse@example.org या group:data

## लोग

admin-people-about = वे सब जिन्हें सेटिंग, समूह, नियम, स्रोत या टोकन नाम देते हैं, या जो हाल में आए। किसे क्या दिखाया गया, और पढ़ने के
    अधिकार किसने बदले, यह <a href="operate?part=audit" target="_self">संचालन</a> में है।
admin-find = नाम खोजें
admin-nobody = अभी किसी का नाम नहीं है। जिन स्रोतों में <code>principals</code> नहीं हैं, वे सार्वजनिक हैं।
admin-role = भूमिका
admin-groups = इन समूहों में
admin-known-by = कैसे ज्ञात
admin-by-settings = एक भूमिका से
admin-by-group = एक समूह से
admin-by-rule = एक नियम से
admin-by-source = एक स्रोत से
admin-by-token = एक टोकन से
admin-by-seen = आने से
admin-seen = { $age } आए
admin-members = इसमें { $names } हैं
admin-role-admin = प्रशासक
admin-role-editor = संपादक
admin-role-reader = पाठक
admin-role-none = कोई नहीं
admin-give-role = भूमिका दें
admin-role-about = <code>rag.toml</code> के <code>[access]</code> में लिखी जाती है। समूह वैसे गिने जाते हैं जैसे पहचान-प्रदाता साइन इन के समय
    उन्हें बताता है।
admin-give = दें
admin-role-given = { $name } की भूमिका बदल दी गई।
admin-group-change = समूह बदलें
admin-group-about = साइन इन से मिले समूहों के अतिरिक्त। अगले प्रश्न से लागू।
admin-group = समूह
admin-member = इसमें कौन है
admin-join = जोड़ें
admin-leave = निकालें
admin-joined = { $member } अब { $group } में हैं।
admin-left = { $member } अब { $group } में नहीं हैं।

## कौन क्या पढ़ता है

admin-reading-about = कोई अभी क्या पढ़ सकता है, और अपने किस नाम से। नाम के बिना: जो सार्वजनिक है।
admin-also-in = इन समूहों में भी
admin-also-in-help = पहचान-प्रदाता के वे समूह जिनके साथ वे अभी तक नहीं आए।
admin-see-as = { $name } की तरह देखें
admin-reads-as = { $names } के रूप में पढ़ते हैं।
admin-source = स्रोत
admin-may-read = पढ़ सकते हैं
admin-of = { $of } में से { $documents }
admin-because = क्योंकि स्रोत इन्हें आने देता है
admin-because-own = दस्तावेज़ या नियम स्वयं कहते हैं
admin-because-no = इनमें से कोई नाम नहीं
admin-rules = जिन नियमों में उनका नाम है
admin-rule = नियम
admin-rule-about = किसके बारे में
admin-document = एक दस्तावेज़
admin-document-address = इसका पता, पते का अंत, या इसकी id
admin-document-none = ऐसा कोई दस्तावेज़ नहीं है। { $reason }
admin-document-yes = वे इसे पढ़ सकते हैं।
admin-document-no = वे इसे नहीं पढ़ सकते।

## टोकन

admin-tokens-about = टोकन से कोई प्रोग्राम HTTP पर पूछता है, उसी के नाम से जिसके लिए वह बना, किसी और के नहीं।
admin-no-tokens = अभी कोई टोकन नहीं है।
admin-token = टोकन
admin-token-new = टोकन बनाएँ
admin-token-make = बनाएँ
admin-token-once = यह टोकन <b>{ $name }</b> है। यह केवल एक बार दिखाया जाता है: अभी कॉपी करें।
admin-token-noted = मैंने कॉपी कर लिया
admin-token-which = कौन-सा
admin-scopes = कर सकता है
admin-scope-read = खोजना और पढ़ना
admin-scope-ask = उत्तर लिखवाना
admin-scope-edit = संग्रह बदलना और समन्वय शुरू करना
admin-scope-widget = केवल विजेट से पूछना
admin-scope-metrics = केवल मापन देखना
admin-scope-admin = सब कुछ
admin-reads = किस रूप में पढ़ता है
admin-reads-help = लोग और समूह। कोई नहीं: वह सार्वजनिक पढ़ता है।
admin-public = जो सार्वजनिक है
admin-limited = केवल ये संग्रह
admin-unlimited = सभी संग्रह
admin-made = बनाया गया
admin-made-by = { $age }, { $who } ने
admin-revoke = रद्द करें
admin-revoke-means = जिसके पास यह है उसे तुरंत मना कर दिया जाता है। दस सेकंड तक इसे पूर्ववत कर सकते हैं।

## सीमाएँ

admin-limits-about = <code>rag.toml</code> में लिखी जाती हैं। यह पृष्ठ तुरंत मानता है; चल रहा सर्वर फिर से चालू होने पर मानता है।
admin-limits-access = एक व्यक्ति कितना कर सकता है
admin-limits-answer = एक उत्तर में कितना लग सकता है
admin-limits-generator = भाषा मॉडल कितना लिख सकता है

## मॉडल और सर्वर

admin-servers-about = हर एक को एक सच्चा, छोटा अनुरोध भेजा जाता है; जो लौटता है वह दिखाया जाता है, या त्रुटि।
admin-try = जाँचें
admin-trying = उत्तर की प्रतीक्षा …
admin-answers = उत्तर देता है
admin-fails = विफल
admin-here = इसी प्रक्रिया में
admin-first-model = सर्वर का पहला मॉडल
admin-sort-language = भाषा मॉडल
admin-sort-embedding = एम्बेडिंग मॉडल
admin-sort-reranking = पुनर्क्रमक
admin-sort-transcription = लिप्यंकन
admin-key-set = कुंजी { $name } में
admin-key-missing = { $name } में कुंजी नहीं
admin-no-server = कोई भाषा मॉडल नहीं लगाया गया है: उत्तर उद्धरण हैं। <code>rag.toml</code> के <code>[generator]</code> में एक बताएँ।

## बैकअप

admin-backups-about = पूरे कार्यक्षेत्र की प्रति, जैसा वह है, इस्तेमाल होते हुए। जो वहाँ पहले से है, फिर कॉपी नहीं होता।
    पासवर्ड और कुंजियाँ इसमें नहीं हैं।
admin-backup-target = कहाँ: एक फ़ोल्डर, या s3://bucket/folder जैसा पता
admin-backup-keep = कितने रहें
admin-backup-make = बैकअप बनाएँ
admin-backup-begun = बैकअप शुरू हुआ।
admin-backup-running = यह चल रहा है …
admin-backup-never = यहाँ से अभी कोई बैकअप नहीं बना।
admin-backup-well = पिछला बैकअप { $when } पूरा हुआ: { $target } में { $size }।
admin-backup-failed = पिछला बैकअप { $when } विफल हुआ: { $reason }
admin-backup-verify = सभी प्रतियाँ वापस पढ़ें
admin-verify-begun = जाँच शुरू हुई।
admin-verify-never = यहाँ से अभी कोई प्रति वापस नहीं पढ़ी गई।
admin-verify-well = { $count ->
        [one] प्रति { $when } वापस पढ़ी गई और पूरी है।
       *[other] सभी { $count } प्रतियाँ { $when } वापस पढ़ी गईं और पूरी हैं।
    }
admin-verify-failed = प्रतियाँ क्षतिग्रस्त हैं, जैसा { $when } पता चला: { $reason } जो नहीं है वह अगला बैकअप फिर कॉपी करेगा।
admin-backup-unreadable = जो वहाँ है, पढ़ा नहीं जा सकता। { $reason }
admin-backup-empty = वहाँ अभी कुछ कॉपी नहीं हुआ।
admin-backup-copies = { $count ->
        [one] वहाँ एक प्रति है
       *[other] वहाँ { $count } प्रतियाँ हैं
    }
admin-backup-live = चालू संस्करण
admin-backup-size = आकार
admin-files = फ़ाइलें
