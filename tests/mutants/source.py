"""A CUDA source file as tokens and brackets: as much of its structure as mutants need, without a compiler."""
import re

ASSIGNMENTS = {"=", "+=", "-="}
BRACKETS = {"(": ")", "[": "]", "{": "}", "<<<": ">>>"}
CONTROL = {"if", "for", "while", "switch"}
KEYWORDS = CONTROL | {"return", "else", "case", "sizeof", "alignof"}

LEFT_OUT = re.compile(r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])*'
                          | ^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M | re.X)
CONSTANTS = re.compile(r"(?<!if )\bconstexpr\b([^;{]*);")
DECLARATIONS = re.compile(r"""\bstatic_assert\b[^;]*; | \b(?:extern\s+)?__shared__\b[^;]*;
                              | \bDYNAMIC_SHARED\s*\([^;]*;
                              | (?<=[;{}])\s*(?!(?:__shared__|extern|return|else|case)\b)
                                (?:\w+\s+)+\w+\[[^;=]*""", re.X)
TOKEN = re.compile(r"""<<<|>>>|(?<=\w)<[\w:*, ]*>(?=\s*[(,)<])|&&|\|\||<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|->|\+\+|--|::
                       |[A-Za-z_]\w*|0[xX]\w+|\.?\d[\d.]*(?:[eE][-+]?\d+)?\w*|\S""", re.X)


def blanked(pattern, text):
    """The text with spaces for what matches, so that all else stays where it is."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def constants(text):
    """The constants that a file defines, with their values as far as they can be worked out."""
    values = {}
    for definition in CONSTANTS.findall(blanked(LEFT_OUT, text)):
        for name, value in re.findall(r"(\w+)\s*=\s*([^,]+)", definition):
            value = re.sub(r"[A-Za-z_]\w*", lambda match: str(values.get(match.group(), match.group())), value)
            sums = re.fullmatch(r"[\d\s+*/%()-]+", value)
            values[name] = eval(value.replace("/", "//")) if sums else value
    return values


class Code:
    """A file as tokens; `match` leads from a bracket to the one that closes it."""

    def __init__(self, text):
        self.text = text
        self.blank = blanked(DECLARATIONS, blanked(CONSTANTS, blanked(LEFT_OUT, text)))
        self.spans = [match.span() for match in TOKEN.finditer(self.blank)]
        self.tokens = [self.blank[start:end] for start, end in self.spans]
        self.match, open_at = {}, []
        for i, token in enumerate(self.tokens):
            if token in BRACKETS:
                open_at.append(i)
            elif open_at and token == BRACKETS[self.tokens[open_at[-1]]]:
                self.match[open_at.pop()] = i

    def source(self, low, high):
        """What stands in the file from token `low` to before token `high`."""
        return self.text[self.spans[low][0]:self.spans[high - 1][1]] if low < high else ""

    def flat(self, low, high):
        """The tokens from low to before high that are in no bracket, each opening bracket standing for its group."""
        i = low
        while i < high:
            yield i
            i = self.match.get(i, i) + 1

    def split(self, low, high, at):
        """Cuts at the flat tokens in `at`: (from, to, token before or None) a piece."""
        start, before = low, None
        for i in self.flat(low, high):
            if self.tokens[i] in at:
                yield start, i, before
                start, before = i + 1, i
        yield start, high, before

    def functions(self):
        """(start of the head, opening brace, closing brace) of each function."""
        head = 0
        for i in self.flat(0, len(self.tokens)):
            if self.tokens[i] == "{" and self.tokens[i - 1] == ")":
                yield head, i, self.match[i]
            if self.tokens[i] in ("{", ";"):
                head = self.match.get(i, i) + 1

    def is_operand(self, i):
        return self.tokens[i] in (")", "]") or self.tokens[i][0].isalnum() and self.tokens[i] not in KEYWORDS
