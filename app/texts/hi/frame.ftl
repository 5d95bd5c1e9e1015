## जो सब दृश्यों में समान है

frame-machine-made = यह इंटरफ़ेस मशीन से अनूदित है; हिन्दी बोलने वाले किसी व्यक्ति ने इसे अभी तक नहीं जाँचा है।

frame-title = अपने दस्तावेज़ों से पूछिए
frame-views = दृश्य
frame-ask = पूछें
frame-search = खोजें
frame-collections = संग्रह
frame-document = दस्तावेज़
frame-watches = निगरानी में
frame-assistants = सहायक
frame-grids = तालिकाएँ
frame-quality = गुणवत्ता
frame-operate = संचालन
frame-admin = प्रशासन
frame-eyes = आप <b>{ $name }</b> की नज़र से देख रहे हैं। उस नाम से कुछ नहीं लिखा जाता।
frame-eyes-end = अपनी नज़र से देखें
frame-opening = कार्यक्षेत्र खुल रहा है …

frame-nothing-published = <h3>अभी कुछ प्रकाशित नहीं है</h3><a class="inner" href="collections" target="_self">संग्रह</a> में फ़ाइलें डालें या
    कोई स्रोत जोड़ें, और <b>अभी समन्वय करें</b> दबाएँ। पहला संस्करण चालू होते ही यह पृष्ठ उसे दिखाएगा।
frame-look-again = फिर देखें
frame-failed = <h3>यह नहीं हो सका</h3>{ $reason }
frame-try-again = फिर कोशिश करें
frame-unexpected = कुछ ऐसा हुआ जो नहीं होना चाहिए था। वह इस पृष्ठ को चलाने वाले के लॉग में है।
frame-may-not = <h3>यह { $role ->
        [admin] प्रशासकों
       *[editor] संपादकों
    } के लिए है</h3>आप { $name } हैं, और आप { $own ->
        [reader] खोज और पूछ सकते हैं
       *[editor] खोज और पूछ सकते हैं, और संग्रहों, स्रोतों व गुणवत्ता की देखरेख कर सकते हैं
    }। भूमिकाएँ इस पृष्ठ को चलाने वाला <code>rag.toml</code> के <code>[access]</code> में देता है।
frame-too-many = एक साथ बहुत अधिक { $kind ->
        [questions] प्रश्न
       *[searches] खोजें
    }। { $seconds ->
        [one] एक सेकंड
       *[other] { $seconds } सेकंड
    } बाद फिर कोशिश करें।

frame-version = संस्करण <code>{ $version }</code>{ $since } · { $documents ->
       *[other] { $documents } दस्तावेज़
    }
frame-since = { " · " }{ $age } प्रकाशित

## साइन इन

frame-welcome = <h1>पूछने के लिए साइन इन करें</h1><p>आपके दस्तावेज़ उन्हीं को दिखाए जाते हैं जो उन्हें पढ़ सकते हैं। साइन इन करें, ताकि यह पृष्ठ
    जान सके कि आप कौन हैं।</p>
frame-sign-in = साइन इन करें
frame-sign-out = साइन आउट करें
frame-leave = मेरे प्रश्न खोज को सुधारने में काम आ सकते हैं
frame-leave-help = तब उनमें से कुछ आपके नाम के बिना रखे जाते हैं, ताकि खोज के नए संस्करणों की तुलना हो सके। जो शब्द सार्वजनिक दस्तावेज़ों में नहीं हैं, जैसे अधिकतर नाम, पते और संख्याएँ, वे छोड़ दिए जाते हैं। इसे बंद करने पर रखा हुआ भी मिट जाता है।
frame-sign-in-again = फिर साइन इन करें
frame-other-account = दूसरा खाता चुनें
frame-expired = <h3>आप साइन आउट हो गए हैं</h3>{ $reason }। आपका लिखा हुआ खोया नहीं है।
frame-denied = <h3>यह पृष्ठ आपके लिए खुला नहीं है</h3>{ $reason }।
frame-you = { $id }<br>आप { $role }।
frame-role-reader = खोज और पूछ सकते हैं
frame-role-editor = खोज और पूछ सकते हैं, और संग्रहों, स्रोतों व गुणवत्ता की देखरेख कर सकते हैं
frame-role-admin = सब कुछ कर सकते हैं
frame-read-as = <br>आप { $groups } के रूप में भी पढ़ते हैं।

## पृष्ठ चलाने वाले का प्रवेश

frame-link-used = यह लिंक पहले ही इस्तेमाल हो चुका है, इसकी अवधि बीत गई है, या यह कभी था ही नहीं। `rag link` नया लिंक देता है।
frame-foreign-host = इस पृष्ठ को { $host } नाम से नहीं बुलाया जाता। यदि ऐसा होना है, तो rag.toml के [http] hosts में वह होस्ट लिखें।
frame-foreign-page = { $origin } के पृष्ठों के अनुरोध अस्वीकार किए जाते हैं।
frame-visiting = आप वही देख रहे हैं जो सार्वजनिक है। इस पृष्ठ को सँभालने के लिए <code>rag link</code> से मिला लिंक खोलें।

## कब, और दस्तावेज़ में कहाँ

frame-age-future = भविष्य में
frame-age-now = अभी-अभी
frame-age-year = { $count ->
       *[other] { $count } वर्ष पहले
    }
frame-age-month = { $count ->
        [one] 1 महीना पहले
       *[other] { $count } महीने पहले
    }
frame-age-day = { $count ->
       *[other] { $count } दिन पहले
    }
frame-age-hour = { $count ->
        [one] 1 घंटा पहले
       *[other] { $count } घंटे पहले
    }
frame-age-minute = { $count ->
       *[other] { $count } मिनट पहले
    }
