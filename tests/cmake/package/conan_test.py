"""conan_test.py <checkout> <version>: the recipe, with a module that stands for Conan."""

import importlib.util
import os
import re
import shutil
import sys
import tempfile
import types

checkout, version = sys.argv[1:]
asked = {}


class ConanFile:
    pass


class CMakeToolchain:
    def __init__(self, recipe):
        self.cache_variables = asked

    def generate(self):
        pass


class Apt:
    def __init__(self, recipe):
        pass

    def install(self, packages):
        asked["packages"] = packages


def copy(recipe, pattern, source, target):
    if pattern == "*":
        assert os.path.isdir(source), source
        os.makedirs(target, exist_ok=True)
    else:
        shutil.copy(os.path.join(source, pattern), target)


for name in ("conan", "conan.tools", "conan.tools.cmake", "conan.tools.files", "conan.tools.system",
             "conan.tools.system.package_manager"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["conan"].ConanFile = ConanFile
sys.modules["conan.tools.cmake"].CMake = object
sys.modules["conan.tools.cmake"].CMakeToolchain = CMakeToolchain
sys.modules["conan.tools.files"].copy = copy
sys.modules["conan.tools.system.package_manager"].Apt = Apt

spec = importlib.util.spec_from_file_location("recipe", os.path.join(checkout, "packaging/conan/conanfile.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
recipe = module.GpuTestCheck()
assert recipe.version == version, recipe.version

# Every folder that the build adds is among the sources.
with tempfile.TemporaryDirectory() as sources:
    recipe.recipe_folder = os.path.join(checkout, "packaging/conan")
    recipe.export_sources_folder = sources
    recipe.export_sources()
    with open(os.path.join(sources, "CMakeLists.txt"), encoding="utf-8") as text:
        project = text.read()
    for folder in re.findall(r"add_subdirectory\((\S+)\)", project):
        if folder not in ("tests", "examples", "benchmarks"):
            assert os.path.isdir(os.path.join(sources, folder.split("/")[0])), folder

# Its options are ours.
recipe.generate()
with open(os.path.join(checkout, "python/CMakeLists.txt"), encoding="utf-8") as text:
    project += text.read()
for option in asked:
    assert f"option({option} " in project, option

# Its packages are those of quickstart.sh.
recipe.system_requirements()
with open(os.path.join(checkout, "quickstart.sh"), encoding="utf-8") as text:
    known = set(re.search(r"packages=\(([^)]*)\)", text.read()).group(1).split())
assert set(asked["packages"]) <= known, set(asked["packages"]) - known
