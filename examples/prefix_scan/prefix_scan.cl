// Inclusive prefix sums of blocks of one work-group each, after Hillis and Steele. `scratch` holds
// two buffers of the group's size: a step reads the one and writes the other, so one barrier for
// each step is enough. block_sums[g] is the sum of block g, which the scan of the next level needs.
__kernel void scan_blocks(__global const int *restrict input, __global int *restrict output,
                          __global int *restrict block_sums, uint n, __local int *scratch)
{
    const size_t gid = get_global_id(0);
    const size_t lid = get_local_id(0);
    const size_t width = get_local_size(0);
    __local int *from = scratch + width, *to = scratch;

    to[lid] = gid < n ? input[gid] : 0;

    for (size_t offset = 1; offset < width; offset <<= 1) {
        __local int *const swapped = from;
        from = to, to = swapped;
        barrier(CLK_LOCAL_MEM_FENCE);
        to[lid] = lid >= offset ? from[lid] + from[lid - offset] : from[lid];
    }

    if (gid < n)
        output[gid] = to[lid];
    if (lid == width - 1)
        block_sums[get_group_id(0)] = to[lid];
}
