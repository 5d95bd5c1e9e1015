## प्रश्न र जवाफका रूप

branches-edit = सम्पादन गर्ने
branches-question = यो प्रश्नका रूप
branches-answer = यो जवाफका रूप
branches-side = सँगसँगै
branches-better = यो राम्रो छ
