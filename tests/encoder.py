"""The encoder that the BERT paper describes, written out in numpy."""

import math

import numpy as np


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def bert(weights, config, ids, first=0, activation=gelu, segments=0):
    """Return the last hidden state: float64, shape (len(ids), hidden)."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    heads = config["num_attention_heads"]

    def dense(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + config["layer_norm_eps"])
        return x * w[f"{name}.weight"] + w[f"{name}.bias"]

    def split(x):
        return x.reshape(len(x), heads, -1).transpose(1, 0, 2)

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][segments]
    x = norm(x + w["embeddings.position_embeddings.weight"][first : first + len(ids)], "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        q, k, v = (split(dense(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        share = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (share / share.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), -1)
        x = norm(x + dense(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        wide = activation(dense(x, f"{layer}.intermediate.dense"))
        x = norm(x + dense(wide, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    return x
