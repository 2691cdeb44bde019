"""A block per row, in Triton."""
import torch
import triton
import triton.language as tl


@triton.jit
def rows(x, y, n, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    columns = tl.arange(0, WIDTH)
    is_inside = columns < n
    values = tl.load(x + row + columns, mask=is_inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row + columns, powers / tl.sum(powers, axis=0), mask=is_inside)


def softmax_triton(x: torch.Tensor, y: torch.Tensor, m, n):
    rows[(m,)](x, y, n, WIDTH=triton.next_power_of_2(n), num_warps=8)
