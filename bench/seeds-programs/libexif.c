// All entries of a block of EXIF data, as text.
#include <libexif/exif-data.h>
#include <stddef.h>
#include <stdint.h>
static void show_entry(ExifEntry *entry, void *context) {
    char text[256];
    exif_entry_get_value(entry, text, sizeof text);
}
static void show_content(ExifContent *content, void *context) {
    exif_content_foreach_entry(content, show_entry, context);
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ExifData *exif = exif_data_new();
    if (!exif) return 0;
    exif_data_load_data(exif, data, (unsigned)size);
    exif_data_foreach_content(exif, show_content, NULL);
    exif_data_unref(exif);
    return 0;
}
