"""Writes testdata: what NumPy and PyTorch answer, as .npy files.

Run it by hand in this folder, with NumPy and PyTorch installed; the versions
are kept in testdata/index.json. Tests read the files and need no Python.

Functions of floats are computed in float64 from operands of the dtype and
rounded to it, so that a golden does not have the error of a peer's float32
code. Everything else is computed in the dtype itself. bfloat16, which NumPy
lacks, is written as its bits.
"""

import json
import os

import numpy as np
import torch

np.seterr(all="ignore")
torch.set_num_threads(1)
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata")
INDEX = {"numpy": np.__version__, "torch": torch.__version__}
FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
inf, nan = np.inf, np.nan


def rounded(dtype, x):
    """x, an array of float64, as an array of dtype (bfloat16: its bits)."""
    x = np.asarray(x, np.float64)
    if dtype == "bfloat16":
        return torch.from_numpy(x).bfloat16().view(torch.int16).numpy().view(np.uint16)
    return x.astype(dtype)


def wide(dtype, x):
    """The float64 values of what rounded returns."""
    if dtype == "bfloat16":
        return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16).double().numpy()
    return x.astype(np.float64)


def save(name, array):
    np.save(os.path.join(OUT, name + ".npy"), np.array(array, order="C"))


def by_torch(f):
    return lambda *x: f(*(torch.from_numpy(np.array(v)) for v in x)).numpy()


SPECIAL = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2, -2, 3, -3.25, 10, -10, 0.1, -0.1, 1e-3, -1e-3,
           6e-8, -6e-8, 1e-40, -1e-40, 20, -20, 88, -88, 100, -100, 710, -710, 65504, 72000, 1e10, -1e10,
           1e30, -1e30, 3.0e38, np.pi, np.pi / 2, 0.999, -0.999, inf, -inf, nan]

F = torch.nn.functional


def gelu(x):
    """F.gelu, which cancels for negative x, from functions of PyTorch that do not."""
    half, z = x / 2, -x * 0.5**0.5
    return torch.where(x < 0, half * torch.exp(-half * x) * torch.special.erfcx(z), half * torch.erfc(z))


UNARY = {  # of float64
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "exp2": np.exp2, "expm1": np.expm1,
    "log1p": np.log1p, "log2": np.log2, "log10": np.log10, "cbrt": np.cbrt, "sinh": np.sinh, "cosh": np.cosh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "reciprocal": lambda x: 1 / x, "square": np.square,
    "abs": np.abs, "neg": np.negative, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.rint,
    "sign": np.sign, "rsqrt": by_torch(torch.rsqrt), "sigmoid": by_torch(torch.sigmoid), "erf": by_torch(torch.erf),
    "erfc": by_torch(torch.erfc), "lgamma": by_torch(torch.lgamma), "digamma": by_torch(torch.digamma),
    "relu": by_torch(torch.relu), "softplus": by_torch(F.softplus), "gelutanh": by_torch(lambda x: F.gelu(x, approximate="tanh")),
    "gelu": by_torch(gelu), "silu": by_torch(F.silu),
    "mish": by_torch(F.mish), "selu": by_torch(F.selu), "logsigmoid": by_torch(F.logsigmoid),
}
TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}


def unary():
    INDEX["unary"], INDEX["tests"] = list(UNARY), list(TESTS)
    for d in FLOATS:
        x = rounded(d, SPECIAL)
        save(f"unary_{d}_x", x)
        save(f"unary_{d}", np.stack([rounded(d, f(wide(d, x))) for f in UNARY.values()]))
        save(f"tests_{d}", np.stack([f(wide(d, x)) for f in TESTS.values()]))


PAIRS = [0.0, -0.0, 1, -1, 2, -2, 0.5, -7.5, 3, 1e4, -1e-4, inf, -inf, nan]
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power, "mod": np.mod,
    "rem": np.fmod, "floordiv": np.floor_divide, "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax,
    "fmin": np.fmin, "hypot": np.hypot, "atan2": np.arctan2, "copysign": np.copysign, "logaddexp": np.logaddexp,
}
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def pairs(values):
    x, y = np.meshgrid(values, values, indexing="ij")
    return x.ravel(), y.ravel()


def binary():
    INDEX["binary"], INDEX["compare"] = list(BINARY), list(COMPARE)
    for d in FLOATS:
        x, y = pairs(rounded(d, PAIRS))
        save(f"binary_{d}_x", np.stack([x, y]))
        save(f"binary_{d}", np.stack([rounded(d, f(wide(d, x), wide(d, y))) for f in BINARY.values()]))
        save(f"compare_{d}", np.stack([f(wide(d, x), wide(d, y)) for f in COMPARE.values()]))


INTEGER = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "floordiv": np.floor_divide, "mod": np.mod, "rem": np.fmod,
    "maximum": np.maximum, "minimum": np.minimum, "bitand": np.bitwise_and, "bitor": np.bitwise_or,
    "bitxor": np.bitwise_xor, "shiftleft": np.left_shift, "shiftright": np.right_shift,
}
INTEGER_UNARY = {"abs": np.abs, "neg": np.negative, "square": np.square, "bitnot": np.invert, "sign": np.sign}


def integer():
    INDEX["integer"], INDEX["integer_unary"] = list(INTEGER), list(INTEGER_UNARY)
    for d in INTS:
        info = np.iinfo(d)
        values = [0, 1, 2, 3, 7, 100, info.max, info.max - 1, info.min, info.min + 1]
        if info.min < 0:
            values += [-1, -2, -7]
        values = np.array(values, d)
        x, y = pairs(values)
        save(f"integer_{d}_x", np.stack([x, y]))
        save(f"integer_{d}", np.stack([f(x, y).astype(d) for f in INTEGER.values()]))
        save(f"integer_unary_{d}_x", values)
        save(f"integer_unary_{d}", np.stack([f(values).astype(d) for f in INTEGER_UNARY.values()]))


REDUCE = {
    "sum": np.sum, "prod": np.prod, "mean": np.mean, "max": np.max, "min": np.min, "var": np.var, "std": np.std,
    "norml1": lambda x, axis: np.abs(x).sum(axis), "norml2": lambda x, axis: np.sqrt(np.square(x).sum(axis)),
    "norminf": lambda x, axis: np.abs(x).max(axis),
    "logsumexp": lambda x, axis: torch.logsumexp(torch.from_numpy(x), axis).numpy(),
}
POSITION = {"argmax": np.argmax, "argmin": np.argmin, "countnonzero": np.count_nonzero}
ALONG = {"softmax": torch.softmax, "logsoftmax": torch.log_softmax}


def reduced_operand():
    x = np.random.default_rng(1).normal(size=(12, 37)) * 2
    x[1, 5], x[2, 36], x[3, 0], x[4, 7], x[4, 9] = nan, inf, -inf, inf, -inf
    x[5], x[6], x[7], x[8, 3:5], x[9, :] = 0.0, -0.0, 1000.0, 60.0, -inf
    x[10, 2:4] = x[10].max() + 1  # a tie
    return x


def reduce():
    INDEX["reduce"], INDEX["position"], INDEX["along"] = list(REDUCE), list(POSITION), list(ALONG)
    for d in FLOATS:
        x = rounded(d, reduced_operand())
        w = wide(d, x)
        save(f"reduce_{d}_x", x)
        save(f"reduce_{d}", np.stack([rounded(d, f(w, axis=1)) for f in REDUCE.values()]))
        save(f"position_{d}", np.stack([f(w, axis=1).astype(np.int64) for f in POSITION.values()]))
        save(f"along_{d}", np.stack([rounded(d, f(torch.from_numpy(w), 1).numpy()) for f in ALONG.values()]))
    x = np.array([[3, 200, 255], [0, 0, 0], [1, 2, 3], [127, 128, 129]])
    for d in INTS + ["bool"]:
        v = x.astype(d)
        save(f"reduce_{d}_x", v)
        save(f"sums_{d}", np.stack([f(v, axis=1) for f in (np.sum, np.prod)]))


def cast():
    INDEX["cast"] = ["bool"] + INTS + ["float16", "float32", "float64"]
    floats = np.array([0.0, -0.0, 0.4, 0.5, -0.5, -0.9, 1.5, -1.5, 2.5, 100.7, 127.9, -128.9, 255.5, 300.7, -3, 65519,
                       65520, 2.0**-25, 2.0**-24, 16777217, 1 + 2.0**-11 + 2.0**-40, 1e30, 1e300, inf, -inf, nan])
    ints = [0, 1, -1, 2, 127, 128, 255, 256, 300, -128, -129, 32768, 65535, 65536, 2**24 + 1, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1]
    operands = [floats.astype(d) if d.startswith("float") else np.array(ints).astype(d) for d in INDEX["cast"]]
    for d, x in zip(INDEX["cast"], operands):
        save(f"cast_{d}_x", x)
        save(f"cast_to_{d}", np.concatenate([x.astype(d) for x in operands]))


def promotion():
    """NumPy's and PyTorch's promotion of each pair; null where there is none."""
    def torch_name(a, b):
        if not (hasattr(torch, a) and hasattr(torch, b)):
            return None
        return str(torch.promote_types(getattr(torch, a), getattr(torch, b))).removeprefix("torch.")
    names = ["bool"] + INTS + FLOATS
    INDEX["promotion"] = [
        [a, b, None if "bfloat16" in (a, b) else np.promote_types(a, b).name, torch_name(a, b)]
        for a in names for b in names]


def layer(name, result, **operands):
    INDEX.setdefault("layers", []).append(name)
    for key, value in dict(operands, y=result).items():
        save(f"layer_{name}_{key}", value.detach().numpy())


def layers():
    g = torch.Generator().manual_seed(7)
    normal = lambda *s: torch.randn(*s, generator=g, dtype=torch.float64)
    x, scale, bias = normal(2, 6, 3, 2) * 3 + 1, normal(6), normal(6)
    mean, variance = normal(6), normal(6).square()
    per = dict(scale=scale, bias=bias)
    layer("batchnorm", F.batch_norm(x, mean, variance, scale, bias), x=x, mean=mean, variance=variance, **per)
    layer("batchnormtrain", F.batch_norm(x, None, None, scale, bias, training=True), x=x, **per)
    layer("instancenorm", F.instance_norm(x, weight=scale, bias=bias), x=x, **per)
    layer("groupnorm", F.group_norm(x, 3, scale, bias), x=x, **per)
    h = normal(3, 4, 8) * 2 - 5
    gamma, beta = normal(4, 8), normal(4, 8)
    layer("layernorm", F.layer_norm(h, (8,), gamma[0], beta[0]), x=h, scale=gamma[0], bias=beta[0])
    layer("layernorm2", F.layer_norm(h, (4, 8), gamma, beta, 1e-3), x=h, scale=gamma, bias=beta)
    layer("rmsnorm", h * torch.rsqrt(h.square().mean(-1, keepdim=True) + 1e-5) * gamma[0], x=h, scale=gamma[0])
    losses(normal, g)


def losses(normal, g):
    x, t = normal(4, 3), normal(4, 3)
    layer("mse", F.mse_loss(x, t), x=x, target=t)
    p = torch.sigmoid(t)
    layer("bce", F.binary_cross_entropy(torch.sigmoid(x), p, reduction="none"), x=torch.sigmoid(x), target=p)
    layer("bcewithlogits", F.binary_cross_entropy_with_logits(x * 50, p, reduction="none"), x=x * 50, target=p)
    logits, weight = normal(4, 5, 3) * 10, normal(5).abs()
    labels = torch.randint(0, 5, (4, 3), generator=g)
    layer("crossentropy", F.cross_entropy(logits, labels), x=logits, target=labels)
    ignoring = labels.clone()
    ignoring[0, 1] = ignoring[2, 2] = -100
    layer("crossentropy_weighted", F.cross_entropy(logits, ignoring, weight), x=logits, target=ignoring, weight=weight)
    layer("crossentropy_none", F.cross_entropy(logits, labels, weight, reduction="none"), x=logits, target=labels, weight=weight)
    soft = torch.softmax(normal(4, 5, 3), 1)
    layer("crossentropy_soft", F.cross_entropy(logits, soft, weight), x=logits, target=soft, weight=weight)
    logs = torch.log_softmax(logits, 1)
    layer("nll", F.nll_loss(logs, ignoring, weight, reduction="sum"), x=logs, target=ignoring, weight=weight)


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for make in (unary, binary, integer, reduce, cast, promotion, layers):
        make()
    with open(os.path.join(OUT, "index.json"), "w") as f:
        json.dump(INDEX, f, indent=None, separators=(",", ":"))
        f.write("\n")
