## सबै दृश्यमा साझा कुरा

frame-machine-made = यो इन्टरफेस मेसिनले अनुवाद गरेको हो; नेपाली बोल्ने कसैले अहिलेसम्म जाँचेको छैन।

frame-title = आफ्ना कागजातलाई सोध्नुहोस्
frame-views = दृश्यहरू
frame-ask = सोध्ने
frame-search = खोज्ने
frame-collections = सङ्ग्रह
frame-document = कागजात
frame-watches = निगरानीमा
frame-assistants = सहायक
frame-grids = तालिका
frame-quality = गुणस्तर
frame-operate = सञ्चालन
frame-admin = प्रशासन
frame-eyes = तपाईं <b>{ $name }</b> को नजरबाट हेर्दै हुनुहुन्छ। त्यो नाममा केही लेखिँदैन।
frame-eyes-end = आफ्नै नजरबाट हेर्ने
frame-opening = कार्यक्षेत्र खुल्दै छ …

frame-nothing-published = <h3>अहिलेसम्म केही प्रकाशित छैन</h3><a class="inner" href="collections" target="_self">सङ्ग्रह</a> मा फाइल राख्नुहोस् वा
    स्रोत थप्नुहोस्, अनि <b>अहिले मिलान गर्ने</b> थिच्नुहोस्। पहिलो संस्करण चालु हुनेबित्तिकै यो पृष्ठले देखाउँछ।
frame-look-again = फेरि हेर्ने
frame-failed = <h3>यो भएन</h3>{ $reason }
frame-try-again = फेरि प्रयास गर्ने
frame-unexpected = हुनु नहुने कुरा भयो। यो पृष्ठ चलाउनेको लगमा छ।
frame-may-not = <h3>यो { $role ->
        [admin] प्रशासक
       *[editor] सम्पादक
    }का लागि हो</h3>तपाईं { $name } हुनुहुन्छ, र तपाईं { $own ->
        [reader] खोज्न र सोध्न सक्नुहुन्छ
       *[editor] खोज्न र सोध्न, अनि सङ्ग्रह, स्रोत र गुणस्तरको हेरचाह गर्न सक्नुहुन्छ
    }। भूमिका यो पृष्ठ चलाउनेले <code>rag.toml</code> को <code>[access]</code> मा दिन्छन्।
frame-too-many = एकैचोटि धेरै { $kind ->
        [questions] प्रश्न
       *[searches] खोज
    } भए। { $seconds ->
        [one] एक सेकेन्ड
       *[other] { $seconds } सेकेन्ड
    }पछि फेरि प्रयास गर्नुहोस्।

frame-version = संस्करण <code>{ $version }</code>{ $since } · { $documents ->
       *[other] { $documents } कागजात
    }
frame-since = { " · " }{ $age } प्रकाशित

## साइन इन

frame-welcome = <h1>सोध्न साइन इन गर्नुहोस्</h1><p>तपाईंका कागजात पढ्न पाउनेलाई मात्र देखाइन्छ। साइन इन गर्नुहोस्, ताकि तपाईं को हो भनेर यो पृष्ठले
    थाहा पाओस्।</p>
frame-sign-in = साइन इन गर्ने
frame-sign-out = साइन आउट गर्ने
frame-leave = मेरा प्रश्नले खोज सुधार्न सघाउन सक्छन्
frame-leave-help = त्यसो भए तीमध्ये केही तपाईंको नामविना राखिन्छन्, ताकि खोजका नयाँ संस्करण तुलना गर्न सकियोस्। सार्वजनिक कागजातमा नभएका शब्द, जस्तै धेरैजसो नाम, ठेगाना र सङ्ख्या, छोडिन्छन्। यसलाई बन्द गर्दा राखिएको पनि मेटिन्छ।
frame-sign-in-again = फेरि साइन इन गर्ने
frame-other-account = अर्को खाता प्रयोग गर्ने
frame-expired = <h3>तपाईं साइन आउट हुनुभयो</h3>{ $reason }। तपाईंले लेखेको हराएको छैन।
frame-denied = <h3>यो पृष्ठ तपाईंका लागि खुला छैन</h3>{ $reason }।
frame-you = { $id }<br>तपाईं { $role }।
frame-role-reader = खोज्न र सोध्न सक्नुहुन्छ
frame-role-editor = खोज्न र सोध्न, अनि सङ्ग्रह, स्रोत र गुणस्तरको हेरचाह गर्न सक्नुहुन्छ
frame-role-admin = सबै गर्न सक्नुहुन्छ
frame-read-as = <br>तपाईं { $groups } का रूपमा पनि पढ्नुहुन्छ।

## पृष्ठ चलाउनेको प्रवेश

frame-link-used = यो लिङ्क प्रयोग भइसक्यो, यसको म्याद सकियो, वा यो कहिल्यै लिङ्क थिएन। `rag link` ले अर्को दिन्छ।
frame-foreign-host = यो पृष्ठलाई { $host } नामले बोलाइँदैन। त्यस्तो हुनुपर्ने हो भने rag.toml को [http] hosts मा त्यो होस्ट लेख्नुहोस्।
frame-foreign-page = { $origin } का पृष्ठका अनुरोध अस्वीकार गरिन्छन्।
frame-visiting = तपाईं सार्वजनिक कुरा देख्दै हुनुहुन्छ। यो पृष्ठ सम्हाल्न <code>rag link</code> ले दिएको लिङ्क खोल्नुहोस्।

## कहिले, र कागजातमा कहाँ

frame-age-future = भविष्यमा
frame-age-now = भर्खरै
frame-age-year = { $count ->
       *[other] { $count } वर्षअघि
    }
frame-age-month = { $count ->
       *[other] { $count } महिनाअघि
    }
frame-age-day = { $count ->
       *[other] { $count } दिनअघि
    }
frame-age-hour = { $count ->
       *[other] { $count } घण्टाअघि
    }
frame-age-minute = { $count ->
       *[other] { $count } मिनेटअघि
    }
