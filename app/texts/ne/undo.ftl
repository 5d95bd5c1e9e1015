## भर्खरै हटाइएको, फर्काउन सकिने

undo-chat = च्याट <b>{ $name }</b> मेटियो।
undo-link = <b>{ $name }</b> को लिङ्क सकियो।
undo-feed = <b>{ $name }</b> को फिड सकियो।
undo-token = टोकन <b>{ $name }</b> रद्द भयो।
undo-file = <b>{ $name }</b> हटाइयो।
undo-collection = सङ्ग्रह <b>{ $name }</b> मेटियो।
undo-source = स्रोत <b>{ $name }</b> मेटियो।
undo-question = प्रश्न <b>{ $name }</b> मेटियो।
undo-proposal = <b>{ $name }</b> छोडियो।
undo-watch = <b>{ $name }</b> अब निगरानीमा छैन।
undo-template = ढाँचा <b>{ $name }</b> हटाइयो।
undo-assistant = सहायक <b>{ $name }</b> हटाइयो।
undo-grid = तालिका <b>{ $name }</b> हटाइयो।
undo-grid-column = प्रश्न <b>{ $name }</b> हटाइयो।
undo-grid-row = <b>{ $name }</b> तालिकाबाट हटाइयो।
undo-rule = <b>{ $name }</b> बारे गरिएको निर्णय फिर्ता भयो।
undo-member = <b>{ $name }</b> अब समूहमा छैन।
undo-role = <b>{ $name }</b> को अब कुनै भूमिका छैन।
undo-keep = फर्काउने
undo-keep-help = { $name } राख्ने
