// A whole image, with the common transformations.
#include "png.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct source {
    const uint8_t *at;
    size_t left;
};
static void read_bytes(png_structp png, png_bytep to, size_t size) {
    struct source *source = png_get_io_ptr(png);
    if (size > source->left) png_error(png, "end");
    memcpy(to, source->at, size);
    source->at += size;
    source->left -= size;
}
static void quiet(png_structp png, png_const_charp text) {}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct source source = {data, size};
    if (size < 8 || png_sig_cmp(data, 0, 8)) return 0;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, quiet);
    png_infop info = png_create_info_struct(png);
    png_bytep volatile row = NULL;
    if (setjmp(png_jmpbuf(png))) {
        free(row);
        png_destroy_read_struct(&png, &info, NULL);
        return 0;
    }
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_read_fn(png, &source, read_bytes);
    png_read_info(png, info);
    png_uint_32 width, height;
    int depth, color, interlace;
    png_get_IHDR(png, info, &width, &height, &depth, &color, &interlace, NULL, NULL);
    if (width > 256 || height > 256) png_error(png, "large");
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_strip_16(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    row = malloc(png_get_rowbytes(png, info));
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < height; y++) png_read_row(png, row, NULL);
    png_read_end(png, info);
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
}
