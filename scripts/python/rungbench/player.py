"""The process that runs functions of Python: rungbench starts it for --kernel=FILE.py (bench/own/python.h).

Usage: player.py LIBRARY FILE.py FLAG...
Imports the file before it becomes a player, so that what imports change in the process is there before anybody looks.
"""
import ctypes
import importlib.util
import inspect
import math
import os
import sys
import tempfile
import typing
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int64, c_void_p

BUFFERS_MAX, SIZES_MAX, RANK_MAX, NAME_BYTES = 6, 6, 4, 64  # bench/table/op.h
FORMATS = {0: ("f", "f4"), 1: ("B", "u1"), 2: ("b", "i1"), 3: ("i", "i4"), 4: ("d", "f8"), 5: ("e", "f2"), 6: ("h", "i2")}  # element.h
BFLOAT16 = 6
FOUND, MISSING, FAILED = range(3)  # enum python_outcome
RUNG = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p)
FIND = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_void_p))


class Array(ctypes.Structure):
    """struct python_array; also what a GPU's packages take as an array."""
    _fields_ = [("name", c_char * NAME_BYTES), ("memory", c_void_p), ("extent", c_int64 * RANK_MAX), ("rank", c_int), ("type", c_int)]

    @property
    def shape(self):
        return tuple(self.extent[:self.rank])

    @property
    def __cuda_array_interface__(self):
        strides = tuple(math.prod(self.shape[i + 1:], start=int(FORMATS[self.type][1][1])) for i in range(self.rank))
        return {"shape": self.shape, "strides": strides, "typestr": "<" + FORMATS[self.type][1], "data": (self.memory, False),
                "version": 3}

    def bytes(self):
        """The host's memory."""
        count = math.prod(self.shape, start=int(FORMATS[self.type][1][1]))
        return memoryview((c_char * count).from_address(self.memory)).cast("B")

    def as_torch(self):
        import torch
        tensor = torch.as_tensor(self, device="cuda")
        if tensor.data_ptr() != self.memory:
            raise TypeError("torch.as_tensor() has made a copy; expected the device that PyTorch uses first")
        return tensor.view(torch.bfloat16) if self.type == BFLOAT16 else tensor

    def given(self, annotation, is_on_gpu):
        """As the function's parameter says that it wants it."""
        package = (getattr(annotation, "__module__", None) or str(annotation)).partition(".")[0]
        if package == "torch":
            return self.as_torch()
        if package == "cupy":
            return sys.modules["cupy"].asarray(self)
        if package == "numpy":
            if is_on_gpu:
                raise TypeError("numpy.ndarray: expected an array of a package for GPUs, as the file imports one")
            return sys.modules["numpy"].frombuffer(self.bytes(), FORMATS[self.type][1]).reshape(self.shape)
        if is_on_gpu and "numba.cuda" in sys.modules:
            return sys.modules["numba.cuda"].as_cuda_array(self)
        return self if is_on_gpu else self.bytes().cast(FORMATS[self.type][0], self.shape)


def said(error):
    """In a line of C."""
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:  # it cannot be said
        text = type(error).__name__
    return ctypes.create_string_buffer(text.replace("\0", "?").splitlines()[0][:300].encode(errors="replace"))


class Function:
    """Calls one as a rung."""

    def __init__(self, library, op, function):
        self.library, self.op, self.function = library, op, function
        try:
            hints = typing.get_type_hints(function)
        except Exception:  # names that mean nothing where it stands
            hints = {}
        parameters = inspect.signature(function).parameters.values()
        self.annotations = {each.name: hints.get(each.name, each.annotation) for each in parameters}
        self.optional = {each.name for each in parameters if each.default is not each.empty}
        self.bytes = library.rungbench_problem_bytes(op)
        self.arguments = {}  # of each problem that was seen
        self.stream = None
        self.said = None

    def __call__(self, problem, stream):
        try:
            if stream != self.stream:
                self.arguments.clear()
                use_stream(stream)
                self.stream = stream
            key = ctypes.string_at(problem, self.bytes)
            if key not in self.arguments:
                self.arguments[key] = self.bind(problem, stream)
            self.function(**self.arguments[key])
            return None
        except BaseException as error:  # whatever a function of the user's raises is a failed call
            self.said = said(error)
            return ctypes.addressof(self.said)

    def bind(self, problem, stream):
        names, sizes, arrays = c_char_p(), (c_int64 * SIZES_MAX)(), (Array * BUFFERS_MAX)()
        count = self.library.rungbench_arrays(self.op, problem, byref(names), sizes, arrays)
        known = dict(zip(names.value.decode().split(), sizes), stream=stream_for(stream))
        for array in arrays[:count]:
            name = array.name.decode()
            known[name] = array.given(self.annotations.get(name), bool(stream))
        unknown = set(self.annotations) - set(known) - self.optional
        if unknown:
            raise TypeError(f"parameter {sorted(unknown)[0]}: expected some of {', '.join(sorted(known))}")
        return {name: known[name] for name in self.annotations if name in known}


class Stream:
    """As CuPy takes one of others."""

    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return 0, self.stream


def use_stream(stream):
    """From here on, what names none runs there."""
    if stream and "torch" in sys.modules:
        torch = sys.modules["torch"]
        torch.cuda.set_stream(torch.cuda.ExternalStream(stream))
    if stream and "cupy" in sys.modules:
        streams = sys.modules["cupy"].cuda
        external = getattr(streams.Stream, "from_external", None)
        (external(Stream(stream)) if external else streams.ExternalStream(stream)).use()


def stream_for(stream):
    """For a parameter of that name."""
    return sys.modules["numba.cuda"].external_stream(stream) if stream and "numba.cuda" in sys.modules else stream or 0


def start_triton():
    """The first kernel that it compiles sets signal handlers: LLVM's."""
    import triton

    @triton.jit
    def nothing():
        pass
    nothing[(1,)]()


def read(path):
    """(its module, None), or (None, what its import ended with)"""
    sys.path[:1] = []
    sys.path.append(os.path.dirname(os.path.abspath(path)))  # its own name may be that of a package
    spec = importlib.util.spec_from_file_location("rungbench_kernel", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        if "torch" in sys.modules and sys.modules["torch"].cuda.is_available():
            sys.modules["torch"].cuda.init()
            if "triton" in sys.modules and hasattr(sys.modules["triton"], "jit"):
                start_triton()
        return module, None
    except BaseException as error:  # the judge says so
        return None, error


def main():
    library_path, path, *flags = sys.argv[1:]
    os.environ["RUNGBENCH_PLAYER"] = "1"
    for package in "TRITON", "TORCHINDUCTOR", "NUMBA", "CUPY":  # all else is read-only
        os.environ[f"{package}_CACHE_DIR"] = tempfile.gettempdir()
    module, error = read(path)
    library = ctypes.CDLL(library_path)
    library.rungbench_arrays.argtypes = [c_void_p, c_void_p, POINTER(c_char_p), POINTER(c_int64), POINTER(Array)]
    library.rungbench_arrays.restype = ctypes.c_size_t
    library.rungbench_problem_bytes.argtypes = [c_void_p]
    library.rungbench_problem_bytes.restype = ctypes.c_size_t
    kept = []

    def find(op, function, run, reason):
        try:
            if error:
                raise error
            kept.append(RUNG(Function(library, op, getattr(module, function.decode()))))
        except BaseException as failed:  # there is none, or it cannot be called
            kept.append(said(failed))
            reason[0] = ctypes.addressof(kept[-1])
            return MISSING if isinstance(failed, ImportError) else FAILED
        run[0] = ctypes.cast(kept[-1], c_void_p).value
        return FOUND

    found = FIND(find)
    arguments = [b"rungbench", *map(os.fsencode, flags)]
    sys.stdout.flush()
    sys.exit(library.rungbench_play(len(arguments), (c_char_p * (len(arguments) + 1))(*arguments), found))


if __name__ == "__main__":
    main()
