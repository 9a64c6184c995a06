"""Clips each number that it is given."""
import pathlib
import sys

import gputest
import numpy

for number in sys.argv[1:]:
    data = numpy.array([int(number)], numpy.int32)
    gputest.run_kernel(pathlib.Path(__file__).with_name("clip.cl"), "clip", data, numpy.int32(5),
                       global_size=1, device="simulator")
    assert data[0] == min(int(number), 5)
