"""The measurements of internal/gpucheck with PyTorch: a line "name seconds" each."""
import sys
import time

import torch

n = int(sys.argv[1])
side, rest = 2 ** (n // 2), 2 ** (n - n // 2)


def filled(*shape):
    return torch.full(shape, 0.5, device="cuda")


def measure(name, f):
    for _ in range(3):
        f()
    best = float("inf")
    for _ in range(5):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(10):
            f()
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - start) / 10)
    print(name, best, flush=True)


out = filled(2**n)
a, b = filled(2**n), filled(2**n)
measure("copy", lambda: out.copy_(a))
measure("W2", lambda: torch.add(a, b, out=out))
x, y, row, column = a.view(side, rest), out.view(side, rest), filled(rest), filled(side, 1)
measure("W3", lambda: torch.add(x, row, out=y))
measure("W4", lambda: torch.add(x, column, out=y))
measure("W5", lambda: torch.add(column, row, out=y))
u, v, scale = a.view(-1, 64, 32, 32), out.view(-1, 64, 32, 32), filled(64, 1, 1)
measure("W6", lambda: torch.mul(u, scale, out=v))
