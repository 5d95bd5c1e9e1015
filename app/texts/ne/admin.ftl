## प्रशासन

admin-title = प्रशासन
admin-part = यो दृश्यको भाग
admin-people = मानिस
admin-reading = कसले के पढ्छ
admin-tokens = टोकन
admin-limits = सीमा
admin-servers = मोडेल
admin-backups = ब्याकअप
admin-who = को
admin-why = किन
admin-name = नाम
admin-name-hint = user:ilse@example.org वा group:data

## मानिस

admin-people-about = सेटिङ, समूह, नियम, स्रोत वा टोकनले नाम लिएका, वा हालै आएका सबै। कसलाई के देखाइयो, र पढ्ने अधिकार कसले बदल्यो,
    <a href="operate?part=audit" target="_self">सञ्चालन</a> मा छ।
admin-find = नाम खोज्ने
admin-nobody = अहिलेसम्म कसैको नाम छैन। <code>principals</code> नभएका स्रोत सार्वजनिक हुन्।
admin-role = भूमिका
admin-groups = यी समूहमा
admin-known-by = केले थाहा भएको
admin-by-settings = भूमिका
admin-by-group = समूह
admin-by-rule = नियम
admin-by-source = स्रोत
admin-by-token = टोकन
admin-by-seen = भेट
admin-seen = { $age } देखिएको
admin-members = यसमा { $names } छन्
admin-role-admin = प्रशासक
admin-role-editor = सम्पादक
admin-role-reader = पाठक
admin-role-none = कुनै होइन
admin-give-role = भूमिका दिने
admin-role-about = <code>rag.toml</code> को <code>[access]</code> मा लेखिन्छ। साइन इन गर्दा परिचय दिनेले जसरी नाम लिन्छ, समूह
    त्यसरी नै गनिन्छ।
admin-give = दिने
admin-role-given = { $name } को भूमिका बदलियो।
admin-group-change = समूह फेर्ने
admin-group-about = साइन इनले ल्याउने समूहबाहेक। अर्को प्रश्नदेखि लागू।
admin-group = समूह
admin-member = यसमा को छ
admin-join = राख्ने
admin-leave = निकाल्ने
admin-joined = { $member } अब { $group } मा छ।
admin-left = { $member } अब { $group } मा छैन।

## कसले के पढ्छ

admin-reading-about = कसैले अहिले के पढ्न पाउँछ, र आफ्नो कुन नामले। नाम नभए: सार्वजनिक कुरा।
admin-also-in = यी समूहमा पनि
admin-also-in-help = परिचय दिनेका समूह, जससँग उनी अहिलेसम्म आएका छैनन्।
admin-see-as = { $name } का रूपमा हेर्ने
admin-reads-as = { $names } का रूपमा पढ्छ।
admin-source = स्रोत
admin-may-read = पढ्न पाउँछ
admin-of = { $of } मध्ये { $documents }
admin-because = किनकि स्रोतले यसलाई आउन दिन्छ
admin-because-own = कागजात वा नियमले आफैँ भन्छन्
admin-because-no = यीमध्ये कुनै नाम होइन
admin-rules = नाम लिने नियम
admin-rule = नियम
admin-rule-about = केबारे
admin-document = एउटा कागजात
admin-document-address = यसको ठेगाना, ठेगानाको अन्त्य, वा यसको id
admin-document-none = यस्तो नामको कागजात छैन। { $reason }
admin-document-yes = पढ्न पाउँछ।
admin-document-no = पढ्न पाउँदैन।

## टोकन

admin-tokens-about = टोकनले प्रोग्रामले HTTP मा सोध्छ, जसका लागि बनेको हो उसैका नाममा, अरू कसैको होइन।
admin-no-tokens = अहिलेसम्म टोकन छैन।
admin-token = टोकन
admin-token-new = टोकन बनाउने
admin-token-make = बनाउने
admin-token-once = यो टोकन <b>{ $name }</b> हो। यो एक पटक मात्र देखाइन्छ: अहिले नै प्रतिलिपि गर्नुहोस्।
admin-token-noted = मैले प्रतिलिपि गरेँ
admin-token-which = कुन
admin-scopes = गर्न पाउँछ
admin-scope-read = खोज्न र पढ्न
admin-scope-ask = जवाफ लेखाउन
admin-scope-edit = सङ्ग्रह फेर्न र मिलान सुरु गर्न
admin-scope-widget = विजेटबाट सोध्न मात्र
admin-scope-metrics = मापन हेर्न मात्र
admin-scope-admin = सबै
admin-reads = कुन रूपमा पढ्छ
admin-reads-help = मानिस र समूह। कुनै नभए: सार्वजनिक कुरा पढ्छ।
admin-public = सार्वजनिक कुरा
admin-limited = यी सङ्ग्रह मात्र
admin-unlimited = सबै सङ्ग्रह
admin-made = बनेको
admin-made-by = { $age }, { $who } ले
admin-revoke = रद्द गर्ने
admin-revoke-means = यो हुनेलाई तुरुन्तै अस्वीकार गरिन्छ। दस सेकेन्डसम्म फर्काउन सकिन्छ।

## सीमा

admin-limits-about = <code>rag.toml</code> मा लेखिन्छ। यो पृष्ठले तुरुन्तै मान्छ; चलिरहेको सर्भरले फेरि सुरु भएपछि मान्छ।
admin-limits-access = एक जनाले कति गर्न पाउँछ
admin-limits-answer = एउटा जवाफले कति लिन पाउँछ
admin-limits-generator = भाषा मोडेलले कति लेख्न पाउँछ

## मोडेल र सर्भर

admin-servers-about = हरेकलाई साँचो, सानो अनुरोध पठाइन्छ; फर्केको कुरा वा त्रुटि देखाइन्छ।
admin-try = जाँच्ने
admin-trying = जवाफ पर्खिँदै …
admin-answers = जवाफ दिन्छ
admin-fails = असफल
admin-here = यही प्रक्रियामा
admin-first-model = सर्भरको पहिलो मोडेल
admin-sort-language = भाषा मोडेल
admin-sort-embedding = इम्बेडिङ मोडेल
admin-sort-reranking = क्रम मिलाउने मोडेल
admin-sort-transcription = लिप्यङ्कन
admin-key-set = साँचो { $name } मा
admin-key-missing = { $name } मा साँचो छैन
admin-no-server = कुनै भाषा मोडेल राखिएको छैन: जवाफ उद्धरण हुन्। <code>rag.toml</code> को <code>[generator]</code> मा एउटा लेख्नुहोस्।

## ब्याकअप

admin-backups-about = प्रयोग हुँदाहुँदै पूरै कार्यक्षेत्रको प्रतिलिपि। त्यहाँ भइसकेको फेरि प्रतिलिपि हुँदैन। पासवर्ड र साँचो यसमा
    हुँदैनन्।
admin-backup-target = कहाँ: फोल्डर, वा s3://bucket/folder जस्तो ठेगाना
admin-backup-keep = कति राख्ने
admin-backup-make = ब्याकअप बनाउने
admin-backup-begun = ब्याकअप सुरु भयो।
admin-backup-running = चल्दै छ …
admin-backup-never = यहाँबाट अहिलेसम्म ब्याकअप बनेको छैन।
admin-backup-well = पछिल्लो ब्याकअप { $when } सकियो: { $target } मा { $size }।
admin-backup-failed = पछिल्लो ब्याकअप { $when } असफल भयो: { $reason }
admin-backup-verify = सबै प्रतिलिपि फेरि पढ्ने
admin-verify-begun = जाँच सुरु भयो।
admin-verify-never = यहाँबाट अहिलेसम्म कुनै प्रतिलिपि फेरि पढिएको छैन।
admin-verify-well = { $count ->
        [one] प्रतिलिपि { $when } फेरि पढियो, र सद्दे छ।
       *[other] सबै { $count } प्रतिलिपि { $when } फेरि पढिए, र सद्दे छन्।
    }
admin-verify-failed = प्रतिलिपि बिग्रिएका छन्, { $when } थाहा भएअनुसार: { $reason } नभएको कुरा अर्को ब्याकअपले फेरि प्रतिलिपि गर्छ।
admin-backup-unreadable = त्यहाँ भएको पढ्न सकिँदैन। { $reason }
admin-backup-empty = त्यहाँ अहिलेसम्म केही प्रतिलिपि गरिएको छैन।
admin-backup-copies = { $count ->
        [one] त्यहाँ एउटा प्रतिलिपि छ
       *[other] त्यहाँ { $count } प्रतिलिपि छन्
    }
admin-backup-live = चालु संस्करण
admin-backup-size = आकार
admin-files = फाइल
