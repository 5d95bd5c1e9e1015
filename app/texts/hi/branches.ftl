## किसी प्रश्न और उत्तर के रूप

branches-edit = संपादित करें
branches-question = इस प्रश्न के रूप
branches-answer = इस उत्तर के रूप
branches-side = साथ-साथ
branches-better = यह बेहतर है
