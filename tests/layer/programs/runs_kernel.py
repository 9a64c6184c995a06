"""Like runs_kernel.cpp, in Python."""
import sys

import gputest
import numpy

checked, other = numpy.array([1, 9, 5, 5], numpy.int32), numpy.array([6, 7], numpy.int32)
gputest.run_kernel(sys.argv[1], "clip", checked, numpy.int32(5), global_size=4)
gputest.run_kernel(sys.argv[1], "clip", other, numpy.int32(6), global_size=2)
sys.exit(0 if checked.tolist() == [1, 5, 5, 5] else "wrong")
