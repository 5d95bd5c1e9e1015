"""Files of claims: read, judged as the sentences of an answer are, and measured against what people say of them."""
