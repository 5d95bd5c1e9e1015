"""What is known of models beside the default one.

The revisions are those at which the MTEB benchmark evaluated the models (embeddings-benchmark/mteb, `mteb/models`);
prefixes, pooling and limits are those of the models' own cards. Checksums are pinned where several independent
projects publish the same one for that revision; the others are recorded when the model is first fetched.
"""

from typing import Any

from rag_platform.models.calibration import Curve, Curves, RandomCosines

_RETRIEVE = "Represent this sentence for searching relevant passages: "
_E5 = {"query_prefix": "query: ", "passage_prefix": "passage: ", "max_tokens": 512, "licence": "MIT"}
_BGE = {"query_prefix": _RETRIEVE, "pooling": "cls", "max_tokens": 512, "licence": "MIT"}
_ARCTIC = {"query_prefix": _RETRIEVE, "pooling": "cls", "max_tokens": 512, "licence": "Apache-2.0"}
_ENGLISH = "en"
_PARAPHRASE = (
    "ar bg ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id it ja ka ko ku lt lv mk mn mr ms my nb nl pl "
    "pt ro ru sk sl sq sr sv th tr uk ur vi zh"
)
XLM_R = (
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id "
    "is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl om or pa pl ps pt ro ru sa sd si "
    "sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
)
_ARCTIC_V2 = (
    "af ar az be bg bn ca cs cy da de el en es et eu fa fi fr gl gu he hi hr ht hu hy id is it ja jv ka kk km kn "
    "ko ky lo lt lv mk ml mn mr ms my ne nl pa pl pt qu ro ru si sk sl so sq sr sv sw ta te th tl tr uk ur vi yo "
    "zh"
)


def _row(repo: str, revision: str, dimension: int, languages: str, **known: Any) -> dict[str, Any]:
    named = {"name": repo.partition("/")[2], "repo": repo, "revision": revision, "dimension": dimension}
    return {"sha256": None, **named, "languages": tuple(languages.split()), **known}


EMBEDDING: tuple[dict[str, Any], ...] = (
    _row("intfloat/multilingual-e5-base", "d13f1b27baf31030b7fd040960d60d909913633f", 768, XLM_R, **_E5),
    _row("intfloat/multilingual-e5-large", "ab10c1a7f42e74530fe7ae5be82e6d4f11a719eb", 1024, XLM_R, **_E5),
    _row(
        "Snowflake/snowflake-arctic-embed-l-v2.0",
        "edc2df7b6c25794b340229ca082e7c78782e6374",
        1024,
        _ARCTIC_V2,
        query_prefix="query: ",
        pooling="cls",
        max_tokens=8192,
        licence="Apache-2.0",
    ),
    _row(
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        "bf3bf13ab40c3157080a7ab344c831b9ad18b5eb",
        384,
        _PARAPHRASE,
        max_tokens=128,
        licence="Apache-2.0",
    ),
    _row(
        "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        "79f2382ceacceacdf38563d7c5d16b9ff8d725d6",
        768,
        _PARAPHRASE,
        max_tokens=128,
        licence="Apache-2.0",
    ),
    _row(
        "BAAI/bge-small-en-v1.5",
        "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        384,
        _ENGLISH,
        sha256="3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
        **_BGE,
    ),
    _row("BAAI/bge-base-en-v1.5", "a5beb1e3e68b9ab74eb54cfd186867f64f240e1a", 768, _ENGLISH, **_BGE),
    _row("BAAI/bge-large-en-v1.5", "d4aa6901d3a41ba39fb536a557fa166f842b0e09", 1024, _ENGLISH, **_BGE),
    _row(
        "BAAI/bge-small-zh-v1.5",
        "7999e1d3359715c523056ef9478215996d62a620",
        512,
        "zh",
        **_BGE | {"query_prefix": "为这个句子生成表示以用于检索相关文章："},
    ),
    _row("Snowflake/snowflake-arctic-embed-xs", "742da4f66e1823b5b4dbe6c320a1375a1fd85f9e", 384, _ENGLISH, **_ARCTIC),
    _row("Snowflake/snowflake-arctic-embed-s", "d3c1d2d433dd0fdc8e9ca01331a5f225639e798f", 384, _ENGLISH, **_ARCTIC),
    _row(
        "Snowflake/snowflake-arctic-embed-m-v1.5", "97eab2e17fcb7ccb8bb94d6e547898fa1a6a0f47", 768, _ENGLISH, **_ARCTIC
    ),
    _row("intfloat/e5-small-v2", "dca8b1a9dae0d4575df2bf423a5edb485a431236", 384, _ENGLISH, **_E5),
    _row("intfloat/e5-base-v2", "1c644c92ad3ba1efdad3f1451a637716616a20e8", 768, _ENGLISH, **_E5),
    _row(
        "thenlper/gte-small",
        "17e1f347d17fe144873b1201da91788898c639cd",
        384,
        _ENGLISH,
        sha256="9a1eb90bbac323ea08aa5629b624fe6ae75db121b904799c2266a1e2c2de22d2",
        max_tokens=512,
        licence="MIT",
    ),
    _row(
        "thenlper/gte-base",
        "c078288308d8dee004ab72c6191778064285ec0c",
        768,
        _ENGLISH,
        max_tokens=512,
        licence="MIT",
    ),
    _row(
        "sentence-transformers/all-MiniLM-L12-v2",
        "364dd28d28dcd3359b537f3cf1f5348ba679da62",
        384,
        _ENGLISH,
        max_tokens=128,
        licence="Apache-2.0",
    ),
    _row(
        "sentence-transformers/multi-qa-MiniLM-L6-cos-v1",
        "b207367332321f8e44f96e224ef15bc607f4dbf0",
        384,
        _ENGLISH,
        max_tokens=512,
        licence="Apache-2.0",
    ),
)
"""Fields of `models.ModelCard`. All are BERT or XLM-RoBERTa encoders, which is what `onnx_graph` writes."""

_ROTARY = "it turns positions into rotations (RoPE), and only BERT's and XLM-RoBERTa's tables of positions can be read"
CANNOT = {
    "snowflake-arctic-embed-m-v2.0": f"{_ROTARY}; of the same family, snowflake-arctic-embed-l-v2.0 can be used",
    "gte-multilingual-base": f"{_ROTARY}; snowflake-arctic-embed-l-v2.0 or multilingual-e5-base can be used",
    "gte-modernbert-base": f"{_ROTARY}; gte-base or bge-base-en-v1.5 can be used",
    "all-mpnet-base-v2": "MPNet adds a bias for each distance between words, which is not read; all-MiniLM-L12-v2 or "
    "bge-base-en-v1.5 can be used",
    "LaBSE": "it has another layer after the pooling, which is not read; multilingual-e5-base can be used",
    "bge-m3": "its repository has no model.safetensors. Save it with transformers (`save_pretrained`), give the folder "
    "a name of its own in the settings, and its dense vectors can be used",
}
"""Well-known models that cannot be fetched and read, and why."""

_RERANKING = {"task": "reranking", "max_tokens": 512}
RERANKING: tuple[dict[str, Any], ...] = (
    _row(
        "cross-encoder/ms-marco-MiniLM-L-6-v2",
        "233902d25c440f23af6f7d6e94d2946bac0bee0a",
        384,
        "en",
        sha256="821d1aa69520101d6e0737f78a042ae25b19e5cb9160701909d10434f4aeb0ae",
        licence="Apache-2.0",
        **_RERANKING,
    ),
    _row(
        "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1",
        "1427fd652930e4ba29e8149678df786c240d8825",
        384,
        "ar de en es fr hi id it ja nl pt ru vi zh",
        sha256="5daeca2481a76b5976a2bdc32f0a78532b6716da4f8cd3ff59460ef8d2f359b4",
        licence="Apache-2.0",
        **_RERANKING,
    ),
    _row(
        "BAAI/bge-reranker-base",
        "2cfc18c9415c912f9d8155881c133215df768a70",
        768,
        "en zh",
        sha256="ced967c45fd1902eb92716c9ceeca7c95a936770ea9db611f5a841b926e33fbd",
        licence="MIT",
        **_RERANKING,
    ),
)
"""Cross-encoders."""

_ENTAILMENT = {"task": "entailment", "max_tokens": 512}
ENTAILMENT: tuple[dict[str, Any], ...] = (
    _row(
        "cross-encoder/nli-MiniLM2-L6-H768",
        "b95119ce93d3e065de6214e38cd4a97b0f2f2c6d",
        768,
        "en",
        licence="Apache-2.0",
        accuracy="86.89 % on MultiNLI, mismatched (Sentence Transformers' documentation)",
        **_ENTAILMENT,
    ),
    _row(
        "MoritzLaurer/multilingual-MiniLMv2-L6-mnli-xnli",
        "acf08db83390e23428c560cb578a865b39196993",
        384,
        "ar bg de el en es fr hi ru sw th tr ur vi zh",
        licence="MIT",
        **_ENTAILMENT,
    ),
)
"""Cross-encoders that tell whether one text follows from another."""

RELEVANCE = {
    "all-MiniLM-L6-v2": Curves(
        vector=Curve(-7.05, similarity=18.45),
        hybrid=Curve(-7.24, words=5.87, similarity=16.15),
        rerank=Curve(-10.86, words=3.49, similarity=14.41, rerank=8.49),
    ),
    "multilingual-e5-small": Curves(
        vector=Curve(-12.54, similarity=4.43),
        hybrid=Curve(-11.43, words=15.51, similarity=3.0),
        rerank=Curve(-11.71, words=12.79, similarity=2.26, rerank=8.16),
        random=RandomCosines(0.77, 0.02),
    ),
}
"""Coefficients by the model's name: of the first as benchmarks/relevance.py fits them, to cosines; of the second by the
same fit, to z-scores within the question, on half of the questions of XQuAD in five languages and of JaQuAD."""
