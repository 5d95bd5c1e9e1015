## सहायक: कसैले कसरी जवाफ चाहन्छ, एउटा नाममा

assistants-title = सहायक
assistants-about = सहायकले भनिएअनुसार, दिइएका सङ्ग्रहबाट जवाफ दिन्छ। सोध्नेले आफूले पढ्न पाउने कुरा मात्र भेट्छ, र हरेक वाक्य
    सधैँझैँ जाँचिन्छ।
assistants-none = <h3>अहिलेसम्म कुनै सहायक छैन</h3>बारम्बार सोध्ने कुराका लागि एउटा बनाउनुहोस्, र आफ्नो समूहसँग साझा गर्नुहोस्।
assistants-visitor = <h3>सहायक बनाउन साइन इन गर्नुहोस्</h3>यो नाम भएकाका लागि मात्र राखिन्छ।
assistants-gone = यो तपाईंकोमा छैन। हटाइएको हुन सक्छ।
assistants-not-here = यो सहायक यहाँ छैन। हटाइएको हुन सक्छ, वा अब तपाईंसँग साझा छैन; जवाफ यसविना आउँछन्।
assistants-new = नयाँ सहायक
assistants-change = सहायक फेर्ने
assistants-all = सहायक र ढाँचा
assistants-edit = फेर्ने
assistants-edit-named = { $name } फेर्ने
assistants-name = नाम
assistants-for = केका लागि
assistants-instructions = कसरी जवाफ दिने
assistants-instructions-help = यो भाषा मोडेललाई भनिन्छ, स्रोतका नियमपछि। उद्धरण मात्रका जवाफ उस्तै रहन्छन्।
assistants-collections = केबाट जवाफ दिने
assistants-all-of-them = सोध्नेले पढ्न पाउने सबै
assistants-writer = लेखक
assistants-any-writer = सोध्नेले छानेको
assistants-starters = सुरु गर्ने प्रश्न, हरेक लाइनमा एउटा, बढीमा { $most }
assistants-readers = कोसँग साझा
assistants-readers-none = कसैसँग होइन
assistants-everybody = सबैसँग
assistants-save = राख्ने
assistants-remove = हटाउने
assistants-model = अरू प्रोग्रामका लागि यो मोडेल <code>{ $model }</code> हो।
assistants-own = तपाईंको मात्र
assistants-shared = तपाईंको, { $readers } सँग साझा
assistants-of-others = { $owner } को
assistants-with = <b>{ $name }</b> सँग
assistants-templates = प्रश्नका ढाँचा
assistants-templates-about = बारम्बार सोधिने प्रश्न, खाली ठाउँसहित: बाकसमा उद्गार चिह्नपछि यसको नाम लेख्नुहोस्, जस्तै <b>!changes</b>,
    अनि भर्नुहोस्।
assistants-template = ढाँचा
assistants-template-new = नयाँ ढाँचा
assistants-template-change = ढाँचा फेर्ने
assistants-template-text = प्रश्न
assistants-template-help = दोहोरो कोष्ठकका नाम खाली ठाउँ हुन्, जस्तै: {"{{"}year{"}}"} देखि {"{{"}product{"}}"} मा के बदलियो?
assistants-ask = सोध्ने
