// Exchanges answers with other explorations, without waiting.
#include "solver/cache_int.h"

#define MOST_VALUE 512u // bytes: answers with larger models are not exchanged

enum answer exchange_ask(struct query *query) {
    const struct solver_exchange *exchange = query->solver->options.exchange;
    const struct digest *name = exchange ? cache_name(query) : NULL;
    uint8_t value[MOST_VALUE];
    if (!name) return ANSWER_UNKNOWN;
    uint32_t size =
        exchange->find(exchange->context, (const uint64_t[]){name->a, name->b}, value, sizeof value);
    if (size == 1 && value[0] == ANSWER_NO) return ANSWER_NO;
    return size && value[0] == ANSWER_YES && cache_take(query, value + 1, size - 1) ? ANSWER_YES
                                                                                    : ANSWER_UNKNOWN;
}

void exchange_tell(struct query *query, enum answer answer) {
    const struct solver_exchange *exchange = query->solver->options.exchange;
    const struct digest *name = cache_name(query);
    const var_list *order = cache_order(query);
    uint8_t value[MOST_VALUE];
    uint32_t size = 1;
    assert(name && answer != ANSWER_UNKNOWN);
    if (answer == ANSWER_YES && (query->has_arrays || order->count >= MOST_VALUE)) return;
    value[0] = (uint8_t)answer;
    for (uint32_t i = 0; answer == ANSWER_YES && i < order->count; i++)
        value[size++] = query->found.at[query_position(query, order->at[i])];
    exchange->tell(exchange->context, (const uint64_t[]){name->a, name->b}, value, size);
}
