## पूछें: चैटों का दृश्य

ask-hero = <h1>अपने दस्तावेज़ों से पूछिए</h1><p>उत्तर उसी से लिखे जाते हैं जो प्रकाशित है, और हर वाक्य उस अंश तक ले जाता है जिस पर वह टिका है।
    जब दस्तावेज़ नहीं बताते, तो उत्तर यही कहता है।</p>
ask-examples = आप पूछ सकते हैं
ask-placeholder = अपने दस्तावेज़ों के बारे में पूछें
ask-written-by = लेखक
ask-quotes-alone = केवल उद्धरण, कोई मॉडल नहीं
ask-own-model = भाषा मॉडल
ask-prompt = सहेजा गया निर्देश
ask-no-prompt = कोई नहीं
ask-archived = संग्रहित पुराने दस्तावेज़
ask-archived-help = उत्तर उन दस्तावेज़ों से आते हैं जो पुराने होने के कारण अलग रखे गए हैं, बाकी से नहीं।
ask-you-asked = आपने पूछा
ask-unpublished = <h1>अभी पूछने को कुछ नहीं है</h1><p>यह पृष्ठ दस्तावेज़ों से उत्तर देता है, और अभी कोई प्रकाशित नहीं है। तीन कदम
    वहाँ ले जाते हैं:</p>
ask-unpublished-steps = <ol><li><b>बताइए क्या पढ़ना है।</b> { $may ->
        [editor] <a class="inner" href="collections" target="_self">फ़ाइलें डालें</a>, या
            <a class="inner" href="collections?show=sources&add=folder" target="_self">कोई फ़ोल्डर</a>,
            <a class="inner" href="collections?show=sources&add=web" target="_self">साइट</a> या
            <a class="inner" href="collections?show=sources&add=feed" target="_self">फ़ीड</a> जोड़ें
       *[reader] संपादक फ़ाइलें डालते हैं, या कोई फ़ोल्डर, साइट या फ़ीड जोड़ते हैं
    }।</li>
    <li><b>पढ़े जाते देखें।</b> <b>अभी समन्वय करें</b> सब कुछ एक बार पढ़ता है और दिखाता है कि कितना हुआ; बाद में केवल वही पढ़ा जाता है जो बदला है।</li>
    <li><b>पूछें।</b> पहला संस्करण अपने आप चालू होता है, और यह पृष्ठ उसे पहचान लेता है।</li></ol>
ask-look-again = फिर देखें

## जब उत्तर लिखा जा रहा हो

ask-understanding = प्रश्न समझा जा रहा है …
ask-searching = खोज हो रही है …
ask-reading = { $passages ->
        [one] एक अंश पढ़ा जा रहा है
       *[other] { $passages } अंश पढ़े जा रहे हैं
    } …
ask-thinking = सोचा जा रहा है …
ask-writing = लिखा जा रहा है …
ask-nothing-found = कुछ नहीं मिला
ask-trace = { $searches ->
        [one] एक बार खोजा
       *[other] { $searches } बार खोजा
    } · { $passages ->
        [0] कोई अंश नहीं
       *[other] { $passages } अंश
    } · { $seconds } से.
ask-trace-stopped = रोका गया · { $passages ->
        [0] कोई अंश नहीं
       *[other] { $passages } अंश
    }
ask-step-understood = समझा गया: <q>{ $question }</q>
ask-step-searched = खोजा गया: <q>{ $question }</q>
ask-step-found = { $passages ->
        [0] कोई अंश नहीं मिला
        [one] 1 अंश मिला
       *[other] { $passages } अंश मिले
    }
ask-step-wrote = { $model ->
        [extractive] उद्धृत, बिना मॉडल
       *[other] { $model } ने लिखा
    }
ask-step-checked = { $claims ->
        [0] जाँचने को कुछ नहीं
        [one] एक वाक्य उसके स्रोत से जाँचा गया
       *[other] { $claims } वाक्य उनके स्रोतों से जाँचे गए
    }
ask-step-total = कुल
ask-thought = मॉडल ने क्या सोचा

## एक उत्तर

ask-sources = स्रोत
ask-more-passages = { $count ->
        [one] इसका एक और अंश
       *[other] इसके { $count } और अंश
    }
ask-beside = स्रोत
ask-beside-close = बंद करें
ask-beside-open = पूरा खोलें
ask-origins = { $count } स्वतंत्र स्रोतों ने कहा
ask-source-open = { $n }: { $title }। दस्तावेज़ में यह अंश खोलता है।
ask-closest = सबसे निकट के अंश
ask-stopped-sources = जिन स्रोतों से यह लिखा जा रहा था
ask-told = { $when } · { $version } · { $model ->
        [extractive] केवल उद्धरण, कोई मॉडल नहीं
       *[other] { $model }
    }
ask-ids = रसीद
ask-older = <code>{ $version }</code> से उत्तर दिया गया। तब से { $live } चालू हुआ है, इसलिए दस्तावेज़ कुछ और कह सकते हैं।
ask-again = फिर पूछें
ask-withheld = यह उत्तर ऐसे दस्तावेज़ों पर टिका है जिन्हें आप नहीं पढ़ सकते, इसलिए दिखाया नहीं जाता।
ask-withheld-now = यह उत्तर ऐसे दस्तावेज़ों पर टिका है जिन्हें आप अब नहीं पढ़ सकते, इसलिए अब दिखाया नहीं जाता।
ask-unanswered = इस प्रश्न का उत्तर नहीं है: कुछ लिखे जाने से पहले ही इसे रोक दिया गया।
ask-stopped = रोका गया। यह पाठ अपने स्रोतों से जाँचा नहीं गया।
ask-stop = रोकें
ask-waits = इसके बाद आपके प्रश्न का उत्तर दिया जाएगा।
ask-model-failed = <b>{ $model } उत्तर नहीं दे सका।</b> आप स्रोतों के ही वाक्य देख रहे हैं।
ask-failed = <b>यह नहीं हो सका।</b> { $reason } आपका प्रश्न रखा हुआ है।
ask-too-many = एक साथ बहुत अधिक प्रश्न। { $seconds ->
        [one] एक सेकंड
       *[other] { $seconds } सेकंड
    } बाद फिर पूछें; आपका प्रश्न नीचे है।
ask-try-again = फिर कोशिश करें
ask-try-with = { $name } से उत्तर लें
ask-next = आगे पूछें
ask-copy = कॉपी करें
ask-copy-code = यह कोड कॉपी करें
ask-speak = पढ़कर सुनाएँ
ask-speak-stop = सुनाना बंद करें
ask-listen = बोलकर पूछें
ask-listen-failed = कुछ सुनाई नहीं दिया
ask-copied = कॉपी हो गया
ask-late = <b>{ $sources }</b> { $count ->
        [one] में देर हो चुकी है: { $age } पढ़े जाने के बाद इसका समय दो बार बीत चुका है।
       *[other] में देर हो चुकी है: { $age } पढ़े जाने के बाद इनका समय दो बार बीत चुका है।
    } उत्तरों में नया छूट सकता है।
ask-earlier = पहले के प्रश्न दिखाएँ ({ $count })

ask-verdict = { $verdict ->
        [yes] हाँ, जैसा यह कहता है:
       *[no] नहीं, जैसा यह कहता है:
    }
ask-also-in = { $language } में भी:

ask-disagree = <b>स्रोत एकमत नहीं हैं।</b>
ask-side = { $count ->
        [one] { $of } में से एक स्रोत कहता है
       *[other] { $of } में से { $count } स्रोत कहते हैं
    }
ask-side-newest = { $count ->
        [one] { $of } में से एक स्रोत, { $of ->
            [2] जो अधिक नया है
           *[other] जो सबसे नया है
        } ({ $date }), कहता है
       *[other] { $of } में से { $count } स्रोत, जिनमें सबसे नया ({ $date }) भी है, कहते हैं
    }

## इसके वाक्यों का क्या हुआ

ask-state = { $state ->
        [quoted] उद्धृत
        [supported] समर्थित
        [contradicted] खंडित
       *[unverified] सत्यापित नहीं
    }
ask-word-for-word = स्रोत में शब्दशः
ask-probable = समर्थित होने की संभावना { $percent } %
ask-checked-by = { $check } ने जाँचा
ask-taken-away = <b>हटाया गया</b>, क्योंकि एक स्रोत कुछ और कहता है: <del>{ $sentence }</del>
ask-denies = कुछ और कहता है

## जो दस्तावेज़ नहीं बताते

ask-searched-in = { $documents ->
        [-1] यह खोजा गया:
        [0] आप कोई भी दस्तावेज़ नहीं पढ़ सकते। यह खोजा गया:
        [one] आप जो एक दस्तावेज़ पढ़ सकते हैं, उसमें यह खोजा गया:
       *[other] आप जो { $documents } दस्तावेज़ पढ़ सकते हैं, उन सबमें यह खोजा गया:
    }
ask-missing-add = जो दस्तावेज़ नहीं है उसे जोड़ें
ask-missing-tell = संपादकों को बताएँ कि यह नहीं है
ask-missing-others = और किसका उत्तर नहीं मिला

## राय

ask-judge = क्या यह अच्छा उत्तर था?
ask-bad-title = इसमें क्या ग़लत था?
ask-bad-abstained-title = क्या इसका उत्तर मिलना चाहिए था?
ask-reason = कारण
ask-reason-wrong = यह ग़लत है
ask-reason-incomplete = कुछ छूट गया है
ask-reason-outdated = यह पुराना है
ask-reason-source = यह ग़लत स्रोत बताता है
ask-reason-unanswered = दस्तावेज़ों में इसका उत्तर है
ask-reason-other = कुछ और
ask-comment = सही क्या होता? (वैकल्पिक)
ask-judge-note = प्रश्न, उसका उत्तर और आप जो यहाँ लिखते हैं, वह संपादकों को ऐसे प्रश्न के रूप में सुझाया जाता है जिससे हर नया संस्करण
    परखा जाता है।
ask-send = भेजें
ask-thanks = धन्यवाद। संपादक इसे देखेंगे।

## चैट

ask-new = नई चैट
ask-chats = चैट
ask-find = अपनी चैटों में खोजें
ask-no-chats = आपकी चैट यहाँ दिखेंगी। उन्हें कोई और नहीं देखता।
ask-none-found = किसी चैट में ये शब्द नहीं हैं।
ask-more-chats = और दिखाएँ
ask-today = आज
ask-yesterday = कल
ask-week = पिछले सात दिन
ask-before = उससे पहले
ask-pinned = पिन की गई
ask-pin = पिन करें
ask-unpin = पिन हटाएँ
ask-folder = फ़ोल्डर
ask-no-folder = कोई फ़ोल्डर नहीं
ask-folder-help = एक चुनें, या नया नाम लिखें।
ask-share = साझा करें
ask-export = निर्यात
ask-export-word = Word, पाद-टिप्पणियों के साथ
ask-export-print = प्रिंट करें, या PDF के रूप में सहेजें
ask-more = और
ask-rename = नाम बदलें
ask-rename-title = इस चैट का नाम बदलें
ask-title = शीर्षक
ask-save = सहेजें
ask-delete = मिटाएँ
ask-gone = यह चैट यहाँ नहीं है। शायद इसे मिटा दिया गया, या यह किसी और की है।

## साझा करना

ask-share-title = यह चैट साझा करें
ask-share-note = जिसके पास लिंक है वह अब तक की बातें पढ़ सकता है, हर उत्तर तभी जब वह उन सभी दस्तावेज़ों को पढ़ सकता हो जिनसे वह लिखा गया। आप
    बाद में जो पूछेंगे, वह इसमें नहीं है।
ask-share-readers = केवल इनके लिए
ask-share-everybody = जो कोई यहाँ पूछ सकता है
ask-share-readers-help = लोग और समूह, जैसे group:support। औरों को लिंक पर कुछ नहीं मिलता।
ask-share-make = लिंक बनाएँ
ask-share-renew = जैसी अब है वैसी साझा करें
ask-share-end = साझा करना बंद करें
ask-shared = <b>{ $title }</b> आपके साथ साझा की गई है। आप इसे पढ़ सकते हैं, बदल नहीं सकते।
ask-shared-gone = <h3>यह लिंक कहीं नहीं ले जाता</h3>चैट मिटा दी गई, या उसके मालिक ने साझा करना बंद कर दिया।
ask-shared-own = अपना प्रश्न पूछें

## निर्यात की गई फ़ाइल

ask-export-asked = { $date } को पूछा गया, संस्करण { $version } से { $model ->
        [extractive] केवल उद्धरणों ने, बिना मॉडल
       *[other] { $model } ने
    } उत्तर दिया; रसीद { $receipt }।
ask-export-sources = स्रोत
ask-export-checked = जाँचा गया
ask-export-page = पृष्ठ { $page }
ask-export-at = { $date } को निर्यात किया गया।

## चैट का उत्तर किससे दिया जाए

ask-scope = केवल इनसे
ask-scope-remove = अब { $name } से उत्तर न दें
ask-scope-all = सब कुछ से
ask-scope-gone = कुछ ऐसा जो अब यहाँ नहीं है, या जिसे आप अब नहीं पढ़ सकते
ask-complete = संग्रह और दस्तावेज़
ask-complete-collection = संग्रह
ask-complete-document = दस्तावेज़

## चैट की फ़ाइलें

ask-attaching = { $name } पढ़ी जा रही है …
ask-pasted = चिपकाया गया पाठ.txt
ask-attached = इस चैट की फ़ाइलें
ask-attached-remove = { $name } हटाएँ
ask-attached-only = केवल इन फ़ाइलों से
ask-attached-note = इन्हें केवल आप देखते हैं, और ये इस चैट के साथ चली जाती हैं।

## इसकी तालिकाएँ और चित्र

ask-table-of = { $title } की तालिका
ask-table-whole = सभी { $count } पंक्तियाँ
ask-table-more = { $count ->
        [one] एक और पंक्ति दस्तावेज़ में है।
       *[other] { $count } और पंक्तियाँ दस्तावेज़ में हैं।
    }
ask-chart-show = “{ $title }” का चार्ट बनाएँ
ask-chart-hide = “{ $title }” का चार्ट छिपाएँ
ask-chart-show-own = इस तालिका का चार्ट बनाएँ
ask-chart-hide-own = चार्ट छिपाएँ
ask-chart-spoken = { $by } के अनुसार { $names } का चार्ट।
ask-figure-show = “{ $name }” दिखाएँ
ask-figure-hide = “{ $name }” छिपाएँ
ask-figure-alt = { $title } का चित्र: { $said }
