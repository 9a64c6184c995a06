#!/usr/bin/env python3
# namespaces_test.py <checkout>
#
# A namespace is gputest::<folder of the top level>. Below that may stand folders on the way to the
# file, in order, and the file's own name: gputest::runtime::cuda in runtime/machine/cuda/gpu.h, and
# gputest::simulator::wire in simulator/service/wire.h.
import re
import sys
from collections import defaultdict
from pathlib import Path


def namespaces(text):
    """Those of a file; one that is opened for a forward declaration alone is not the file's."""
    text = re.sub(r"^namespace [\w:]+ \{\n(?:(?:class|struct) \w+;\n)+\}.*\n", "", text, flags=re.M)
    return set(re.findall(r"^namespace (gputest[\w:]*) \{", text, re.M))


def is_usual(file, namespace):
    """Whether the parts of the namespace come in the path, the first at its beginning."""
    first, *others = namespace.split("::")[1:] or [""]
    parts = iter(Path(file).with_suffix("").parts)
    return next(parts) == first and all(other in parts for other in others)


assert namespaces("namespace gputest::a {\nnamespace {\n") == {"gputest::a"}
assert namespaces("namespace gputest::b {\nclass A;\n} // b\nnamespace gputest::a {\n") == {"gputest::a"}
assert is_usual("a/b/c.h", "gputest::a") and is_usual("a/b/c.h", "gputest::a::b") and is_usual("a/b/c.h", "gputest::a::c")
assert not is_usual("a/b/c.h", "gputest") and not is_usual("a/b/c.h", "gputest::b") and not is_usual("a/b/c.h", "gputest::a::c::b")

root = Path(sys.argv[1])
rooms = ("process model store frontend passes ir simulator testgen memory hostgen runtime layer cuda "
         "program report driver python").split()
found = defaultdict(set)
read = 0
for room in rooms:
    for path in [*(root / room).rglob("*.h"), *(root / room).rglob("*.cpp")]:
        folder = str(path.parent.relative_to(root))
        if re.match(r"(cuda|runtime)/include|cuda/libraries/.*include", folder):
            continue  # what users include is in gputest, and CUDA says what is in its headers
        read += 1
        found[folder] |= {one for one in namespaces(path.read_text())
                          if not is_usual(path.relative_to(root), one)}
problems = [f"{folder}/ has the namespace {name}: it must be gputest::{folder.split('/')[0]}, and may go on with folders and the file below"
            for folder, names in sorted(found.items()) for name in sorted(names)]
assert read > 1000, read
sys.exit("\n".join(problems) or 0)
