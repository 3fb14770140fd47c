// A network of gates over one SAT instance: built with simplification and sharing, turned into clauses on demand.
//
// A `gate` is a node number times two, plus one for the complement; 0 is false and 1 is true. With simplification on,
// equal gates over equal inputs are the same node. A gate is added to the SAT instance when gates_literal is first
// called for it, with its cone of influence, each node once.
#ifndef TAMAR_GATES_H
#define TAMAR_GATES_H

#include "base/base.h"

struct sat;
struct gates;
typedef uint32_t gate;

#define GATE_FALSE 0u
#define GATE_TRUE  1u

static inline gate gate_not(gate a) { return a ^ 1; }

// `simplify`: share equal gates and apply the two-level rules (constants are folded in any case).
struct gates *gates_new(struct sat *sat, bool simplify);
void gates_free(struct gates *gates);

gate gate_input(struct gates *gates);
gate gate_and(struct gates *gates, gate a, gate b);
gate gate_xor(struct gates *gates, gate a, gate b);
gate gate_mux(struct gates *gates, gate condition, gate then, gate other);
// The two outputs of a full adder.
gate gate_sum(struct gates *gates, gate a, gate b, gate c);
gate gate_carry(struct gates *gates, gate a, gate b, gate c);

static inline gate gate_or(struct gates *gates, gate a, gate b) {
    return gate_not(gate_and(gates, gate_not(a), gate_not(b)));
}
static inline gate gate_equal(struct gates *gates, gate a, gate b) { return gate_not(gate_xor(gates, a, b)); }

// The SAT literal of a gate, its cone encoded first. Constants get a literal too.
int gates_literal(struct gates *gates, gate a);
// Adds a clause over gates: at least one of them is true.
void gates_assert_clause(struct gates *gates, const gate *disjuncts, unsigned count);

// The value of any gate in the model of a satisfied SAT instance. Inputs that are not in the instance are false. Call
// `gates_new_model` first, once for each model.
void gates_new_model(struct gates *gates);
bool gates_simulate(struct gates *gates, gate a);
// Whether the gate has a value in the model: it is in the SAT instance, or it was simulated since gates_new_model.
bool gates_in_model(const struct gates *gates, gate a);

uint32_t gates_count(const struct gates *gates);

#endif
