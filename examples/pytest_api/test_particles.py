import pathlib

import gputest
import numpy
import pytest

KERNELS = pathlib.Path(__file__).parent / "particles.cl"
PARTICLE = numpy.dtype([("x", numpy.float32), ("v", numpy.float32), ("bounces", numpy.uint32)])


@pytest.fixture(params=["", "simulator"])
def device(request):
    return request.param


def advance(particles, device, global_size=4):
    gputest.run_kernel(KERNELS, "advance", particles, numpy.uint32(len(particles)), numpy.float32(0.5),
                       global_size=global_size, device=device)


def test_particles_bounce(device):
    particles = numpy.array([(0.25, 1, 0), (0.75, 1, 3), (0.25, -1, 0)], PARTICLE)
    advance(particles, device)
    assert particles.tolist() == [(0.75, 1, 0), (0.75, -1, 4), (0.25, 1, 1)]


def test_a_function_by_itself(device):
    x = numpy.array([-0.25, 0, 0.5, 1, 1.25], numpy.float32)
    result = gputest.run_function(KERNELS, "between_walls", x, gputest.out(numpy.float32, x.size),
                                  global_size=x.size, device=device)
    assert result.output("result").tolist() == [0.25, 0, 0.5, 1, 0.75]


def test_work_items_beyond_the_end_write_nothing():
    advance(numpy.zeros(3, PARTICLE), "simulator", global_size=8)


def test_a_count_that_is_too_large_is_found():
    with pytest.raises(gputest.CheckError, match="particles.cl:17"):
        gputest.run_kernel(KERNELS, "advance", numpy.zeros(3, PARTICLE), numpy.uint32(4),
                           numpy.float32(1), global_size=4, device="simulator")
