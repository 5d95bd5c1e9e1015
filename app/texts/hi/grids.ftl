## उत्तरों की तालिकाएँ: हर स्तंभ में एक प्रश्न, हर पंक्ति में एक दस्तावेज़

grids-title = तालिकाएँ
grids-about = बहुत-से दस्तावेज़ों से वही प्रश्न पूछें: हर दस्तावेज़ की एक पंक्ति, हर प्रश्न का एक स्तंभ, और हर उत्तर अपने स्रोत के साथ।
grids-all = सभी तालिकाएँ
grids-new = नई तालिका
grids-none = <h3>अभी कोई तालिका नहीं</h3>कुछ दस्तावेज़ और कुछ प्रश्न बताएँ, और उत्तर साथ-साथ पढ़ें। आप किसी खोज या संग्रह से भी शुरू कर सकते हैं:
    वहाँ <b>तालिका में तुलना करें</b> चुनें।
grids-visitor = <h3>तालिका बनाने के लिए साइन इन करें</h3>जो केवल देखने आया है, उसका बनाया फिर नहीं मिल पाता।
grids-gone = ऐसी कोई तालिका नहीं है जिसे आप पढ़ सकें। शायद उसे हटा दिया गया।
grids-facts = { $rows ->
       *[other] { $rows } दस्तावेज़
    } से { $columns ->
       *[other] { $columns } प्रश्न
    }, { $age } बनी
grids-of-others = { $owner } की
grids-is-filling = भरी जा रही है
grids-compare = तालिका में तुलना करें

## तालिका बनाना

grids-name = नाम
grids-name-help = जैसे: आपूर्ति अनुबंध 2026
grids-questions = प्रश्न, हर पंक्ति में एक
grids-questions-help = हर प्रश्न हर दस्तावेज़ से पूछा जाता है। एक बार में एक ही बात पूछें, जैसे: अनुबंध कब समाप्त होता है?
grids-documents = दस्तावेज़
grids-find-documents = शीर्षक से दस्तावेज़ खोजें
grids-found-none = किसी शीर्षक में ये अक्षर नहीं हैं।
grids-collections = इन संग्रहों के सभी दस्तावेज़
grids-from-search = “{ $question }” के लिए सबसे अच्छे दस्तावेज़
grids-from-chosen = { $count ->
        [one] आपका चुना दस्तावेज़
       *[other] आपके चुने { $count } दस्तावेज़
    }
grids-from-collections = { $count ->
       *[other] संग्रह के { $count } दस्तावेज़
    }
grids-writer = उत्तर कौन लिखे
grids-any-writer = सामान्य की तरह
grids-make = तालिका बनाएँ
grids-choose = वे दस्तावेज़ चुनें जिनसे पूछना है।

## एक तालिका

grids-document = दस्तावेज़
grids-table = { $name }: उत्तरों की तालिका
grids-fill = { $count ->
       *[other] { $count } उत्तर लें
    }
grids-fill-help = केवल वही पूछा जाता है जो नहीं है या पुराना है
grids-stop = रोकें
grids-progress = { $all } में से { $done } उत्तर
grids-stale-count = { $count ->
        [one] { $count } पुराना है
       *[other] { $count } पुराने हैं
    }
grids-remaining = लगभग { $count ->
       *[other] { $count } मिनट
    } शेष
grids-remaining-seconds = एक मिनट से कम शेष
grids-withheld = { $count ->
        [one] { $count } पंक्ति नहीं दिखाई जाती: उसका दस्तावेज़ आप अभी नहीं पढ़ सकते, या वह नहीं रहा।
       *[other] { $count } पंक्तियाँ नहीं दिखाई जातीं: उनके दस्तावेज़ आप अभी नहीं पढ़ सकते, या वे नहीं रहे।
    }
grids-newcomers = { $count ->
        [one] तब से { $count } दस्तावेज़ संग्रह में आया।
       *[other] तब से { $count } दस्तावेज़ संग्रह में आए।
    }
grids-add-newcomers = { $count ->
       *[other] जोड़ें
    }
grids-no-columns = <h3>अभी कोई प्रश्न नहीं</h3>प्रश्न जोड़ें: वह हर दस्तावेज़ से पूछा जाता है।
grids-no-rows = <h3>अभी कोई दस्तावेज़ नहीं</h3>वे दस्तावेज़ जोड़ें जिनसे पूछना है।
grids-nothing = इस दस्तावेज़ में उत्तर नहीं
grids-missing = अभी नहीं पूछा गया
grids-waiting = अपनी बारी की प्रतीक्षा में
grids-failed = पूछा नहीं जा सका
grids-stale = पुराना
grids-stale-help = तब से दस्तावेज़, या उत्तर लिखने वाला, बदल गया है
grids-not-live = अब प्रकाशित नहीं
grids-verdict = { $verdict ->
        [yes] हाँ
       *[no] नहीं
    }
grids-source = स्रोत { $n }: { $quote }
grids-more = पूरा उत्तर: { $question }, { $title }
grids-row = पंक्ति: { $title }
grids-column = स्तंभ: { $question }

## तालिका बदलना

grids-add-column = प्रश्न जोड़ें
grids-question = प्रश्न
grids-short-name = छोटा नाम
grids-short-name-help = जो स्तंभ के ऊपर रहता है; न हो तो प्रश्न
grids-save = सहेजें
grids-remove-column = यह प्रश्न हटाएँ
grids-add-rows = दस्तावेज़ जोड़ें
grids-add = जोड़ें
grids-row-open = दस्तावेज़ खोलें
grids-leave-out = तालिका से हटाएँ
grids-settings = सेटिंग
grids-readers = और कौन पढ़ सकता है
grids-readers-help = वे वही पंक्तियाँ देखते हैं जिनके दस्तावेज़ वे स्वयं पढ़ सकते हैं
grids-readers-none = और कोई नहीं
grids-remove = तालिका हटाएँ
grids-export = निर्यात
grids-export-title = तालिका के रूप में निर्यात
grids-export-note = CSV फ़ाइल, जिसे Excel और दूसरे तालिका प्रोग्राम खोलते हैं। जो सूत्र की तरह शुरू होता है उसके पहले ऊर्ध्व-अल्पविराम लगाया जाता है।
grids-export-quotes = हर प्रश्न के लिए एक और स्तंभ: उत्तर क्या उद्धृत करता है, और कहाँ से
grids-export-csv = CSV में सहेजें
grids-csv-quotes = { $question }: उद्धरण
grids-csv-address = पता
grids-csv-page = पृष्ठ { $page }
grids-csv-stale = { $answer } (पुराना)
grids-cell-title = उत्तर
grids-cell-facts = { $age } उत्तर दिया, संस्करण { $version }, { $model ->
        [extractive] केवल उद्धरण, कोई मॉडल नहीं
       *[other] { $model } ने
    }
