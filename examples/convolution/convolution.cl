// result(x, y) = sum of weights[dy][dx] * source(x + dx, y + dy) over |dx|, |dy| <= radius, for each
// channel. The sampler says what lies outside of the source; a negative radius gives zeros.
__kernel void convolve(__read_only image2d_t source, const sampler_t sampler,
                       __constant float *weights, const int radius,
                       __write_only image2d_t result)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= get_image_dim(result)))
        return;

    float4 sum = (float4)(0.0f);
    __constant const float *weight = weights;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
            sum += *weight++ * read_imagef(source, sampler, at + (int2)(dx, dy));

    write_imagef(result, at, sum);
}
