"""What PyTorch has for it: cuBLAS."""
import torch


def matmul_torch(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):
    torch.mm(a, b, out=c)
