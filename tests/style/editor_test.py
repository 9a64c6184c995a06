"""editor_test.py <checkout> <cmake>: what docs/install.md has for presets and for editors works as it stands."""

import json
import os
import re
import subprocess
import sys
import tempfile

checkout, cmake = sys.argv[1:]


def read(name):
    with open(os.path.join(checkout, name), encoding="utf-8") as file:
        return file.read()


presets, tasks = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", read("docs/install.md"), re.S))

with tempfile.TemporaryDirectory() as project:
    with open(os.path.join(project, "CMakePresets.json"), "w", encoding="utf-8") as file:
        json.dump(presets, file)
    for kind in ("configure", "build", "test", "workflow"):
        listed = subprocess.run([cmake, f"--list-presets={kind}"], cwd=project, capture_output=True, text=True,
                                check=True).stdout
        assert '"kernels"' in listed, listed

# The survivor of README.md is a problem with its place; what is no message with a place is none.
survivor = next(line for line in read("README.md").splitlines() if line.endswith("survived (1 case reached it)"))
for task in tasks["tasks"]:
    pattern = task["problemMatcher"]["pattern"]
    found = re.match(pattern["regexp"], survivor)
    assert found and found.group(pattern["file"], pattern["line"], pattern["column"]) == ("saxpy.cl", "3", "18")
    assert found.group(pattern["severity"]) is None and "gpu_index_decrement" in found.group(pattern["message"])
    error = re.match(pattern["regexp"], "/home/me/k.cl:12:7: error: expected ';'")
    assert error.group(pattern["file"], pattern["severity"]) == ("/home/me/k.cl", "error")
    for line in ("saxpy                             16/20  80 %", "Report: /home/me/build/gputest/mutation.html",
                 "12:34:56 all is well", "note: k.cl:1:1: is not measured"):
        assert not re.match(pattern["regexp"], line), line

# The same of the tasks that `gputest init --vscode` writes, and lines as `gputest watch` has them.
written = json.loads(read("templates/vscode/tasks.json"))
assert [task["label"] for task in written["tasks"] if task["problemMatcher"] == []] == ["gputest: configure"]
for task in filter(lambda task: task["problemMatcher"], written["tasks"]):
    pattern = task["problemMatcher"]["pattern"]
    for line, file, severity in (
            (survivor, "saxpy.cl", None), ("/home/me/my k.cl:12:7: error: expected ';'", "/home/me/my k.cl", "error"),
            ("saxpy.cl:4:7: branch 'i < n' was never false", "saxpy.cl", None),
            ("    new: saxpy.cl:4:7: branch 'i < n' was never false", "saxpy.cl", None)):
        found = re.match(pattern["regexp"], line)
        assert found and found.group(pattern["file"], pattern["severity"]) == (file, severity), line
    for line in ("saxpy                             16/20  80 %", "Report: /home/me/build/gputest/mutation.html", "12:34:56 all is well",
                 "note: k.cl:1:1: is not measured", "1/4 Test #3: scale.test ......   Passed    0.85 sec", "  data[3]: expected 9, got 8"):
        assert not re.match(pattern["regexp"], line), line
assert written["tasks"][-1]["problemMatcher"]["background"] == tasks["tasks"][1]["problemMatcher"]["background"]
for name in ("launch", "settings", "extensions"):
    json.loads(read(f"templates/vscode/{name}.json"))

# The words that say where a run of `gputest watch` begins and ends are those that it prints.
background = tasks["tasks"][1]["problemMatcher"]["background"]
for key, line in (("beginsPattern", "watch: saxpy.cl changed"), ("endsPattern", "watch: waiting for changes below /p")):
    assert re.match(background[key], line), line
watch = read("driver/watch/watch.cpp")
assert '"watch: {}\\n"' in watch and '"{}{} changed"' in watch and '"waiting for changes below {}"' in watch

# Targets that a task offers are those of analyses.
table = read("cmake/functions/analyses.cmake")
kinds = set(re.search(r"PROPERTY gputest_analyses ([a-z][^)]*)\)", table).group(1).split())
assert set(tasks["inputs"][0]["options"]) <= kinds, kinds
