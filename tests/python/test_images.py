"""Images and samplers of the module gputest. Each kind is read and written beside NumPy."""
import gputest
import numpy
import pytest

TEXT = gputest.source_text("""
kernel void turn(read_only image2d_t from, write_only image2d_t to, sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int2 size = get_image_dim(from);
  write_imagef(to, at, 2 * read_imagef(from, sampler, (int2)(size.x - 1 - at.x, size.y - at.y)));
}
kernel void whole(read_only image2d_t from, global uint4* to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  to[at.y * get_image_width(from) + at.x] = read_imageui(from, at);
}
kernel void deep(read_only image3d_t from, global float4* to) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  to[(at.z * get_image_height(from) + at.y) * get_image_width(from) + at.x] = read_imagef(from, at);
}
kernel void layers(read_only image2d_array_t from, global float4* to) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  to[(at.z * get_image_height(from) + at.y) * get_image_width(from) + at.x] = read_imagef(from, at);
}
kernel void lines(read_only image1d_array_t from, global float4* to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  to[at.y * get_image_width(from) + at.x] = read_imagef(from, at);
}
kernel void line(read_only image1d_t from, read_only image1d_buffer_t more, global float4* to) {
  const int at = get_global_id(0);
  to[at] = read_imagef(from, at) + read_imagef(more, at);
}
""", "images.cl")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("GPUTEST_CACHE_DIR", str(tmp_path_factory.getbasetemp()))


def run(kernel, *arguments, size):
    return gputest.run_kernel(TEXT, kernel, *arguments, global_size=size, device="simulator")


def numbers(*shape):
    return numpy.arange(1, numpy.prod(shape) + 1, dtype=numpy.float32).reshape(shape)


def four(pixels):  # what a read gives: missing channels are 0, and alpha is 1
    made = numpy.zeros(pixels.shape[:-1] + (4,), numpy.float32)
    made[..., 3] = 1
    made[..., :pixels.shape[-1]] = pixels
    return made.reshape(-1)


@pytest.mark.parametrize("sampler, row", [(gputest.sampler(), -1), (gputest.sampler("clamp"), None)])
def test_images_come_back(sampler, row):
    pixels = numbers(3, 5, 4)
    to = numpy.zeros_like(pixels)
    run("turn", gputest.image2d(pixels), gputest.image2d(to), sampler, size=(5, 3))
    expected = numpy.zeros_like(pixels)
    expected[1:] = 2 * pixels[:0:-1, ::-1]
    if row is not None:
        expected[0] = 2 * pixels[row, ::-1]
    assert to.tolist() == expected.tolist()


def test_integers_and_orders():
    pixels = numpy.array([[[1, 2, 3, 4], [5, 6, 7, 8]]], numpy.uint8)
    found = run("whole", gputest.image2d(pixels), gputest.out(numpy.uint32, 8), size=(2, 1)).output("to")
    assert found.tolist() == pixels.reshape(-1).tolist()
    found = run("whole", gputest.image2d(pixels, order="BGRA"), gputest.out(numpy.uint32, 8), size=(2, 1)).output("to")
    assert found.tolist() == [3, 2, 1, 4, 7, 6, 5, 8]


@pytest.mark.parametrize("kernel, make, shape", [
    ("deep", gputest.image3d, (2, 3, 4, 2)),
    ("layers", gputest.image2d_array, (3, 2, 4, 1)),
    ("lines", gputest.image1d_array, (3, 5, 4)),
])
def test_kinds(kernel, make, shape):
    pixels = numbers(*shape)
    pixels.flags.writeable = False
    found = run(kernel, make(pixels), gputest.out(numpy.float32, int(numpy.prod(shape[:-1])) * 4), size=shape[-2::-1])
    assert found.output("to").tolist() == four(pixels).tolist()
    if shape[-1] == 1:  # one channel needs no axis
        found = run(kernel, make(pixels[..., 0]), gputest.out(numpy.float32, pixels.size * 4), size=shape[-2::-1])
        assert found.output("to").tolist() == four(pixels).tolist()


def test_lines_and_normalized_integers():
    line, more = numpy.array([0, 255, 51], numpy.uint8), numbers(3, 4)
    found = run("line", gputest.image1d(line, normalized=True), gputest.image1d_buffer(more),
                gputest.out(numpy.float32, 12), size=3).output("to")
    assert numpy.allclose(found, four(line.reshape(3, 1) / 255) + more.reshape(-1))


@pytest.mark.parametrize("image, message", [
    (gputest.image2d(numbers(5)), r"argument 0: gputest.image2d: the array has 1 dimensions, and needs 2, or one more"),
    (gputest.image2d(numbers(2, 2, 3)), "the last axis is the channels: 1, 2 or 4, not 3"),
    (gputest.image2d(numbers(2, 2, 4), order="RG"), "the order RG has 2 channels, and the array 4"),
    (gputest.image2d(numbers(2, 2, 4), order="rgba"), "'rgba' is no order: R, RG, RGBA"),
    (gputest.image2d(numbers(2, 2), normalized=True), "no float is normalized"),
    (gputest.image2d(numbers(2, 2).astype(numpy.float64)), "no image has channels of the array's type"),
    (gputest.image2d(numbers(2, 4)[:, ::2]), "the array is not contiguous"),
    (gputest.image3d(numbers(2, 2, 2)), "argument 0 'from' is 'image2d_t', but an 'image3d_t' was given"),
    (numbers(4), "argument 0 'from' is 'image2d_t', but a buffer of 'float' was given"),
])
def test_mistakes(image, message):
    with pytest.raises(gputest.UsageError, match=message):
        run("whole", image, gputest.out(numpy.uint32, 16), size=(2, 2))


def test_samplers_have_names():
    there_are = "is not supported; there are:"
    with pytest.raises(gputest.UsageError, match=f"^gputest.sampler: addressing_mode 'round' {there_are} none, clamp"):
        gputest.sampler("round")
    with pytest.raises(gputest.UsageError, match=f"filter_mode 'cubic' {there_are} nearest, linear"):
        gputest.sampler(filter_mode="cubic")


def test_what_is_not_writeable_is_not_written():
    pixels = numbers(2, 2, 4)
    constant = pixels.copy()
    constant.flags.writeable = False
    with pytest.raises(gputest.UsageError, match="to"):
        run("turn", gputest.image2d(pixels), gputest.image2d(constant), gputest.sampler(), size=(2, 2))
