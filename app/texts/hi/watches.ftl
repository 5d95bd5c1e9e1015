## जिसके बदलने पर कोई बताया जाना चाहता है

watches-title = निगरानी में
watches-all = आप जो कुछ निगरानी में रखते हैं
watches-none = <h3>कुछ भी निगरानी में नहीं है</h3>किसी उत्तर या खोज के नीचे <b>निगरानी</b> चुनें: हर प्रकाशन पर वह फिर पूछा जाता है, और
    आप यहाँ देखते हैं कि क्या बदला।
watches-visitor = <h3>निगरानी के लिए साइन इन करें</h3>जो केवल देखने आया है, उसे बाद में नहीं बताया जा सकता।
watches-gone = आपकी ऐसी कोई निगरानी नहीं है। शायद वह समाप्त हो गई।
watches-watch = निगरानी
watches-watch-help = हर प्रकाशन के बाद फिर पूछें, और उत्तर बदलने पर मुझे बताएँ
watches-watch-search = इस खोज की निगरानी
watches-watch-search-help = हर प्रकाशन के बाद फिर खोजें, और दूसरे दस्तावेज़ मिलने पर मुझे बताएँ
watches-begun = बदलने पर आपको “निगरानी में” में बताया जाएगा।
watches-too-many = आप जितनी निगरानी रख सकते हैं उतनी है। जिसकी ज़रूरत नहीं उसे समाप्त करें।
watches-link = निगरानी में
watches-link-new = निगरानी में · { $count } नए
watches-new = { $count } नए
watches-is-new = नया
watches-problem = देखा नहीं गया
watches-failed = पिछले प्रकाशन के बाद इसे देखा नहीं जा सका: { $why }। फिर कोशिश होगी।
watches-is-question = एक प्रश्न, { $age } से निगरानी में
watches-is-search = एक खोज, { $age } से निगरानी में
watches-when = { $age }, संस्करण { $version } के साथ
watches-changed = उत्तर बदल गया
watches-lost = अब कोई उत्तर नहीं है
watches-found = अब उत्तर है
watches-other-documents = { $count ->
        [0] दूसरे दस्तावेज़ मिलते हैं
       *[other] { $count } दस्तावेज़ दूसरे हैं
    }
watches-document-came = नया
watches-document-changed = बदला हुआ
watches-document-went = अब नहीं मिलता
watches-forgotten = यह उत्तर भुला दिया गया।
watches-unchanged = जब से आप निगरानी रख रहे हैं, कुछ नहीं बदला।
watches-mail = { $address } को बताएँ
watches-mail-failed = ई-मेल नहीं भेजा गया: { $why }।
watches-feed = फ़ीड
watches-feed-title = इस निगरानी की फ़ीड
watches-feed-note = जिसके पास फ़ीड का पता है, वह इन बदलावों का वही पढ़ता है जो आप पढ़ सकते हैं। पता एक बार दिखाया जाता है; नया पता पिछले को समाप्त करता है।
watches-feed-make = पता बनाएँ
watches-feed-end = फ़ीड समाप्त करें
watches-end = निगरानी बंद करें

## तब से क्या बदला

watches-since = अब भी सही है?
watches-since-help = देखें कि दस्तावेज़ अब भी यही कहते हैं या नहीं
watches-since-title = क्या यह उत्तर अब भी सही है?
watches-still-right = हाँ: यह जो उद्धृत करता है वह सब अब भी है।
watches-right-until = { $date } तक सही
watches-right-again = तब से इसका उद्धृत पाठ फिर वहाँ है।
watches-quote-stands = अब भी है
watches-quote-gone = अब नहीं है
watches-collection-since = क्या बदला, इस दिन से …
watches-since-day = इस दिन के अंत से
watches-since-nothing = उस दिन का कोई संस्करण नहीं रखा गया है। बाद का दिन चुनें।
watches-since-same = आप जो पढ़ सकते हैं उसमें कुछ नहीं बदला।
