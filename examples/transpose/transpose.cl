#define TILE 16
#define ROWS 4 /* of the group; each work-item moves TILE / ROWS pixels */

/* Pixels of the tile's column of this work-item, as far as the image reaches. */
#define EACH_ROW(y, first, limit) \
    for (uint y = get_local_id(1); y < TILE && first + y < limit; y += ROWS)

/* Transposes a stack of images, layer by layer (the third dimension of the launch). The second
 * dimension has ROWS work-items for each TILE rows of the image. */
__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(__global const uchar4 *restrict in, __global uchar4 *restrict out,
               const uint width, const uint height)
{
    __local uchar4 tile[TILE][TILE + 1]; /* one column more: no bank conflicts */
    const uint x = get_local_id(0);
    const uint left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    const size_t layer = get_global_id(2) * width * height;

    EACH_ROW(y, top, height)
        if (left + x < width)
            tile[y][x] = in[layer + (top + y) * width + left + x];

    barrier(CLK_LOCAL_MEM_FENCE);

    EACH_ROW(y, left, width)
        if (top + x < height)
            out[layer + (left + y) * height + top + x] = tile[x][y];
}
