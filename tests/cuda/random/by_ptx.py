#!/usr/bin/env python3
"""Stands for the Clang that gputest-cuda starts (GPUTEST_CLANG): device code becomes PTX, where gputest-cuda wants bitcode.
GPUTEST_TEST_CLANG is the real one."""
import os
import sys

arguments = sys.argv[1:]
clang = os.environ["GPUTEST_TEST_CLANG"]
if "--cuda-device-only" in arguments:
    without = {"-emit-llvm", "-gline-tables-only", "-disable-llvm-passes"}
    left = []
    for argument in arguments:
        if argument in without:
            if argument == "-disable-llvm-passes":
                left.pop()  # -Xclang
        else:
            left.append("-S" if argument == "-c" else argument)
    arguments = left
os.execvp(clang, [clang, *arguments])
