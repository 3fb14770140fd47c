// Interned sets of vars: hash-consed big-endian Patricia trees whose leaves are blocks of 64. A run of vars over
// several blocks is one node: the sets of a sum over an input, byte by byte, take constant space each.
#include "expr/expr_int.h"

#define MEMO_SIZE NORMAL_OR_HOSTILE(4096u, 2u)

#define SHORT_RUN 64u // vars

// Runs that a program makes one after the other get buckets side by side, which share cache lines: runs with the same
// first var (the sums over an input, byte by byte), and short runs of the same length (bytes, words).
static uint32_t hash_run(uint32_t first, uint32_t last) {
    uint32_t length = last - first;
    return length < SHORT_RUN ? (uint32_t)hash_u64(length + 1) + first
                              : (uint32_t)hash_u64(~(uint64_t)first) + last;
}

static uint32_t hash_set(const struct set_node *node) {
    if (node->is_run) return hash_run(node->first, node->last);
    if (!node->branch && node->bits) {
        uint32_t low = (uint32_t)__builtin_ctzll(node->bits),
                 high = 63 - (uint32_t)__builtin_clzll(node->bits);
        uint64_t bits = node->bits >> low;
        if (!(bits & (bits + 1))) return hash_run(node->key * 64 + low, node->key * 64 + high);
    }
    return (uint32_t)hash_combine(node->bits, (uint64_t)node->key << 32 | node->branch);
}

static bool same_set(const struct set_node *a, const struct set_node *b) {
    return a->bits == b->bits && a->key == b->key && a->branch == b->branch && a->is_run == b->is_run;
}

static void rehash_sets(struct terms *terms, uint32_t bucket_count) {
    DELETE_ARRAY(terms->set_buckets, terms->set_bucket_count);
    terms->set_buckets = NEW_ARRAY(uint32_t, bucket_count);
    terms->set_bucket_count = bucket_count;
    for (uint32_t i = 1; i < terms->sets.count; i++) {
        struct set_node *node = &terms->sets.at[i];
        uint32_t *bucket = &terms->set_buckets[hash_set(node) & (bucket_count - 1)];
        node->next = *bucket;
        *bucket = i;
    }
}

void varsets_init(struct terms *terms) {
    vec_push(&terms->sets, (struct set_node){0});
    rehash_sets(terms, NORMAL_OR_HOSTILE(256, 1));
    terms->unions = NEW_ARRAY(struct set_memo, MEMO_SIZE);
    terms->differences = NEW_ARRAY(struct set_memo, MEMO_SIZE);
}

void varsets_free(struct terms *terms) {
    vec_free(&terms->sets);
    DELETE_ARRAY(terms->set_buckets, terms->set_bucket_count);
    DELETE_ARRAY(terms->unions, MEMO_SIZE);
    DELETE_ARRAY(terms->differences, MEMO_SIZE);
}

size_t varsets_memory(const struct terms *terms) {
    return terms->sets.capacity * sizeof(struct set_node) + terms->set_bucket_count * sizeof(uint32_t) +
           2 * MEMO_SIZE * sizeof(struct set_memo);
}

static VarSet intern_set(struct terms *terms, struct set_node node) {
    uint32_t hash = hash_set(&node);
    for (uint32_t i = terms->set_buckets[hash & (terms->set_bucket_count - 1)]; i; i = terms->sets.at[i].next)
        if (same_set(&terms->sets.at[i], &node)) return i;
    if (terms->sets.count >= terms->set_bucket_count) rehash_sets(terms, 2 * terms->set_bucket_count);
    uint32_t *bucket = &terms->set_buckets[hash & (terms->set_bucket_count - 1)];
    node.next = *bucket;
    *bucket = terms->sets.count;
    vec_push(&terms->sets, node);
    return *bucket;
}

static VarSet make_leaf(struct terms *terms, uint32_t key, uint64_t bits) {
    if (!bits) return 0;
    return intern_set(
        terms, (struct set_node){.key = key, .count = (uint32_t)__builtin_popcountll(bits), .bits = bits});
}

// The block numbers below a branch agree above its bit.
static uint32_t prefix(uint32_t key, uint32_t branch) { return key & ~(branch | (branch - 1)); }

// The highest bit in which two block numbers differ.
static uint32_t branch_between(uint32_t key_a, uint32_t key_b) {
    assert(key_a != key_b);
    return 1u << (31 - __builtin_clz(key_a ^ key_b));
}

// The set of all vars from `first` to `last`.
static VarSet make_run(struct terms *terms, uint32_t first, uint32_t last) {
    assert(first <= last);
    uint32_t block = first / 64;
    if (last / 64 == block) return make_leaf(terms, block, mask_bits(last - first + 1) << (first % 64));
    uint32_t branch = branch_between(block, last / 64);
    return intern_set(terms, (struct set_node){.key = prefix(block, branch),
                                               .branch = branch,
                                               .count = last - first + 1,
                                               .is_run = true,
                                               .first = first,
                                               .last = last});
}

static uint32_t first_var(const struct terms *terms, VarSet set) {
    const struct set_node *node = &terms->sets.at[set];
    while (node->branch && !node->is_run) node = &terms->sets.at[node->sides[0]];
    return node->is_run ? node->first : node->key * 64 + (uint32_t)__builtin_ctzll(node->bits);
}

static uint32_t last_var(const struct terms *terms, VarSet set) {
    const struct set_node *node = &terms->sets.at[set];
    while (node->branch && !node->is_run) node = &terms->sets.at[node->sides[1]];
    return node->is_run ? node->last : node->key * 64 + 63 - (uint32_t)__builtin_clzll(node->bits);
}

// Whether the set has all vars between its first and its last one.
static bool is_contiguous(const struct terms *terms, VarSet set) {
    const struct set_node *node = &terms->sets.at[set];
    if (node->branch) return node->is_run;
    uint64_t low = node->bits >> __builtin_ctzll(node->bits);
    return !(low & (low + 1));
}

// Whether a and b are contiguous, and the vars of b follow those of a without a gap.
static bool continues(const struct terms *terms, VarSet a, VarSet b) {
    return is_contiguous(terms, a) && is_contiguous(terms, b) &&
           last_var(terms, a) + 1 == first_var(terms, b);
}

static VarSet make_branch(struct terms *terms, uint32_t key, uint32_t branch, VarSet left, VarSet right) {
    assert(left && right);
    if (continues(terms, left, right)) return make_run(terms, first_var(terms, left), last_var(terms, right));
    uint32_t count = terms->sets.at[left].count + terms->sets.at[right].count;
    return intern_set(
        terms, (struct set_node){.key = key, .branch = branch, .count = count, .sides = {left, right}});
}

static VarSet join(struct terms *terms, uint32_t key_a, VarSet a, uint32_t key_b, VarSet b) {
    uint32_t branch = branch_between(key_a, key_b);
    bool a_right = key_a & branch;
    return make_branch(terms, prefix(key_a, branch), branch, a_right ? b : a, a_right ? a : b);
}

bool varset_split(struct terms *terms, VarSet set, VarSet sides[2]) {
    struct set_node node = terms->sets.at[set]; // a copy: the array may grow
    if (!set || !node.branch) return false;
    if (node.is_run) {
        uint32_t middle = (node.key | node.branch) * 64;
        sides[0] = make_run(terms, node.first, middle - 1);
        sides[1] = make_run(terms, middle, node.last);
    } else {
        sides[0] = node.sides[0];
        sides[1] = node.sides[1];
    }
    return true;
}

// The union if it is a run, or one of the sets because it is a run that has all vars of the other one; else 0.
static VarSet union_of_runs(struct terms *terms, VarSet a, VarSet b) {
    uint32_t first_a = first_var(terms, a), last_a = last_var(terms, a);
    uint32_t first_b = first_var(terms, b), last_b = last_var(terms, b);
    bool run_a = is_contiguous(terms, a), run_b = is_contiguous(terms, b);
    if (run_a && first_a <= first_b && last_b <= last_a) return a;
    if (run_b && first_b <= first_a && last_a <= last_b) return b;
    if (!run_a || !run_b || (uint64_t)last_a + 1 < first_b || (uint64_t)last_b + 1 < first_a) return 0;
    return make_run(terms, MIN(first_a, first_b), MAX(last_a, last_b));
}

static struct set_memo *memo_of(struct set_memo *memos, VarSet a, VarSet b) {
    return &memos[hash_combine(a, b) & (MEMO_SIZE - 1)];
}

VarSet varset_union(struct terms *terms, VarSet a, VarSet b) {
    limits_poll();
    if (a == b || !b) return a;
    if (!a) return b;
    if (a > b) {
        VarSet swap = a;
        a = b;
        b = swap;
    }
    struct set_memo *memo = memo_of(terms->unions, a, b);
    if (memo->a == a && memo->b == b) return memo->result;
    struct set_node x = terms->sets.at[a], y = terms->sets.at[b];
    VarSet result = union_of_runs(terms, a, b), sides[2], others[2];
    if (result) return result;
    if (x.branch < y.branch) {
        struct set_node swap = x;
        x = y;
        y = swap;
        VarSet other = a;
        a = b;
        b = other;
    }
    // Now x's branch is not below y's. The recursion is at most as deep as a block number has bits.
    if (x.branch == 0) {
        result = x.key == y.key ? make_leaf(terms, x.key, x.bits | y.bits) : join(terms, x.key, a, y.key, b);
    } else if (prefix(y.key, x.branch) != x.key) {
        result = join(terms, x.key, a, y.key, b);
    } else if (varset_split(terms, a, sides), x.branch == y.branch) {
        varset_split(terms, b, others);
        VarSet left = varset_union(terms, sides[0], others[0]);
        result = make_branch(terms, x.key, x.branch, left, varset_union(terms, sides[1], others[1]));
    } else {
        bool right = y.key & x.branch;
        sides[right] = varset_union(terms, sides[right], b);
        result = make_branch(terms, x.key, x.branch, sides[0], sides[1]);
    }
    if (a > b) {
        VarSet other = a;
        a = b;
        b = other;
    }
    *memo = (struct set_memo){a, b, result};
    return result;
}

static VarSet branch_or_side(struct terms *terms, const struct set_node *like, VarSet left, VarSet right) {
    if (!left || !right) return left ? left : right;
    return make_branch(terms, like->key, like->branch, left, right);
}

VarSet varset_minus(struct terms *terms, VarSet a, VarSet b) {
    if (!a || !b || a == b) return a == b ? 0 : a;
    struct set_node x = terms->sets.at[a], y = terms->sets.at[b];
    if (last_var(terms, a) < first_var(terms, b) || last_var(terms, b) < first_var(terms, a)) return a;
    if (y.is_run && y.first <= first_var(terms, a) && last_var(terms, a) <= y.last) return 0;
    if (x.branch == 0 && y.branch == 0) return make_leaf(terms, x.key, x.bits & ~y.bits);
    // Along a path the sets grow by a few vars at a time, and the differences of most parts are known.
    struct set_memo *memo = memo_of(terms->differences, a, b);
    if (memo->a == a && memo->b == b) return memo->result;
    VarSet result, sides[2], others[2];
    bool right = y.key & x.branch;
    if (x.branch < y.branch) { // a lies in one side of b
        varset_split(terms, b, others);
        result = varset_minus(terms, a, others[(x.key & y.branch) != 0]);
    } else if (varset_split(terms, a, sides), x.branch > y.branch) {
        sides[right] = varset_minus(terms, sides[right], b);
        result = branch_or_side(terms, &x, sides[0], sides[1]);
    } else {
        varset_split(terms, b, others);
        VarSet left = varset_minus(terms, sides[0], others[0]);
        result = branch_or_side(terms, &x, left, varset_minus(terms, sides[1], others[1]));
    }
    *memo = (struct set_memo){a, b, result};
    return result;
}

VarSet varset_single(struct terms *terms, uint32_t var) {
    return make_leaf(terms, var / 64, (uint64_t)1 << (var % 64));
}

VarSet term_input_support(struct terms *terms, uint32_t input, uint32_t size) {
    VarSet set = 0;
    for (uint32_t i = 0; i < terms->inputs.at[input].chunks.count; i++) {
        struct chunk chunk = terms->inputs.at[input].chunks.at[i];
        if (chunk.start >= size) break;
        uint32_t count = MIN(chunk.count, size - chunk.start);
        if (count)
            set = varset_union(terms, set, make_run(terms, chunk.first_var, chunk.first_var + count - 1));
    }
    return set;
}

uint32_t varset_count(const struct terms *terms, VarSet set) { return terms->sets.at[set].count; }

bool varset_has(const struct terms *terms, VarSet set, uint32_t var) {
    if (!set) return false;
    const struct set_node *node = &terms->sets.at[set];
    while (node->branch && !node->is_run) node = &terms->sets.at[node->sides[(var / 64 & node->branch) != 0]];
    if (node->is_run) return node->first <= var && var <= node->last;
    return node->key == var / 64 && (node->bits >> (var % 64) & 1);
}

bool varset_meets(const struct terms *terms, VarSet a, VarSet b) {
    if (!a || !b) return false;
    if (a == b) return true;
    const struct set_node *x = &terms->sets.at[a], *y = &terms->sets.at[b];
    if (x->branch < y->branch) return varset_meets(terms, b, a);
    if (x->branch == 0) return x->key == y->key && (x->bits & y->bits);
    if (x->is_run || y->is_run) {
        const struct set_node *run = x->is_run ? x : y;
        uint32_t var = varset_next(terms, x->is_run ? b : a, run->first);
        return var != VAR_NONE && var <= run->last;
    }
    if (prefix(y->key, x->branch) != x->key) return false;
    if (x->branch == y->branch)
        return varset_meets(terms, x->sides[0], y->sides[0]) || varset_meets(terms, x->sides[1], y->sides[1]);
    return varset_meets(terms, x->sides[(y->key & x->branch) != 0], b);
}

// Whether the set has all vars from `first` to `last`.
static bool has_run(const struct terms *terms, VarSet set, uint32_t first, uint32_t last) {
    const struct set_node *node = &terms->sets.at[set];
    if (node->is_run) return node->first <= first && last <= node->last;
    if (!node->branch) {
        if (first / 64 != node->key || last / 64 != node->key) return false;
        return !(mask_bits(last - first + 1) << (first % 64) & ~node->bits);
    }
    if (prefix(first / 64, node->branch) != node->key || prefix(last / 64, node->branch) != node->key)
        return false;
    uint32_t middle = (node->key | node->branch) * 64;
    if (last < middle) return has_run(terms, node->sides[0], first, last);
    if (first >= middle) return has_run(terms, node->sides[1], first, last);
    return has_run(terms, node->sides[0], first, middle - 1) && has_run(terms, node->sides[1], middle, last);
}

bool varset_subset(const struct terms *terms, VarSet a, VarSet b) {
    if (!a || a == b) return true;
    if (!b) return false;
    const struct set_node *x = &terms->sets.at[a], *y = &terms->sets.at[b];
    if (x->count > y->count || x->branch > y->branch) return false;
    if (x->is_run) return has_run(terms, b, x->first, x->last);
    if (y->is_run) return y->first <= first_var(terms, a) && last_var(terms, a) <= y->last;
    if (y->branch == 0) return x->key == y->key && !(x->bits & ~y->bits);
    if (prefix(x->key, y->branch) != y->key) return false;
    if (x->branch == y->branch)
        return varset_subset(terms, x->sides[0], y->sides[0]) &&
               varset_subset(terms, x->sides[1], y->sides[1]);
    return varset_subset(terms, a, y->sides[(x->key & y->branch) != 0]);
}

uint32_t varset_next(const struct terms *terms, VarSet set, uint32_t from) {
    limits_poll();
    if (!set) return VAR_NONE;
    const struct set_node *node = &terms->sets.at[set];
    if (node->is_run) return from <= node->last ? MAX(from, node->first) : VAR_NONE;
    if (node->branch == 0) {
        uint32_t start = node->key * 64;
        if (from >= start + 64) return VAR_NONE;
        uint64_t bits = from > start ? node->bits & ~(uint64_t)0 << (from - start) : node->bits;
        return bits ? start + (uint32_t)__builtin_ctzll(bits) : VAR_NONE;
    }
    // Blocks in the right half have the branch bit: all vars in the left half are smaller than the first of those.
    uint32_t right_start = (node->key | node->branch) * 64;
    if (from < right_start) {
        uint32_t found = varset_next(terms, node->sides[0], from);
        if (found != VAR_NONE) return found;
    }
    return varset_next(terms, node->sides[1], from);
}
