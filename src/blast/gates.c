#include "blast/gates.h"

#include "base/hash.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "sat/sat.h"

// A node's inputs have smaller numbers: the network has no cycles, and encoding needs no visited marks besides
// `literal`.
// Normal forms (asserted in `add_node`): AND has a < b; XOR, SUM, MUX have no complemented input except MUX's third,
// CARRY at most one; MUX's condition is positive. A complement removed by normalisation becomes the complement of the
// returned gate.
enum gate_kind { INPUT, AND, XOR, MUX, SUM, CARRY };

struct gate_node {
    gate a, b, c;
    uint8_t kind;
    uint8_t uses; // saturating: an AND used once by an AND can be merged into its clause
    int literal;  // 0: not encoded
};

// An AND of more inputs than this is split, to keep clauses short.
#define WIDEST_AND 64

struct gates {
    struct sat *sat;
    bool simplify;
    vec(struct gate_node) nodes; // [0] is the constant
    uint32_t *table;             // node numbers, 0: empty; open addressing
    uint32_t capacity;
    vec(uint32_t) stack;
    int true_literal;
    vec(uint32_t) simulated; // by node: model << 1 | value; unknown if from another model
    uint32_t model;
};

struct gates *gates_new(struct sat *sat, bool simplify) {
    struct gates *gates = NEW(struct gates);
    gates->sat = sat;
    gates->simplify = simplify;
    vec_push(&gates->nodes, ((struct gate_node){.kind = INPUT}));
    gates->capacity = NORMAL_OR_HOSTILE(1024, 2);
    gates->table = NEW_ARRAY(uint32_t, gates->capacity);
    return gates;
}

void gates_free(struct gates *gates) {
    if (!gates) return;
    vec_free(&gates->nodes);
    vec_free(&gates->stack);
    vec_free(&gates->simulated);
    DELETE_ARRAY(gates->table, gates->capacity);
    DELETE(gates);
}

uint32_t gates_count(const struct gates *gates) { return gates->nodes.count; }

static struct gate_node *node_of(const struct gates *gates, gate a) { return &gates->nodes.at[a >> 1]; }

static uint64_t hash_node(const struct gate_node *node) {
    return hash_combine((uint64_t)node->a << 32 | node->b, (uint64_t)node->c << 3 | node->kind);
}

static bool same_node(const struct gate_node *x, const struct gate_node *y) {
    return x->a == y->a && x->b == y->b && x->c == y->c && x->kind == y->kind;
}

static void grow_table(struct gates *gates) {
    uint32_t old_capacity = gates->capacity, *old = gates->table;
    gates->capacity = 2 * old_capacity;
    gates->table = NEW_ARRAY(uint32_t, gates->capacity);
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (!old[i]) continue;
        uint64_t slot = hash_node(&gates->nodes.at[old[i]]);
        while (gates->table[slot &= gates->capacity - 1]) slot++;
        gates->table[slot] = old[i];
    }
    DELETE_ARRAY(old, old_capacity);
}

static void note_use(struct gates *gates, gate a) {
    struct gate_node *node = node_of(gates, a);
    if (node->uses < 255) node->uses++;
}

static bool is_normal(const struct gate_node *node) {
    switch (node->kind) {
    case AND: return node->a < node->b && node->a > 1;
    case XOR: return node->a < node->b && !((node->a | node->b) & 1);
    case MUX: return !((node->a | node->b) & 1);
    case SUM: return node->a < node->b && node->b < node->c && !((node->a | node->b | node->c) & 1);
    case CARRY: return (node->a & 1) + (node->b & 1) + (node->c & 1) <= 1;
    default: return false;
    }
}

static gate add_node(struct gates *gates, struct gate_node node) {
    assert(is_normal(&node));
    limits_poll();
    uint64_t slot = hash_node(&node);
    if (gates->simplify)
        for (; gates->table[slot &= gates->capacity - 1]; slot++)
            if (same_node(&node, &gates->nodes.at[gates->table[slot]])) return 2 * gates->table[slot];
    note_use(gates, node.a);
    note_use(gates, node.b);
    if (node.c) note_use(gates, node.c);
    uint32_t number = gates->nodes.count;
    assert(number < UINT32_MAX / 2);
    vec_push(&gates->nodes, node);
    if (!gates->simplify) return 2 * number;
    gates->table[slot] = number;
    if (2 * gates->nodes.count > gates->capacity) grow_table(gates);
    return 2 * number;
}

gate gate_input(struct gates *gates) {
    vec_push(&gates->nodes, ((struct gate_node){.kind = INPUT, .uses = 255}));
    return 2 * (gates->nodes.count - 1);
}

static void swap_gates(gate *a, gate *b) {
    gate t = *a;
    *a = *b;
    *b = t;
}

// Simplifies a AND b if b is an AND or a complemented AND and one of its inputs decides. GATE_NONE: no rule applies.
#define GATE_NONE UINT32_MAX
static gate and_two_level(struct gates *gates, gate a, gate b) {
    const struct gate_node *node = node_of(gates, b);
    if (node->kind != AND) return GATE_NONE;
    gate x = node->a, y = node->b;
    if (!(b & 1)) {
        if (a == x || a == y) return b;
        if (a == gate_not(x) || a == gate_not(y)) return GATE_FALSE;
        const struct gate_node *other = node_of(gates, a);
        if (other->kind == AND && !(a & 1) &&
            (other->a == gate_not(x) || other->a == gate_not(y) || other->b == gate_not(x) ||
             other->b == gate_not(y)))
            return GATE_FALSE;
        return GATE_NONE;
    }
    if (a == gate_not(x) || a == gate_not(y)) return a;
    if (a == x) return gate_and(gates, a, gate_not(y));
    if (a == y) return gate_and(gates, a, gate_not(x));
    return GATE_NONE;
}

gate gate_and(struct gates *gates, gate a, gate b) {
    if (a > b) swap_gates(&a, &b);
    if (a == GATE_FALSE || a == gate_not(b)) return GATE_FALSE;
    if (a == GATE_TRUE || a == b) return b;
    if (gates->simplify) {
        gate simple = and_two_level(gates, a, b);
        if (simple == GATE_NONE) simple = and_two_level(gates, b, a);
        if (simple != GATE_NONE) return simple;
    }
    return add_node(gates, (struct gate_node){.kind = AND, .a = a, .b = b});
}

gate gate_xor(struct gates *gates, gate a, gate b) {
    gate complement = (a ^ b) & 1;
    a &= ~1u;
    b &= ~1u;
    if (a > b) swap_gates(&a, &b);
    if (a == b) return complement;
    if (a == GATE_FALSE) return b ^ complement;
    if (gates->simplify) {
        const struct gate_node *x = node_of(gates, a), *y = node_of(gates, b);
        if (y->kind == XOR && y->a == a) return y->b ^ complement;
        if (y->kind == XOR && y->b == a) return y->a ^ complement;
        if (x->kind == XOR && x->a == b) return x->b ^ complement;
        if (x->kind == XOR && x->b == b) return x->a ^ complement;
    }
    return add_node(gates, (struct gate_node){.kind = XOR, .a = a, .b = b}) ^ complement;
}

gate gate_mux(struct gates *gates, gate condition, gate then, gate other) {
    if (condition & 1) {
        condition ^= 1;
        swap_gates(&then, &other);
    }
    if (condition == GATE_FALSE) return other;
    if (then == other) return then;
    if (then == gate_not(other)) return gate_not(gate_xor(gates, condition, then));
    if (then == GATE_TRUE || then == condition) return gate_or(gates, condition, other);
    if (then == GATE_FALSE || then == gate_not(condition)) return gate_and(gates, gate_not(condition), other);
    if (other == GATE_FALSE || other == condition) return gate_and(gates, condition, then);
    if (other == GATE_TRUE || other == gate_not(condition)) return gate_or(gates, gate_not(condition), then);
    gate complement = then & 1;
    struct gate_node node = {.kind = MUX, .a = condition, .b = then ^ complement, .c = other ^ complement};
    return add_node(gates, node) ^ complement;
}

gate gate_sum(struct gates *gates, gate a, gate b, gate c) {
    gate complement = (a ^ b ^ c) & 1;
    a &= ~1u, b &= ~1u, c &= ~1u;
    if (a > b) swap_gates(&a, &b);
    if (b > c) swap_gates(&b, &c);
    if (a > b) swap_gates(&a, &b);
    if (a == b) return c ^ complement;
    if (b == c) return a ^ complement;
    if (a == GATE_FALSE) return gate_xor(gates, b, c) ^ complement;
    return add_node(gates, (struct gate_node){.kind = SUM, .a = a, .b = b, .c = c}) ^ complement;
}

gate gate_carry(struct gates *gates, gate a, gate b, gate c) {
    if (a > b) swap_gates(&a, &b);
    if (b > c) swap_gates(&b, &c);
    if (a > b) swap_gates(&a, &b);
    if (a == GATE_FALSE) return gate_and(gates, b, c);
    if (a == GATE_TRUE) return gate_or(gates, b, c);
    if (a == b) return a;
    if (a == gate_not(b)) return c;
    if (b == c) return b;
    if (b == gate_not(c)) return a;
    gate complement = (a & 1) + (b & 1) + (c & 1) >= 2;
    struct gate_node node = {.kind = CARRY, .a = a ^ complement, .b = b ^ complement, .c = c ^ complement};
    return add_node(gates, node) ^ complement;
}

// Clauses

static int literal_of(const struct gates *gates, gate a) {
    int literal = node_of(gates, a)->literal;
    assert(literal);
    return a & 1 ? -literal : literal;
}

static int true_literal(struct gates *gates) {
    if (!gates->true_literal) {
        gates->true_literal = sat_new_variable(gates->sat);
        sat_clause(gates->sat, &gates->true_literal, 1);
        gates->nodes.at[0].literal = -gates->true_literal;
    }
    return gates->true_literal;
}

// Flattens the tree of ANDs below `node`; ANDs that are also used elsewhere stay inputs. Returns the number of inputs.
static unsigned and_inputs(const struct gates *gates, const struct gate_node *node, gate *inputs) {
    unsigned count = 2;
    inputs[0] = node->a;
    inputs[1] = node->b;
    for (unsigned i = 0; i < count;) {
        const struct gate_node *input = node_of(gates, inputs[i]);
        bool merge = input->kind == AND && !(inputs[i] & 1) && input->uses == 1 && !input->literal &&
                     count < WIDEST_AND;
        if (!merge) {
            i++;
            continue;
        }
        inputs[i] = input->a;
        inputs[count++] = input->b;
    }
    return count;
}

#define CLAUSE(...) sat_clause(gates->sat, (int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

static void encode_and(struct gates *gates, int g, const gate *inputs, unsigned count) {
    int clause[WIDEST_AND + 1];
    for (unsigned i = 0; i < count; i++) {
        int input = literal_of(gates, inputs[i]);
        CLAUSE(-g, input);
        clause[i] = -input;
    }
    clause[count] = g;
    sat_clause(gates->sat, clause, count + 1);
}

static void encode_mux(struct gates *gates, int g, int c, int t, int e) {
    CLAUSE(-c, -t, g);
    CLAUSE(-c, t, -g);
    CLAUSE(c, -e, g);
    CLAUSE(c, e, -g);
    CLAUSE(-t, -e, g); // these two are implied: they propagate when both branches agree
    CLAUSE(t, e, -g);
}

static void encode_sum(struct gates *gates, int g, int a, int b, int c) {
    for (int signs = 0; signs < 8; signs++) {
        int x = signs & 1 ? -a : a, y = signs & 2 ? -b : b, z = signs & 4 ? -c : c;
        bool odd = (signs ^ signs >> 1 ^ signs >> 2) & 1;
        CLAUSE(x, y, z, odd ? g : -g);
    }
}

static void encode_carry(struct gates *gates, int g, int a, int b, int c) {
    CLAUSE(-a, -b, g);
    CLAUSE(-a, -c, g);
    CLAUSE(-b, -c, g);
    CLAUSE(a, b, -g);
    CLAUSE(a, c, -g);
    CLAUSE(b, c, -g);
}

static void encode_node(struct gates *gates, uint32_t number, const gate *inputs, unsigned count) {
    int g = sat_new_variable(gates->sat);
    struct gate_node *node = &gates->nodes.at[number];
    assert(!node->literal);
    node->literal = g;
    if (node->kind == INPUT) return;
    int a = literal_of(gates, inputs[0]), b = literal_of(gates, inputs[1]);
    switch (node->kind) {
    case AND: encode_and(gates, g, inputs, count); break;
    case XOR:
        CLAUSE(-a, -b, -g);
        CLAUSE(a, b, -g);
        CLAUSE(-a, b, g);
        CLAUSE(a, -b, g);
        break;
    case MUX: encode_mux(gates, g, a, b, literal_of(gates, inputs[2])); break;
    case SUM: encode_sum(gates, g, a, b, literal_of(gates, inputs[2])); break;
    case CARRY: encode_carry(gates, g, a, b, literal_of(gates, inputs[2])); break;
    default: assert(!"a kind of gate");
    }
}

static unsigned inputs_of(const struct gates *gates, const struct gate_node *node, gate *inputs) {
    if (node->kind == INPUT) return 0;
    if (node->kind == AND) return and_inputs(gates, node, inputs);
    inputs[0] = node->a;
    inputs[1] = node->b;
    inputs[2] = node->c;
    return node->kind == XOR ? 2 : 3;
}

int gates_literal(struct gates *gates, gate a) {
    true_literal(gates);
    gate inputs[WIDEST_AND];
    vec_push(&gates->stack, a >> 1);
    while (gates->stack.count) {
        limits_poll();
        uint32_t number = *vec_last(&gates->stack), before = gates->stack.count;
        if (gates->nodes.at[number].literal) {
            gates->stack.count--;
            continue;
        }
        unsigned count = inputs_of(gates, &gates->nodes.at[number], inputs);
        for (unsigned i = 0; i < count; i++)
            if (!node_of(gates, inputs[i])->literal) vec_push(&gates->stack, inputs[i] >> 1);
        if (gates->stack.count > before) continue;
        encode_node(gates, number, inputs, count);
        gates->stack.count--;
    }
    return literal_of(gates, a);
}

void gates_assert_clause(struct gates *gates, const gate *disjuncts, unsigned count) {
    vec(int) clause = {0};
    bool satisfied = false;
    for (unsigned i = 0; i < count; i++) {
        satisfied |= disjuncts[i] == GATE_TRUE;
        if (disjuncts[i] > 1) vec_push(&clause, gates_literal(gates, disjuncts[i]));
    }
    if (!satisfied) sat_clause(gates->sat, clause.at, clause.count);
    vec_free(&clause);
}

// Simulation

void gates_new_model(struct gates *gates) {
    gates->model++;
    assert(gates->model < UINT32_MAX / 2);
    uint32_t had = gates->simulated.count, now = gates->nodes.count;
    vec_reserve(&gates->simulated, now - had);
    memset(gates->simulated.at + had, 0, (now - had) * sizeof *gates->simulated.at);
    gates->simulated.count = now;
}

static bool is_simulated(const struct gates *gates, gate a) {
    return gates->simulated.at[a >> 1] >> 1 == gates->model;
}
static bool simulated(const struct gates *gates, gate a) { return (gates->simulated.at[a >> 1] ^ a) & 1; }

static bool compute(const struct gates *gates, const struct gate_node *node) {
    bool a = simulated(gates, node->a), b = simulated(gates, node->b), c = simulated(gates, node->c);
    switch (node->kind) {
    case AND: return a && b;
    case XOR: return a != b;
    case MUX: return a ? b : c;
    case SUM: return a ^ b ^ c;
    case CARRY: return (a && b) || (a && c) || (b && c);
    default: return false;
    }
}

bool gates_in_model(const struct gates *gates, gate a) {
    return node_of(gates, a)->literal || (a >> 1 < gates->simulated.count && is_simulated(gates, a));
}

bool gates_simulate(struct gates *gates, gate a) {
    if (gates->simulated.count < gates->nodes.count) { // nodes were added since
        gates->model--;
        gates_new_model(gates);
    }
    gates->simulated.at[0] = gates->model << 1;
    vec_push(&gates->stack, a >> 1);
    while (gates->stack.count) {
        limits_poll();
        uint32_t number = *vec_last(&gates->stack), before = gates->stack.count;
        const struct gate_node *node = &gates->nodes.at[number];
        bool value = false;
        if (is_simulated(gates, 2 * number)) {
            gates->stack.count--;
            continue;
        }
        if (node->literal) {
            value = sat_value(gates->sat, node->literal);
        } else if (node->kind != INPUT) {
            gate inputs[3] = {node->a, node->b, node->c};
            for (unsigned i = 0; i < 3; i++)
                if (!is_simulated(gates, inputs[i])) vec_push(&gates->stack, inputs[i] >> 1);
            if (gates->stack.count > before) continue;
            value = compute(gates, node);
        }
        gates->simulated.at[number] = gates->model << 1 | value;
        gates->stack.count--;
    }
    return simulated(gates, a);
}
