"""Programs of this folder: how they are compiled and run."""
import os
import subprocess
import sys


def run(compiler, source, text, options):
    """Returns whether the program ends well, and prints what it says."""
    with open(source, "w") as out:
        out.write(text)
    here = os.path.dirname(os.path.abspath(__file__))
    made = subprocess.run([compiler, "-std=c++17", "-I" + here, source, "-o", source[:-3]] + options, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        print(made.stdout[-20000:])
        print("%s: does not compile" % source)
        return False
    ran = subprocess.run([source[:-3]], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(ran.stdout, end="")
    return ran.returncode == 0


def settings():
    """The compiler, the folder, the seed, the compiler's options, how many rounds (0: a few calls), and a pattern of calls."""
    compiler, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    return (compiler, folder, int(sys.argv[3]) if len(sys.argv) > 3 else 1, sys.argv[4:],
            int(os.environ.get("GPUTEST_RANDOM", "0")), os.environ.get("GPUTEST_FUNCTIONS"))
