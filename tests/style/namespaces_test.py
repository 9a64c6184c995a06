#!/usr/bin/env python3
# namespaces_test.py <checkout>
#
# A namespace is called gputest::<folder of the top level>. Folders with others are listed: none may
# be added, and one that follows the rule is taken off the list.
import re
import sys
from collections import defaultdict
from pathlib import Path

OTHERS = {
    "cuda/compiler": {"gputest::cuda::compiler"},
    "cuda/gpu": {"gputest::cuda::gpu"},
    "cuda/nvrtc": {"gputest::cuda::nvrtc"},
    "frontend": {"gputest::llvm_version", "gputest::passes"},
    "frontend/cuda": {"gputest::cuda", "gputest::passes"},
    "frontend/languages": {"gputest::passes"},
    "frontend/spirv": {"gputest::passes"},
    "ir": {"gputest::simulator"},
    "ir/cuda": {"gputest::cuda", "gputest::simulator"},
    "ir/cuda/ptx": {"gputest::simulator"},
    "ir/kernels": {"gputest::simulator"},
    "ir/spirv": {"gputest::simulator"},
    "model": {"gputest"},
    "passes/equivalence": {"gputest::passes::mutation"},
    "passes/guards": {"gputest::passes::mutation"},
    "passes/mutation": {"gputest::passes::mutation"},
    "passes/mutation/operators": {"gputest::passes::mutation"},
    "program": {"gputest::model"},
    "runtime/analyses/mutation": {"gputest::runtime::messages"},
    "runtime/api": {"gputest::detail"},
    "runtime/cases": {"gputest"},
    "runtime/harness": {"gputest"},
    "runtime/machine/cuda": {"gputest::runtime::cuda"},
    "runtime/variants": {"gputest::model"},
    "simulator": {"gputest::simulator::wire"},
    "simulator/cuda": {"gputest::simulator::cuda"},
    "simulator/natives": {"gputest::simulator::cuda"},
    "simulator/service": {"gputest::simulator::wire"},
}


def namespaces(text):
    return set(re.findall(r"^namespace (gputest[\w:]*) \{", text, re.M))


def is_usual(folder, namespace):
    return namespace == "gputest::" + folder.split("/")[0]


assert namespaces("namespace gputest::a {\nnamespace {\n") == {"gputest::a"}
assert is_usual("a/b", "gputest::a") and not is_usual("a/b", "gputest::a::b")

root = Path(sys.argv[1])
rooms = ("process model store frontend passes ir simulator testgen memory hostgen runtime layer cuda "
         "program report driver").split()
found = defaultdict(set)
read = 0
for room in rooms:
    for path in [*(root / room).rglob("*.h"), *(root / room).rglob("*.cpp")]:
        folder = str(path.parent.relative_to(root))
        if re.match(r"(cuda|runtime)/include|cuda/libraries", folder):
            continue  # what users include is in gputest, and CUDA says what is in its headers
        read += 1
        found[folder] |= {one for one in namespaces(path.read_text()) if not is_usual(folder, one)}
problems = [f"{folder}/ has the namespace {name}: it must be gputest::{folder.split('/')[0]}"
            for folder, names in sorted(found.items()) for name in sorted(names - OTHERS.get(folder, set()))]
problems += [f"{folder}/ has no namespace {name} any more: take it off the list"
             for folder, names in OTHERS.items() for name in sorted(names - found[folder])]
assert read > 1000, read
sys.exit("\n".join(problems) or 0)
