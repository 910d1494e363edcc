"""Random patterns and texts with what Python's re makes of them: regexes.py SEED COUNT, one JSON list per line."""

import json
import random
import re
import sys
import warnings

warnings.simplefilter("ignore")
SETS = ["\\d", "\\w", "\\s", ".", "[ab]", "[^a]", "[a-c]", "\\.", "\\n", "[\\w-]", "[]a]", "\\D", "[\\s\\d]"]
PLAIN = list("aabbc1-A_") + ["é", "ß"]
ANCHORS = ["^", "$", "\\b", "\\B", "\\A", "\\Z"]
REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "*?", "+?", "??", "{1,2}?", "{0,3}"]
BEHIND = ["a", "ab", "[ab]", "a|b", "\\d", "^", "ab|bc"]


class Patterns:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def choice(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.rng.choice([1, 1, 1, 2, 3])))

    def sequence(self, depth):
        return "".join(self.repeated(depth) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])))

    def repeated(self, depth):
        atom = self.atom(depth)
        return atom + self.rng.choice(REPEATS) if self.rng.random() < 0.4 else atom

    def atom(self, depth):
        pick = self.rng.choice
        if depth == 0 or self.rng.random() < 0.45:
            return pick([pick(SETS), pick(PLAIN), pick(PLAIN), pick(ANCHORS)])
        inner = self.choice(depth - 1)
        name = "n%d" % self.rng.randrange(3)
        return pick(
            [
                f"({inner})",
                f"({inner})",
                f"(?:{inner})",
                f"(?P<{name}>{inner})",
                f"(?={inner})",
                f"(?!{inner})",
                f"(?<={pick(BEHIND)})",
                f"(?<!{pick(BEHIND)})",
                f"(?i:{inner})",
                f"\\{pick('12')}",
                f"(?P={name})",
                f"(?({pick('12')}){self.sequence(depth - 1)}|{self.sequence(depth - 1)})",
            ]
        )

    def text(self):
        return "".join(self.rng.choice("aaabbbccAB1 \n-._éß") for _ in range(self.rng.randrange(9)))


def answer(pattern, flags, text):
    try:
        regex = re.compile(pattern, flags)
    except re.error:
        return None
    found = [[list(match.span()), list(match.groups())] for match in regex.finditer(text)]
    start = regex.match(text)
    return [found, start and start.end(), regex.fullmatch(text) is not None, regex.sub("<\\g<0>>", text)]


def main(seed, count):
    patterns = Patterns(seed)
    for _ in range(count):
        pattern, text = patterns.choice(3), patterns.text()
        flags = patterns.rng.choice([0, 0, re.I, re.M, re.S, re.I | re.M])
        print(json.dumps([pattern, text, int(flags), answer(pattern, flags, text)]))


main(int(sys.argv[1]), int(sys.argv[2]))
