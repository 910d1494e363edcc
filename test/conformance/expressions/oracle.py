"""Evaluates expressions with Ansible's own Templar. One request per line on stdin, one answer per line on stdout.

Request: {"kind": "value" | "string" | "template" | "when", "source": text, "vars": {name: typed value}}
Answer: {"ok": typed value} or {"error": message, "undefined": bool}
Typed values are JSON with what it cannot say tagged (see typed.ts).
"""

import datetime
import json
import os
import sys
import time
import warnings

os.environ["TZ"] = "UTC"
os.environ["ANSIBLE_DEPRECATION_WARNINGS"] = "False"
os.environ["ANSIBLE_SYSTEM_WARNINGS"] = "False"
time.tzset()
warnings.simplefilter("ignore")

from ansible.errors import AnsibleUndefinedVariable  # noqa: E402
from ansible.parsing.dataloader import DataLoader  # noqa: E402
from ansible.playbook.conditional import Conditional  # noqa: E402
from ansible.template import Templar  # noqa: E402
from ansible.utils.display import Display  # noqa: E402
from ansible.utils.unsafe_proxy import wrap_var  # noqa: E402
from jinja2.runtime import Undefined  # noqa: E402
from jinja2.exceptions import UndefinedError  # noqa: E402

Display.warning = Display.deprecated = lambda *args, **kwargs: None


def decode(value):
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((tag, inner),) = value.items()
    if tag == "int":
        return int(inner)
    if tag == "float":
        return float(inner)
    if tag == "tuple":
        return tuple(decode(item) for item in inner)
    if tag == "unsafe":
        return wrap_var(inner)
    return {decode(key): decode(item) for key, item in inner}


def encode(value):
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"int": str(value)}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    return encode_rare(value)


def encode_rare(value):
    if isinstance(value, Undefined):
        return {"undefined": True}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((encode(item) for item in value), key=json.dumps)}
    if isinstance(value, datetime.datetime):
        return {"datetime": str(value)}
    if isinstance(value, datetime.timedelta):
        return {"timedelta": value.total_seconds()}
    return {type(value).__name__: True}


MISSING = object()


class Oracle:
    def __init__(self):
        self.templar = Templar(DataLoader(), variables={})
        self.templar.environment.globals["capture__"] = self.capture
        self.captured = MISSING

    def capture(self, value):
        self.captured = value

    def answer(self, request):
        variables = {name: decode(value) for name, value in request["vars"].items()}
        self.templar.available_variables = variables
        return getattr(self, request["kind"])(request["source"], variables)

    def value(self, source, _):
        self.captured = MISSING
        self.templar.template("{% set _ = capture__(" + source + "\n) %}")
        if self.captured is MISSING:
            raise ValueError("the template did not compile")
        return self.captured

    def string(self, source, _):
        return self.templar.template(source)

    def template(self, source, _):
        return self.templar.do_template(source, escape_backslashes=False)

    def when(self, source, variables):
        conditional = Conditional(loader=DataLoader())
        conditional.when = [source]
        return bool(conditional.evaluate_conditional(self.templar, variables))


def main():
    oracle = Oracle()
    for line in sys.stdin:
        try:
            result = {"ok": encode(oracle.answer(json.loads(line)))}
        except Exception as error:  # every failure is an answer
            undefined = isinstance(error, (AnsibleUndefinedVariable, UndefinedError))
            result = {"error": str(error)[:300], "undefined": undefined}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


main()
