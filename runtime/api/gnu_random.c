// Random numbers of BSD and GNU that musl lacks. Compiled into the bitcode library and, for native use, libtamar.a.
#include "include/gnu/stdlib.h"

#include <errno.h>
#include <stdint.h>
#include <sys/random.h>

void arc4random_buf(void *buffer, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t count = getrandom((char *)buffer + done, size - done < 256 ? size - done : 256, 0);
        if (count > 0) done += (size_t)count;
        if (count < 0 && errno != EINTR) abort();
    }
}

uint32_t arc4random(void) {
    uint32_t value;
    arc4random_buf(&value, sizeof value);
    return value;
}

// Returns a number below the bound, without bias: values below 2^32 modulo the bound are drawn again.
uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) return 0;
    uint32_t least = (0 - bound) % bound, value;
    do value = arc4random();
    while (value < least);
    return value % bound;
}

// glibc's additive generator (TYPE_3, 31 words) for any size of the state: srandom_r(1) gives the sequence of rand().
enum { WORDS = 31, APART = 3 };

int srandom_r(unsigned int seed, struct random_data *data) {
    if (!data || !data->state) return -1;
    int32_t *word = data->state;
    word[0] = seed ? (int32_t)seed : 1;
    for (int i = 1; i < WORDS; i++) {
        int64_t next = 16807LL * word[i - 1] % 2147483647;
        word[i] = (int32_t)(next < 0 ? next + 2147483647 : next);
    }
    data->fptr = word + APART;
    data->rptr = word;
    int32_t unused;
    for (int i = 0; i < 10 * WORDS; i++) random_r(data, &unused);
    return 0;
}

int random_r(struct random_data *data, int32_t *result) {
    if (!data || !result || !data->state) {
        errno = EINVAL;
        return -1;
    }
    uint32_t sum = (uint32_t)*data->fptr + (uint32_t)*data->rptr;
    *data->fptr = (int32_t)sum;
    *result = (int32_t)(sum >> 1);
    if (++data->fptr >= data->end_ptr) data->fptr = data->state;
    if (++data->rptr >= data->end_ptr) data->rptr = data->state;
    return 0;
}

int initstate_r(unsigned int seed, char *state, size_t size, struct random_data *data) {
    if (!data || size < (WORDS + 1) * sizeof(int32_t)) {
        errno = EINVAL;
        return -1;
    }
    data->rand_type = 3;
    data->rand_deg = WORDS;
    data->rand_sep = APART;
    data->state = (int32_t *)(void *)state + 1;
    data->end_ptr = data->state + WORDS;
    return srandom_r(seed, data);
}
