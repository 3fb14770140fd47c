// Interned sets of vars: hash-consed big-endian Patricia trees whose leaves are blocks of 64.
#include "expr/expr_int.h"

#define MEMO_SIZE NORMAL_OR_HOSTILE(4096u, 2u)

static uint32_t hash_set(const struct set_node *node) {
    return (uint32_t)hash_combine(node->bits, (uint64_t)node->key << 32 | node->branch);
}

static bool same_set(const struct set_node *a, const struct set_node *b) {
    return a->bits == b->bits && a->key == b->key && a->branch == b->branch;
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
    terms->set_memo = NEW_ARRAY(struct set_memo, MEMO_SIZE);
}

void varsets_free(struct terms *terms) {
    vec_free(&terms->sets);
    DELETE_ARRAY(terms->set_buckets, terms->set_bucket_count);
    DELETE_ARRAY(terms->set_memo, MEMO_SIZE);
}

size_t varsets_memory(const struct terms *terms) {
    return terms->sets.capacity * sizeof(struct set_node) + terms->set_bucket_count * sizeof(uint32_t) +
           MEMO_SIZE * sizeof(struct set_memo);
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

static VarSet make_branch(struct terms *terms, uint32_t key, uint32_t branch, VarSet left, VarSet right) {
    assert(left && right);
    uint32_t count = terms->sets.at[left].count + terms->sets.at[right].count;
    return intern_set(
        terms, (struct set_node){.key = key, .branch = branch, .count = count, .sides = {left, right}});
}

// The block numbers below a branch agree above its bit.
static uint32_t prefix(uint32_t key, uint32_t branch) { return key & ~(branch | (branch - 1)); }

static VarSet join(struct terms *terms, uint32_t key_a, VarSet a, uint32_t key_b, VarSet b) {
    uint32_t branch = 1u << (31 - __builtin_clz(key_a ^ key_b));
    bool a_right = key_a & branch;
    return make_branch(terms, prefix(key_a, branch), branch, a_right ? b : a, a_right ? a : b);
}

bool varset_split(const struct terms *terms, VarSet set, VarSet sides[2]) {
    const struct set_node *node = &terms->sets.at[set];
    if (!set || !node->branch) return false;
    sides[0] = node->sides[0];
    sides[1] = node->sides[1];
    return true;
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
    struct set_memo *memo = &terms->set_memo[hash_combine(a, b) & (MEMO_SIZE - 1)];
    if (memo->a == a && memo->b == b) return memo->result;
    struct set_node x = terms->sets.at[a], y = terms->sets.at[b];
    VarSet result;
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
    } else if (x.branch == y.branch) {
        VarSet left = varset_union(terms, x.sides[0], y.sides[0]);
        VarSet right = varset_union(terms, x.sides[1], y.sides[1]);
        result = make_branch(terms, x.key, x.branch, left, right);
    } else {
        bool right = y.key & x.branch;
        VarSet side = varset_union(terms, x.sides[right], b);
        result = make_branch(terms, x.key, x.branch, right ? x.sides[0] : side, right ? side : x.sides[1]);
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
    if (x.branch == 0 && y.branch == 0) return x.key == y.key ? make_leaf(terms, x.key, x.bits & ~y.bits) : a;
    if (x.branch < y.branch) { // a lies in one side of b, or outside of b
        if (prefix(x.key, y.branch) != y.key) return a;
        return varset_minus(terms, a, y.sides[(x.key & y.branch) != 0]);
    }
    if (x.branch > y.branch) {
        if (prefix(y.key, x.branch) != x.key) return a;
        bool right = y.key & x.branch;
        VarSet side = varset_minus(terms, x.sides[right], b);
        return branch_or_side(terms, &x, right ? x.sides[0] : side, right ? side : x.sides[1]);
    }
    if (x.key != y.key) return a;
    VarSet left = varset_minus(terms, x.sides[0], y.sides[0]);
    return branch_or_side(terms, &x, left, varset_minus(terms, x.sides[1], y.sides[1]));
}

VarSet varset_single(struct terms *terms, uint32_t var) {
    return make_leaf(terms, var / 64, (uint64_t)1 << (var % 64));
}

static VarSet varset_range(struct terms *terms, uint32_t first, uint32_t count) {
    VarSet set = 0;
    for (uint32_t var = first, end = first + count; var < end;) {
        uint32_t in_block = MIN(64 - var % 64, end - var);
        set = varset_union(terms, set, make_leaf(terms, var / 64, mask_bits(in_block) << (var % 64)));
        var += in_block;
    }
    return set;
}

VarSet term_input_support(struct terms *terms, uint32_t input, uint32_t size) {
    VarSet set = 0;
    for (uint32_t i = 0; i < terms->inputs.at[input].chunks.count; i++) {
        struct chunk chunk = terms->inputs.at[input].chunks.at[i];
        if (chunk.start >= size) break;
        VarSet part = varset_range(terms, chunk.first_var, MIN(chunk.count, size - chunk.start));
        set = varset_union(terms, set, part);
    }
    return set;
}

uint32_t varset_count(const struct terms *terms, VarSet set) { return terms->sets.at[set].count; }

bool varset_has(const struct terms *terms, VarSet set, uint32_t var) {
    if (!set) return false;
    const struct set_node *node = &terms->sets.at[set];
    while (node->branch) node = &terms->sets.at[node->sides[(var / 64 & node->branch) != 0]];
    return node->key == var / 64 && (node->bits >> (var % 64) & 1);
}

bool varset_meets(const struct terms *terms, VarSet a, VarSet b) {
    if (!a || !b) return false;
    if (a == b) return true;
    const struct set_node *x = &terms->sets.at[a], *y = &terms->sets.at[b];
    if (x->branch < y->branch) return varset_meets(terms, b, a);
    if (x->branch == 0) return x->key == y->key && (x->bits & y->bits);
    if (prefix(y->key, x->branch) != x->key) return false;
    if (x->branch == y->branch)
        return varset_meets(terms, x->sides[0], y->sides[0]) || varset_meets(terms, x->sides[1], y->sides[1]);
    return varset_meets(terms, x->sides[(y->key & x->branch) != 0], b);
}

bool varset_subset(const struct terms *terms, VarSet a, VarSet b) {
    if (!a || a == b) return true;
    if (!b) return false;
    const struct set_node *x = &terms->sets.at[a], *y = &terms->sets.at[b];
    if (x->count > y->count || x->branch > y->branch) return false;
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
