#!/bin/sh
# Name the language model that fits a graphics card, by its memory in MiB (default: what the first card says).
# Weights and 16,384 tokens of context; see "Which model for which card" in docs/answers.md.
memory=${1:-$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits 2>/dev/null | head -n 1)}
case ${memory:-none} in
    none | *[!0-9]*) echo "no card: 8 GB Qwen/Qwen3-4B-AWQ, 16 GB Qwen/Qwen3-8B-FP8, 24 GB Qwen/Qwen3-14B-FP8, 48 GB Qwen/Qwen3-32B-FP8, 80 GB Qwen/Qwen3-32B" >&2; exit 1 ;;
esac
if [ "$memory" -ge 78000 ]; then echo Qwen/Qwen3-32B
elif [ "$memory" -ge 44000 ]; then echo Qwen/Qwen3-32B-FP8
elif [ "$memory" -ge 22000 ]; then echo Qwen/Qwen3-14B-FP8
elif [ "$memory" -ge 14000 ]; then echo Qwen/Qwen3-8B-FP8
else echo Qwen/Qwen3-4B-AWQ
fi
