"""Makes the mutants of a rung or a header: copies of the file, each with one small mistake.

What may be mutated are the bodies of functions. Comments, strings, preprocessor lines, static_asserts, constants and
declarations of arrays are left alone, and so is what mostly changes no answer:
  - how a launcher cuts the work by the multiprocessors that there are, and which of several right kernels it takes;
  - the stride of a loop over the grid, of which any divisor reaches all, too;
  - the bound of a loop in steps of a tile, inside which guards stop;
  - an index of one dimension in 32 bits: OP_SIZE_LIMIT is 2^30.
generate() is the whole of it.
"""
import re
from collections import Counter
from typing import NamedTuple

from source import ASSIGNMENTS, CONTROL, KEYWORDS, Code, constants

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": None, "!=": None}
FLOAT_CALL = re.compile(r"fmaf?|f(max|min)f|make_float\d|<(float|double)>")
BUILTINS = {"threadIdx", "blockIdx", "blockDim", "gridDim"}
INTEGERS = {"int", "unsigned", "int64_t", "size_t"}
MEMBERS = {"m", "n", "height", "width"}
PAIRS = [("row", "column"), ("tx", "ty"), ("x", "y"), ("BM", "BN"), ("TM", "TN"), ("BLOCK_WIDTH", "BLOCK_HEIGHT"),
         ("height", "width"), ("m", "n"), ("As", "Bs")]
COUNTERPART = dict(PAIRS) | {b: a for a, b in PAIRS}

REMOVED = {"__syncthreads": "barrier-removed", "__syncwarp": "barrier-removed", "copy_async_wait": "wait-removed",
           "copy_async_commit": "commit-removed", "barrier_wait": "wait-removed", "cluster_arrive": "barrier-removed",
           "cluster_wait": "barrier-removed", "wgmma_wait": "wait-removed", "wgmma_commit": "commit-removed",
           "wgmma_fence": "fence-removed", "wgmma_see_shared": "fence-removed", "barriers_made": "fence-removed"}
LAUNCHES = {"LAUNCH", "launch", "rung_hand_over"}
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*|\d\w*")
VOTES = {"__syncthreads_count", "__syncthreads_or", "__syncthreads_and"}


class Mutant(NamedTuple):
    file: str
    line: int
    operator: str
    start: int
    end: int
    original: str
    replacement: str
    before: str  # the line, and what becomes of it
    after: str
    ordinal: int  # among such changes of such lines

    def key(self):
        """What tells it from the other mutants, wherever its line stands."""
        return self.file, self.before, self.after, self.ordinal

    def change(self):
        return f"{squeezed(self.original)} -> {squeezed(self.replacement)}"

    def apply(self, text):
        return text[:self.start] + self.replacement + text[self.end:]

    def __str__(self):
        return f"{self.file}:{self.line} {self.operator}: {self.change()}"


def squeezed(text):
    return " ".join(text.split())


def operators_between(code, low, high, symbols):
    """The binary operators among the flat tokens: `*` and `-` may also be unary, or part of a type."""
    return [i for i in code.flat(low, high)
            if code.tokens[i] in symbols and low < i < high - 1 and code.is_operand(i - 1)]


def without_each(code, low, high, symbols):
    """An expression without one of the operands that the symbols join. The first stays unless symbols[0] follows it."""
    joints = operators_between(code, low, high, symbols)
    if joints and code.tokens[joints[0]] == symbols[0]:
        yield low, high, code.source(joints[0] + 1, high)
    for joint, after in zip(joints, [*joints[1:], high]):
        yield low, high, code.source(low, joint) + code.text[code.spans[after - 1][1]:code.spans[high - 1][1]]


def dropped_terms(code, low, high):
    """An index without one of its terms, or without one factor of a term."""
    for start, end, _ in code.split(low, high, {"<<", ">>", "&", "|", "^"}):
        yield from without_each(code, start, end, "+-")
        joints = operators_between(code, start, end, "+-")
        for first, last in zip([start, *(i + 1 for i in joints)], [*joints, end]):
            yield from without_each(code, first, last, "*/%")


def wide_names(text):
    """The names that are declared as numbers of 64 bits."""
    declared = re.findall(r"\bint64_t\s+(\w+\s*[,)]|[^;()]+=[^;]*)", text)
    return {name for piece in declared for name in re.findall(r"(\w+)\s*(?==[^=]|[,)]$)", piece)}


def is_of_two_sizes(code, low, high):
    """Whether a product has two factors that are no constants."""
    ends = [*operators_between(code, low, high, "*"), high]
    return sum(not CONSTANT.fullmatch(code.tokens[end - 1]) for end in ends) > 1


def narrowed_terms(code, low, high, wide):
    """An index with one of its products in 32 bits; and a product that is in 64 bits by a cast, without the cast."""
    joints = operators_between(code, low, high, "+-")
    for first, last in zip([low, *(i + 1 for i in joints)], [*joints, high]):
        is_wide = wide & set(code.tokens[first:last]) or "->" in code.tokens[first:last]
        if is_wide and is_of_two_sizes(code, first, last):
            yield first, last, f"(int)({code.source(first, last)})"
            if code.tokens[first:first + 3] == ["(", "int64_t", ")"]:
                yield first, last, code.source(first + 3, last)


def conditions(code, low, high, negated=False):
    """The single conditions that && and || and ! join: (from, to, whether it is negated)."""
    for joint in ({"||"}, {"&&"}):
        parts = list(code.split(low, high, joint))
        if len(parts) > 1:
            for start, end, _ in parts:
                yield from conditions(code, start, end, negated)
            return
    if low < high and code.tokens[low] == "!":
        yield from conditions(code, low + 1, high, not negated)
    elif low < high and code.tokens[low] == "(" and code.match[low] == high - 1:
        yield from conditions(code, low + 1, high - 1, negated)
    elif low < high:
        yield low, high, negated


def leaves(code, after):
    """Whether the statement at `after` only goes away: a return that calls something does work instead."""
    after += code.tokens[after] == "{"
    end = next(i for i in code.flat(after, len(code.tokens)) if code.tokens[i] == ";")
    return code.tokens[after] in ("return", "continue", "break") and "(" not in code.tokens[after:end]


def mutated_guard(code, low, high, open_value):
    compared = [i for i in code.flat(low, high) if code.tokens[i] in COMPARISONS]
    if compared or code.is_operand(high - 1) and code.tokens[low] not in ("true", "false"):
        yield "guard-removed", low, high, open_value
    for i in compared:
        other = COMPARISONS[code.tokens[i]]
        if other:
            yield "guard-off-by-one", low, high, f"{code.source(low, i)} {other} {code.source(i + 1, high)}"


def mutated_bound(code, low, high):
    for i in code.flat(low, high):
        other = COMPARISONS.get(code.tokens[i])
        if other:
            left, right = code.source(low, i), code.source(i + 1, high)
            right_1 = f"{right if high - i == 2 else f'({right})'} {'-' if '<' in other else '+'} 1"
            yield "loop-bound", low, high, f"{left} {other} {right}"
            yield "loop-bound", low, high, f"{left} {code.tokens[i]} {right_1}"


def mutated_group(code, low, high, kind, index, names, seen):
    """Guards, bounds and indexes of what stands in one pair of brackets, and of the groups inside.

    kind is the word before the bracket if it is if, for or while; index says whether values in it are indexes. Of the
    function, `names` has those of floats and of numbers of 64 bits, and whether it returns an index."""
    (floats, wide, returned), turn, is_index = names, 0, index
    for start, end, before in code.split(low, high, ASSIGNMENTS | {",", ";", "?", ":", "return"}):
        mark = code.tokens[before] if before is not None else None
        if mark in ASSIGNMENTS:
            target = code.tokens[before - 1]
            is_index = target != "]" and target not in floats
        elif mark == "return":
            is_index = returned
        elif mark not in ("?", ":", None):
            is_index = index
        turn += mark == ";"
        flat = {code.tokens[i] for i in code.flat(start, end)}
        asked = end < high and code.tokens[end] == "?"
        compared = bool(flat & COMPARISONS.keys())
        if kind == "while" or kind == "for" and turn == 1:
            parts = list(conditions(code, start, end))
            by_tiles = kind == "for" and not {"++", "--"} & set(code.tokens[end:high])
            for a, b, _ in parts:
                seen.add(a)
                if not by_tiles:
                    yield from mutated_bound(code, a, b)
                if len(parts) > 1:  # the loop ends without it, too
                    yield "guard-removed", a, b, "true"
        elif kind == "if" or asked or compared or flat & {"&&", "||"}:
            shut = kind == "if" and leaves(code, high + 1) or \
                asked and code.tokens[end + 2] == ":" and \
                re.fullmatch(r"0[.0fFuUlL]*|NULL|nullptr|false", code.tokens[end + 1])
            for a, b, negated in conditions(code, start, end):
                if a not in seen:
                    seen.add(a)
                    yield from mutated_guard(code, a, b, "false" if bool(shut) != negated else "true")
        elif is_index:
            for a, b, replacement in dropped_terms(code, start, end):
                yield "index-term-dropped", a, b, replacement
            for a, b, replacement in narrowed_terms(code, start, end, wide):
                yield "narrowed", a, b, replacement
        for i in code.flat(start, end):
            if i in code.match:
                word = code.tokens[i - 1]
                called = code.tokens[i] in ("(", "<<<") and (word[-1] == ">" or code.is_operand(i - 1) and word != ")")
                inner = (code.tokens[i] == "[" or called and not FLOAT_CALL.fullmatch(word)
                         or not called and code.tokens[i] == "(" and is_index)
                yield from mutated_group(code, i + 1, code.match[i], word if word in CONTROL else None,
                                         inner and word not in KEYWORDS, names, seen)


def mutated_waits(code, low, high):
    """Calls that wait for others or for copies: left out, or waiting for less."""
    for i in range(low, high):
        name, end = code.tokens[i], code.match.get(i + 1)
        if end is None:
            continue
        if name in REMOVED and code.tokens[end + 1] == ";":
            yield REMOVED[name], i, end + 2, ";"
        if name in VOTES:  # each thread with itself alone
            yield "barrier-removed", i, end + 1, code.source(i + 1, end + 1)
        if name == "__syncthreads":
            yield "barrier-narrowed", i, end + 1, "__syncwarp()"
        if name == "copy_async_wait":
            left = code.source(i + 2, end)
            yield "wait-off-by-one", i + 2, end, f"{left if end - i == 3 else f'({left})'} + 1"


def swapped(code, head, low, high, values):
    """Row for column, x for y and the like, one at a time, where the other name is known."""
    def is_member(i):
        return code.tokens[i - 1] in (".", "->")

    names = {code.tokens[i] for i in range(head, high) if not is_member(i)} | values.keys()
    for i in range(low, high):
        name, other = code.tokens[i], COUNTERPART.get(code.tokens[i])
        if other is None or name in values and values[name] == values.get(other):
            continue
        declared = code.tokens[i + 1] == "=" and (code.tokens[i - 1] in "*&," or code.is_operand(i - 1))
        if (name in MEMBERS or code.tokens[i - 2] in BUILTINS) if is_member(i) else (other in names and not declared):
            yield "swapped", i, i + 1, other


def changes(text):
    """(operator, start, end, replacement) of everything that can be done to a text."""
    code, values = Code(text), constants(text)
    for head, low, high in code.functions():
        words = set(code.tokens[head:high])
        on_host = not {"__global__", "__device__"} & words
        if on_host and "multiprocessors" in words:
            continue
        floats = set(re.findall(r"\b(?:float|double)\d?\s+(\w+)", code.source(head, high)))
        wide = wide_names(code.source(head, high)) | {"int64_t"}
        returned = any(code.tokens[i - 2] in INTEGERS for i in range(head + 2, low) if code.match.get(i) == low - 1)
        for change in (mutated_waits(code, low + 1, high),
                       mutated_group(code, low + 1, high, None, False, (floats, wide, returned), set()),
                       swapped(code, head, low + 1, high, values)):
            for operator, first, last, replacement in change:
                if "gridDim" in code.tokens[first - 2:last] or on_host and words & LAUNCHES and operator.startswith("guard"):
                    continue
                yield operator, code.spans[first][0], code.spans[last - 1][1], replacement


def generate(file, text):
    """All mutants of a file, in the order of its text; no two are the same but for spaces, and none is the original."""
    made, known, ordinals = [], {squeezed(text)}, Counter()
    for operator, start, end, replacement in sorted(changes(text), key=lambda change: change[1:3]):
        result = squeezed(text[:start] + replacement + text[end:])
        if result in known:
            continue
        known.add(result)
        head, tail = text[text.rfind("\n", 0, start) + 1:start], text[end:].partition("\n")[0]
        before, after = (squeezed(head + part + tail) for part in (text[start:end], replacement))
        ordinals[before, after] += 1
        made.append(Mutant(file, text.count("\n", 0, start) + 1, operator, start, end, text[start:end], replacement,
                           before, after, ordinals[before, after]))
    return made


def emptied(text):
    """The file with kernels and device functions that do nothing: a mutant that every test must kill."""
    code = Code(text)
    for head, low, high in reversed(list(code.functions())):
        if {"__global__", "__device__"} & set(code.tokens[head:low]):
            text = text[:code.spans[low][0]] + "{}" + text[code.spans[high][1]:]
    return text
