"""names_test.py <checkout>: sources and headers see what they name by their own includes.

A unity build and precompiled headers hide that a source lacks an include which a neighbour has. Compiling
each source by itself takes long, and this a second: the types that the project's headers declare, and
what libraries with one header have, are looked for among what a file includes, directly or not.
"""

import os
import re
import sys

kNotCode = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
kOfLibraries = re.compile(r"\b(?:Catch|cl|clang|cxxopts|llvm|std)::\w+")
kOwn = re.compile(r"\b(?:struct|class|enum class|enum|using) (\w+)|^  ([A-Z]\w+)(?:,| = )", re.M)  # enumerators, too
kTypeOfHeader = re.compile(r"^(?:struct|class|enum class|enum|using) ((?:[A-Z][a-z0-9]+){2,})\b(?!;)", re.M)
kHeadersOf = {"fmt": "fmt/", "nlohmann": "nlohmann/"}


class File:
    def __init__(self, text):
        self.includes = re.findall(r'^#include [<"]([^>"]+)[>"]', text, re.M)
        code = kNotCode.sub("", text)
        self.words = set(re.findall(r"\w+", kOfLibraries.sub("", code)))
        self.own = {name for pair in kOwn.findall(code) for name in pair}
        self.for_others = set(kTypeOfHeader.findall(code))
        self.libraries = {library for library in kHeadersOf if library + "::" in code}


def all_included(path, files):
    """The files of the project that path includes, directly or not, and other headers that they include."""
    own, others, to_read = set(), set(), [path]
    while to_read:
        current = to_read.pop()
        for name in files[current].includes:
            places = (name, f"runtime/include/{name}", f"{os.path.dirname(current)}/{name}")
            found = next((place for place in places if place in files), None)
            if found is None:
                others.add(name)
            elif found not in own:
                own.add(found)
                to_read.append(found)
    return own, others


def unseen(texts):
    """texts: path -> text. What files name and do not include, as messages."""
    files = {path: File(text) for path, text in texts.items()}
    declared = {}
    for path, file in files.items():
        if path.endswith(".h"):
            for name in file.for_others:
                declared.setdefault(name, path)
    problems = []
    for path, file in files.items():
        own, others = all_included(path, files)
        missing = (file.words & declared.keys()) - file.own
        for header in own:
            missing -= files[header].words
        problems += [f"{path}: {name} is declared in {declared[name]}" for name in sorted(missing)]
        problems += [f"{path}: {library}:: has no header" for library in sorted(file.libraries)
                     if not any(header.startswith(kHeadersOf[library]) for header in others)]
    return problems


# What is right, what is in a neighbour alone, and names that stand for something else.
header = 'enum class SortOfThing { kOne };\nstruct ForwardDeclared;\n'
assert not unseen({"a/b.h": header, "a/c.h": '#include "a/b.h"\n', "a/d.cpp": '#include "a/c.h"\nSortOfThing f();\n'})
assert unseen({"a/b.h": header, "a/d.cpp": "// one\nSortOfThing f();\n"}) == [
    "a/d.cpp: SortOfThing is declared in a/b.h"]
assert not unseen({"a/b.h": header, "a/d.cpp": '// SortOfThing\nauto s = "SortOfThing";\nllvm::SortOfThing t;\n'
                                               "struct ForwardDeclared { int a; };\n"})
assert not unseen({"a/b.h": header, "a/d.cpp": "struct SortOfThing {};\nSortOfThing a;\n"})
assert unseen({"a.cpp": '#include "b.h"\nauto s = fmt::format("");\n', "b.h": "#include <string>\n"}) == [
    "a.cpp: fmt:: has no header"]
assert not unseen({"a.cpp": '#include "b.h"\nauto s = fmt::format("");\n', "b.h": "#include <fmt/format.h>\n"})

root = sys.argv[1]
# CUDA's headers are those of a toolkit: they stand for another library. Users' projects have includes of their own.
kOthers = ("cuda/include", "tests/cmake")
texts = {}
for folder, folders, names in os.walk(root):
    inner = {name: os.path.relpath(os.path.join(folder, name), root) for name in folders + names}
    folders[:] = [name for name in folders if not inner[name].startswith((".", "build")) and inner[name] not in kOthers]
    for name in names:
        if name.endswith((".cpp", ".h")):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts[inner[name]] = file.read()
problems = unseen(texts)
assert len(texts) > 1000, len(texts)
sys.exit("\n".join(problems + ["Include what declares it."]) if problems else 0)
