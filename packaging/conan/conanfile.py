# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conan create packaging/conan: GpuTestCheck from the checkout that this file is in."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy
from conan.tools.system.package_manager import Apt


class GpuTestCheck(ConanFile):
    name = "gputestcheck"
    version = "0.1.0"
    description = "Coverage, mutation and schedules for GPU kernels, as CMake and CTest functions"
    license = "Apache-2.0 WITH LLVM-exception"
    settings = "os", "compiler", "build_type", "arch"
    package_type = "application"
    no_copy_source = True
    folders_of_sources = (
        "cmake", "cuda", "driver", "frontend", "hostgen", "ir", "layer", "memory", "model", "packaging", "passes",
        "process", "program", "python", "report", "runtime", "simulator", "store", "templates", "testgen")

    def system_requirements(self):
        # Clang's libraries are not on ConanCenter, and all of it has to be of one build of LLVM.
        Apt(self).install(
            ["clang-19", "llvm-19-dev", "libclang-19-dev", "libclang-cpp19-dev", "libclc-19", "libclc-19-dev",
             "opencl-headers", "opencl-clhpp-headers", "ocl-icd-opencl-dev", "libcxxopts-dev", "libfmt-dev",
             "libfftw3-dev", "liblapacke-dev", "libmd-dev", "libopenblas-dev", "libsqlite3-dev", "libz3-dev", "nlohmann-json3-dev"])

    def export_sources(self):
        checkout = os.path.join(self.recipe_folder, "..", "..")
        for file in ("CMakeLists.txt", "LICENSE", "NOTICE"):
            copy(self, file, checkout, self.export_sources_folder)
        for folder in self.folders_of_sources:
            copy(self, "*", os.path.join(checkout, folder), os.path.join(self.export_sources_folder, folder))

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GPUTEST_BUILD_TESTS"] = False
        toolchain.cache_variables["GPUTEST_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["GPUTEST_BUILD_PYTHON"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package() is to find what CMake has installed, not what Conan would write.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "GpuTestCheck")]
        self.cpp_info.bindirs = ["bin"]
        self.cpp_info.libs = ["gputest_runtime"]
        self.buildenv_info.prepend_path("PATH", os.path.join(self.package_folder, "bin"))
