## जो अभी-अभी हटाया गया और वापस लाया जा सकता है

undo-chat = चैट <b>{ $name }</b> मिटा दी गई।
undo-link = <b>{ $name }</b> का लिंक समाप्त हो गया।
undo-feed = <b>{ $name }</b> की फ़ीड समाप्त हो गई।
undo-token = टोकन <b>{ $name }</b> रद्द कर दिया गया।
undo-file = <b>{ $name }</b> हटा दी गई।
undo-collection = संग्रह <b>{ $name }</b> मिटा दिया गया।
undo-source = स्रोत <b>{ $name }</b> मिटा दिया गया।
undo-question = प्रश्न <b>{ $name }</b> मिटा दिया गया।
undo-proposal = <b>{ $name }</b> छोड़ दिया गया।
undo-watch = <b>{ $name }</b> अब निगरानी में नहीं है।
undo-template = साँचा <b>{ $name }</b> हटा दिया गया।
undo-assistant = सहायक <b>{ $name }</b> हटा दिया गया।
undo-grid = तालिका <b>{ $name }</b> हटा दी गई।
undo-grid-column = प्रश्न <b>{ $name }</b> हटा दिया गया।
undo-grid-row = <b>{ $name }</b> तालिका से हटा दिया गया।
undo-rule = <b>{ $name }</b> के बारे में लिया गया निर्णय वापस लिया गया।
undo-member = <b>{ $name }</b> अब समूह में नहीं है।
undo-role = <b>{ $name }</b> की अब कोई भूमिका नहीं है।
undo-keep = पूर्ववत करें
undo-keep-help = { $name } रखें
