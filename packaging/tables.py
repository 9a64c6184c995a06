# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The product's tables of checks, kinds of findings and mutation operators, and the sections of docs/ about them."""
import re


def checks(root):
    """Rows of model/checks.def, and one of what needs no check: {"name", "finds", "default", "kinds": [(name, summary)]}."""
    text = re.sub(r"^\s*//.*$", "", (root / "model/checks.def").read_text(), flags=re.MULTILINE)
    pair = r'\{"(\w+)",\s*"([^"]+)"\}'
    rows = [{"name": name, "default": default == "on", "finds": finds, "kinds": re.findall(pair, kinds)}
            for name, default, finds, kinds in
            re.findall(r'^GPUTEST_(?:CHECK|GUARD|HOST)\((\w+), "(\w*)", "([^"]+)",(.*?)\)$', text, re.DOTALL | re.MULTILINE)]
    others = re.search(r"kOtherKinds\[\] = \{(.*?)\};", (root / "model/checks/checks.cpp").read_text(), re.DOTALL)
    known = {kind for row in rows for kind, _ in row["kinds"]}
    rows.append({"name": "", "default": True, "finds": "what ends any launch, and what interleavings show",
                 "kinds": [kind for kind in re.findall(pair, others[1]) if kind[0] not in known]})
    return rows


def operators(root):
    """(name, summary) of each mutation operator."""
    text = (root / "model/operators.cpp").read_text()
    return re.findall(r'MutationOperator\{"(\w+)",\s*\w+,\s*"([^"]+)"\}', text)


def sections(file):
    """The text below each heading of the second level, by heading."""
    parts = re.split(r"^## (.+)$", file.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def examples(section):
    """(language, text) of each block of code."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
