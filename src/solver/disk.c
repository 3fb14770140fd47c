// The layer `disk`: answers of earlier runs, in an LMDB file from canonical names to answers, and answers of other
// workers, in shared memory (shared.h).
//
// A damaged file neither changes an answer nor blocks the solver. A record carries a checksum; a model is evaluated
// like any other. A refutation with the right checksum is accepted, so the file must come from a trusted user.
// Operations that could block (opening, the writer's lock, syncing) run in a separate thread, for which the solver
// waits a bounded time. LMDB maps its file into memory: a fault or a failed assertion caused by a damaged file is
// caught. The solver then prints one warning and stops using the cache; the file stays as it is.
#include "solver/cache_int.h"

#include "base/error.h"
#include "solver/shared.h"

#include <lmdb.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define FORMAT      "tamar solver cache 1"
#define OPEN_WAIT   1.0 // seconds that the solver waits for the file to open
#define CLOSE_WAIT  2.0
#define BATCH       NORMAL_OR_HOSTILE(512u, 1u) // records that wake the writer
#define MOST_QUEUED 65536u

struct disk_record {
    struct digest name;
    uint8_t *value;
    uint32_t size;
};

// Records to be written to the file. Two threads use them, so they come from malloc: the counts of base/alloc.h
// belong to the solver's thread.
struct disk_batch {
    struct disk_record *at;
    uint32_t count, capacity;
};

enum disk_phase { OPENING, READY, GIVEN_UP };

struct disk {
    char *file;
    size_t size;
    MDB_env *env;
    MDB_dbi db;
    MDB_txn *reader; // made by the thread, used by the solver
    pthread_t thread;
    pthread_mutex_t mutex; // guards the fields below
    pthread_cond_t changed;
    enum disk_phase phase;
    char reason[160];
    bool closing, closed, warned;
    struct disk_batch queue;
};

// Faults while LMDB reads a damaged file

static _Thread_local sigjmp_buf *guard;
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE}; // LMDB divides by the page size of the file
static struct sigaction old_actions[COUNT(faults)];
static unsigned handlers; // number of open caches

static void restore_handlers(void) {
    for (unsigned i = 0; i < COUNT(faults); i++) sigaction(faults[i], &old_actions[i], NULL);
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    if (guard) siglongjmp(*guard, 1);
    // Not a fault of LMDB: the faulting instruction is executed again, with the old handler installed.
    restore_handlers();
}

static void on_assertion(MDB_env *env, const char *message) {
    if (guard) siglongjmp(*guard, 1);
    error_internal("LMDB: %s", message);
}

static void install_handlers(void) {
    if (handlers++) return;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    for (unsigned i = 0; i < COUNT(faults); i++) sigaction(faults[i], &action, &old_actions[i]);
}

static void remove_handlers(void) {
    assert(handlers > 0);
    if (--handlers) return;
    restore_handlers();
}

// Runs `step`; a fault in it becomes MDB_CORRUPTED.
static int guarded(int (*step)(struct disk *, void *), struct disk *disk, void *argument) {
    sigjmp_buf buffer;
    int result = MDB_CORRUPTED;
    assert(!guard); // one step at a time per thread
    if (sigsetjmp(buffer, 1) == 0) {
        guard = &buffer;
        result = step(disk, argument);
    }
    guard = NULL;
    return result;
}

static void give_up(struct disk *disk, const char *reason) {
    pthread_mutex_lock(&disk->mutex);
    if (disk->phase != GIVEN_UP) snprintf(disk->reason, sizeof disk->reason, "%s", reason);
    disk->phase = GIVEN_UP;
    pthread_cond_broadcast(&disk->changed);
    pthread_mutex_unlock(&disk->mutex);
}

// Whether the cache can be used; called in the solver's thread. Warns once when the cache cannot be used.
static bool is_ready(struct disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    bool ready = disk->phase == READY, warn = disk->phase == GIVEN_UP && !disk->warned;
    disk->warned |= warn;
    pthread_mutex_unlock(&disk->mutex);
    if (warn) user_warning("solver cache %s: %s; continuing without it", disk->file, disk->reason);
    return ready;
}

static struct timespec after(double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9) % 1000000000;
    until.tv_sec += (time_t)seconds + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

// The thread

static const char format_key[] = "format";

// Returns 0 if the file has our format or is empty (`*fresh`), else an error of LMDB.
static int check_format(struct disk *disk, MDB_txn *txn, bool *fresh) {
    MDB_val key = {sizeof format_key, (void *)(uintptr_t)format_key}, value;
    MDB_stat statistics;
    int result = mdb_stat(txn, disk->db, &statistics);
    if (result) return result;
    *fresh = statistics.ms_entries == 0;
    if (*fresh) return 0;
    result = mdb_get(txn, disk->db, &key, &value);
    if (result == MDB_NOTFOUND) return MDB_VERSION_MISMATCH;
    if (result) return result;
    bool same = value.mv_size == sizeof FORMAT && !memcmp(value.mv_data, FORMAT, sizeof FORMAT);
    return same ? 0 : MDB_VERSION_MISMATCH;
}

static int open_step(struct disk *disk, void *argument) {
    int result = mdb_env_create(&disk->env), dead;
    if (result) return result;
    mdb_env_set_assert(disk->env, on_assertion);
    mdb_env_set_mapsize(disk->env, disk->size);
    result = mdb_env_open(disk->env, disk->file, MDB_NOSUBDIR | MDB_NOTLS | MDB_NOMETASYNC, 0666);
    if (result) return result;
    mdb_reader_check(disk->env, &dead);
    result = mdb_txn_begin(disk->env, NULL, MDB_RDONLY, &disk->reader);
    if (result) return result;
    result = mdb_dbi_open(disk->reader, NULL, 0, &disk->db);
    bool fresh;
    if (!result) result = check_format(disk, disk->reader, &fresh);
    if (!result) mdb_txn_reset(disk->reader);
    return result;
}

static void batch_free(struct disk_batch *batch) {
    for (uint32_t i = 0; i < batch->count; i++) free(batch->at[i].value);
    free(batch->at);
    *batch = (struct disk_batch){0};
}

static int write_step(struct disk *disk, void *argument) {
    const struct disk_batch *batch = argument;
    MDB_txn *txn;
    int result = mdb_txn_begin(disk->env, NULL, 0, &txn);
    if (result) return result;
    bool fresh = false;
    result = check_format(disk, txn, &fresh);
    if (!result && fresh) {
        MDB_val key = {sizeof format_key, (void *)(uintptr_t)format_key},
                value = {sizeof FORMAT, (void *)(uintptr_t)FORMAT};
        result = mdb_put(txn, disk->db, &key, &value, 0);
    }
    for (uint32_t i = 0; i < batch->count && !result; i++) {
        MDB_val key = {sizeof batch->at[i].name, &batch->at[i].name},
                value = {batch->at[i].size, batch->at[i].value};
        result = mdb_put(txn, disk->db, &key, &value, MDB_NOOVERWRITE);
        if (result == MDB_KEYEXIST) result = 0; // another process was faster
    }
    if (!result) return mdb_txn_commit(txn);
    mdb_txn_abort(txn);
    return result;
}

static const char *explain(int result) {
    switch (result) {
    case MDB_MAP_FULL: return "it is full (give a larger size or another file)";
    case MDB_VERSION_MISMATCH: return "it was written by another version or another program";
    case MDB_INVALID:
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_PANIC: return "it is damaged (remove it)";
    default: return mdb_strerror(result);
    }
}

static void *serve(void *argument) {
    struct disk *disk = argument;
    int result = guarded(open_step, disk, NULL);
    if (result) give_up(disk, explain(result));
    pthread_mutex_lock(&disk->mutex);
    if (disk->phase == OPENING) disk->phase = READY;
    pthread_cond_broadcast(&disk->changed);
    while (disk->phase == READY && !(disk->closing && !disk->queue.count)) {
        if (!disk->closing && disk->queue.count < BATCH) {
            pthread_cond_wait(&disk->changed, &disk->mutex);
            continue;
        }
        struct disk_batch batch = disk->queue;
        disk->queue = (struct disk_batch){0};
        pthread_mutex_unlock(&disk->mutex);
        result = guarded(write_step, disk, &batch);
        if (result) give_up(disk, explain(result));
        pthread_mutex_lock(&disk->mutex);
        batch_free(&batch);
    }
    disk->closed = true;
    pthread_cond_broadcast(&disk->changed);
    pthread_mutex_unlock(&disk->mutex);
    return NULL;
}

// The solver's side

struct disk *disk_open(const char *file, size_t size) {
    struct disk *disk = NEW(struct disk);
    disk->file = mem_strdup(file);
    disk->size = align_up(MAX(size, (size_t)65536), 4096);
    pthread_mutex_init(&disk->mutex, NULL);
    pthread_cond_init(&disk->changed, NULL);
    install_handlers();
    if (pthread_create(&disk->thread, NULL, serve, disk)) {
        give_up(disk, "no thread can be started");
        disk->closed = true;
        return disk;
    }
    struct timespec until = after(OPEN_WAIT);
    pthread_mutex_lock(&disk->mutex);
    int wait = 0;
    while (disk->phase == OPENING && !wait)
        wait = pthread_cond_timedwait(&disk->changed, &disk->mutex, &until);
    bool late = disk->phase == OPENING;
    pthread_mutex_unlock(&disk->mutex);
    if (late) give_up(disk, "it is locked by another process");
    is_ready(disk);
    return disk;
}

void disk_close(struct disk *disk) {
    if (!disk) return;
    struct timespec until = after(CLOSE_WAIT);
    pthread_mutex_lock(&disk->mutex);
    disk->closing = true;
    pthread_cond_broadcast(&disk->changed);
    int wait = 0;
    while (!disk->closed && !wait) wait = pthread_cond_timedwait(&disk->changed, &disk->mutex, &until);
    bool closed = disk->closed, healthy = disk->phase == READY;
    pthread_mutex_unlock(&disk->mutex);
    remove_handlers();
    if (!closed) { // the thread waits for another process's lock: it keeps its data, and ends with our process
        user_warning("solver cache %s: it is locked by another process; the latest answers are not stored",
                     disk->file);
        pthread_detach(disk->thread);
        return;
    }
    pthread_join(disk->thread, NULL);
    if (healthy) { // else LMDB's state must not be touched
        mdb_txn_abort(disk->reader);
        mdb_env_close(disk->env);
    } else {
        is_ready(disk);
    }
    batch_free(&disk->queue);
    pthread_cond_destroy(&disk->changed);
    pthread_mutex_destroy(&disk->mutex);
    mem_free_string(disk->file);
    DELETE(disk);
}

// A value: checksum, answer, one byte for each var in canonical order.
#define HEADER 9u

static uint64_t checksum(const struct digest *name, const uint8_t *value, size_t size) {
    return hash_bytes(value + 8, size - 8, hash_combine(name->a, name->b));
}

struct lookup {
    struct digest name;
    vec(uint8_t) value;
};

static int read_step(struct disk *disk, void *argument) {
    struct lookup *lookup = argument;
    MDB_val key = {sizeof lookup->name, &lookup->name}, value;
    int result = mdb_txn_renew(disk->reader);
    if (result) return result;
    result = mdb_get(disk->reader, disk->db, &key, &value);
    if (!result && value.mv_size < 1u << 20) {
        vec_reserve(&lookup->value, value.mv_size);
        memcpy(lookup->value.at, value.mv_data, value.mv_size);
        lookup->value.count = (uint32_t)value.mv_size;
    }
    mdb_txn_reset(disk->reader);
    return result;
}

static enum answer look_at_shared(struct query *query, const struct digest *name) {
    struct shared_answer answer = {.name = *name};
    if (!shared_find(cache_shared(query->solver), &answer)) return ANSWER_UNKNOWN;
    if (answer.refuted) return ANSWER_NO;
    return cache_take(query, answer.model, answer.size) ? ANSWER_YES : ANSWER_UNKNOWN;
}

static enum answer look_at_file(struct query *query, const struct digest *name) {
    struct disk *disk = query->solver->disk;
    struct lookup lookup = {.name = *name};
    int result = guarded(read_step, disk, &lookup);
    if (result && result != MDB_NOTFOUND) give_up(disk, explain(result));
    enum answer answer = ANSWER_UNKNOWN;
    uint64_t sum;
    if (!result && lookup.value.count >= HEADER) {
        memcpy(&sum, lookup.value.at, 8);
        if (sum == checksum(name, lookup.value.at, lookup.value.count)) {
            answer = lookup.value.at[8] == ANSWER_NO ? ANSWER_NO : ANSWER_UNKNOWN;
            if (lookup.value.at[8] == ANSWER_YES &&
                cache_take(query, lookup.value.at + HEADER, lookup.value.count - HEADER))
                answer = ANSWER_YES;
        }
    }
    vec_free(&lookup.value);
    return answer;
}

enum answer solver_layer_disk(struct query *query) {
    struct disk *disk = query->solver->disk;
    bool file = disk && is_ready(disk), shared = cache_shared(query->solver) != NULL;
    const struct digest *name = !file && !shared               ? NULL
                                : query->solver->options.cache ? cache_last_name(query)
                                                               : cache_name(query);
    enum answer answer = name && shared ? look_at_shared(query, name) : ANSWER_UNKNOWN;
    return name && file && answer == ANSWER_UNKNOWN ? look_at_file(query, name) : answer;
}

// Adds a record. False: out of memory, or too many records are waiting.
static bool enqueue(struct disk_batch *queue, const struct disk_record *record) {
    assert(queue->count <= queue->capacity);
    if (queue->count >= MOST_QUEUED) return false;
    if (queue->count == queue->capacity) {
        uint32_t capacity = queue->capacity ? 2 * queue->capacity : 64;
        struct disk_record *at = realloc(queue->at, capacity * sizeof *at);
        if (!at) return false;
        queue->at = at;
        queue->capacity = capacity;
    }
    queue->at[queue->count++] = *record;
    return true;
}

void disk_learn(struct query *query, enum answer answer) {
    struct disk *disk = query->solver->disk;
    if (!is_ready(disk)) return;
    assert(answer != ANSWER_UNKNOWN);
    const var_list *order = cache_order(query);
    struct disk_record record = {.name = *cache_name(query)};
    record.size = HEADER + (answer == ANSWER_YES ? order->count : 0);
    record.value = malloc(record.size);
    if (!record.value) return;
    record.value[8] = (uint8_t)answer;
    for (uint32_t i = 0; i + HEADER < record.size; i++)
        record.value[HEADER + i] = query->found.at[query_position(query, order->at[i])];
    uint64_t sum = checksum(&record.name, record.value, record.size);
    memcpy(record.value, &sum, 8);
    pthread_mutex_lock(&disk->mutex);
    bool queued = enqueue(&disk->queue, &record);
    if (disk->queue.count >= BATCH) pthread_cond_signal(&disk->changed);
    pthread_mutex_unlock(&disk->mutex);
    if (!queued) free(record.value);
}
