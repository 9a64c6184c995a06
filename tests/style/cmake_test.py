#!/usr/bin/env python3
# cmake_test.py <checkout>
#
# The product's CMake: lines of at most 100 columns; no macros and no ${ARGN}; functions that read
# only what they have set or received; targets without sources of other folders.
import re
import subprocess
import sys
from pathlib import Path

COLUMNS = 100

# What everybody may read: CMake's own variables, and options that users set.
KNOWN = re.compile(
    r"(CMAKE_\w+|PROJECT_\w+|ARG[NVC](\d*|\$\{i\})|BUILD_TESTING|LLVM_\w+|CLANG_\w+"
    r"|GPUTEST_(EXECUTABLE|TARGET_PREFIX|AGAINST|FAIL_ON|PATCH_COVERAGE|TIME_LIMIT"
    r"|PRECOMPILED_HEADERS|WARNINGS_AS_ERRORS|FAST_BUILD))$")

TOKEN = re.compile(r'\s+|#[^\n]*|\[(=*)\[.*?\]\1\]|"(?:\\.|[^"\\])*"|\(|\)|(?:\\.|[^\s()"#\\])+', re.S)
READ = re.compile(r"\$\{((?:[^${}]|\$\{[^{}]*\})*)\}")
CONDITIONS = {"if", "elseif", "while"}
# Subcommands whose first variable is only read.
READERS = {("list", word) for word in ("LENGTH", "GET", "JOIN", "FIND", "SUBLIST")}


def commands(text):
    """The commands of a file: (line, name, [(text, is quoted)])."""
    result, position, stack, name, line = [], 0, None, None, 1
    while position < len(text):
        match = TOKEN.match(text, position)
        token = match.group(0) if match else text[position]
        if token.isspace() or token.startswith("#"):
            pass
        elif stack is None and token == "(":
            stack, arguments = 1, []
        elif stack is None:
            name, line = token.lower(), text.count("\n", 0, position) + 1
        elif token == ")" and stack == 1:
            result.append((line, name, arguments))
            stack = None
        else:
            stack += (token == "(") - (token == ")")
            quoted = token.startswith('"')
            arguments.append((token[1:-1] if quoted else token, quoted))
        position += len(token)
    return result


def pattern(name):
    """A name that may hold ${…} as a regular expression."""
    return ".*".join(map(re.escape, READ.split(name)[::2]))


def reads(command):
    """Names of variables that a command reads; parts that are ${…} stay."""
    _, name, arguments = command
    found = []
    for text, quoted in arguments:
        if text.startswith("[=") or text.startswith("[["):
            continue
        waiting = [text.replace("\\$", "")]
        while waiting:
            for inner in READ.findall(waiting.pop()):
                found.append(inner)
                waiting.append(inner)
    bare = [(text, quoted) for text, quoted in arguments if not quoted]
    if name in CONDITIONS:
        previous = ""
        for text, quoted in arguments:
            if not quoted and re.fullmatch(r"[a-z][a-z_0-9]*|arg_\w+", text) and previous not in (
                    "TARGET", "TEST", "EXISTS", "COMMAND", "POLICY", "MATCHES"):
                found.append(text)
            previous = text
    if name == "foreach" and ("LISTS", False) in arguments:
        for text, _ in arguments[arguments.index(("LISTS", False)) + 1:]:
            if text == "ITEMS":
                break
            found.append(text)
    if name == "list" and bare and ("list", bare[0][0]) in READERS and len(bare) > 1:
        found.append(bare[1][0])
    return [one for one in found if not one.startswith("ENV{")]


def sets(command):
    """Names that a command may set: each word that can be the name of a variable."""
    _, name, arguments = command
    if name in CONDITIONS:
        return []
    if name == "foreach":
        return [arguments[0][0]]
    if name == "cmake_parse_arguments":
        words = [text for text, _ in arguments]
        prefix = words[2] if words[0] == "PARSE_ARGV" else words[0]
        return [prefix + "_${any}"]
    words = [text for text, quoted in arguments if not quoted]
    if name == "list" and ("list", words[0]) in READERS:
        words = words[2:]
    return [word for word in words if re.fullmatch(r"(?:\w|\$\{\w+\})+", word)]


def in_functions(text):
    """What functions read that they have not set before: (line, function, name)."""
    problems, function, known = [], None, []
    for command in commands(text):
        line, name, arguments = command
        if name == "function":
            function = arguments[0][0]
            known = [re.escape(argument) for argument, _ in arguments[1:]]
        elif name == "endfunction":
            function = None
        elif function:
            for read in reads(command):
                if KNOWN.match(read) or any(re.fullmatch(one, read) for one in known):
                    continue
                if "${" in read:
                    start = pattern(read)
                    if any(re.fullmatch(start, one.replace(".*", "x").replace("\\", ""))
                           or one == start for one in known) or KNOWN.match(read.split("$")[0] + "x"):
                        continue
                problems.append((line, function, read))
            known += [pattern(one) for one in sets(command)]
    return problems


def problems_of(name, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > COLUMNS:
            found.append(f"{name}:{number}: {len(line)} columns, and {COLUMNS} are the most")
    for line, command, arguments in commands(text):
        if command == "macro":
            found.append(f"{name}:{line}: a macro sets and reads variables of its caller: write a "
                         "function")
        for argument, _ in arguments:
            if "${ARGN}" in argument or argument == "ARGN":
                found.append(f"{name}:{line}: ${{ARGN}}: use PARSE_ARGV")
            if command in ("add_library", "add_executable", "target_sources") and re.match(
                    r"(\.\./|\$\{(PROJECT|CMAKE)_SOURCE_DIR\}/).*\.(c|cc|cpp|cu)$", argument):
                found.append(f"{name}:{line}: {argument} belongs to another folder's target: link "
                             "that")
    for line, function, read in in_functions(text):
        found.append(f"{name}:{line}: {function}() reads {read}, which is its caller's: give it as "
                     "an argument")
    return found


# Each of these is one problem, and the last ones are none.
WRONG = [
    "set(x " + "a" * 100 + ")",
    "macro(f)\nendmacro()",
    "function(f x)\n  set(y ${ARGN})\nendfunction()",
    "function(f x)\n  message(\"${y}\")\nendfunction()",
    "function(f x)\n  if(DEFINED arg_TARGET)\n  endif()\nendfunction()",
    "function(f x)\n  set(z ${of_${x}})\nendfunction()",
    "function(f)\n  foreach(x IN LISTS all)\n  endforeach()\nendfunction()",
    "function(f)\n  list(LENGTH all count)\nendfunction()",
    "function(f)\n  set(x 1)\nendfunction()\nfunction(g)\n  set(y ${x})\nendfunction()",
    "add_library(a b.cpp ../c/d.cpp)",
]
RIGHT = [
    "set(y ${x})",
    "function(f x)\n  g(y)\n  set(${x} \"${y}\" PARENT_SCOPE)\nendfunction()",
    "function(f x)\n  set(of_${x} 1)\n  set(z ${of_${x}})\nendfunction()",
    "function(f)\n  cmake_parse_arguments(PARSE_ARGV 0 arg \"\" \"A\" \"\")\n  if(arg_A AND NOT "
    "TARGET b)\n  endif()\nendfunction()",
]
for text in WRONG:
    assert len(problems_of("x", text)) == 1, (text, problems_of("x", text))
for text in RIGHT:
    assert not problems_of("x", text), (text, problems_of("x", text))

root = Path(sys.argv[1])
listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
names = listed.stdout.split("\n") if listed.returncode == 0 else [
    str(path.relative_to(root)) for path in root.rglob("*")]
names = [name for name in names
         if re.search(r"(^|/)CMakeLists\.txt$|\.cmake(\.in)?$", name)
         and not re.match(r"(tests|build|templates)/", name) and (root / name).is_file()]
problems = [problem for name in names for problem in problems_of(name, (root / name).read_text())]
assert len(names) > 50, names
sys.exit("\n".join(problems) or 0)
