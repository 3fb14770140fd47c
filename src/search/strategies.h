// The strategies, in the order in which the help shows them: STRATEGY(class).
#ifndef TAMAR_SEARCH_STRATEGIES_H
#define TAMAR_SEARCH_STRATEGIES_H

#define STRATEGY_TABLE(STRATEGY)                                                                             \
    STRATEGY(rp)                                                                                             \
    STRATEGY(fair)                                                                                           \
    STRATEGY(dfs)                                                                                            \
    STRATEGY(dfs_random)                                                                                     \
    STRATEGY(bfs)                                                                                            \
    STRATEGY(random)                                                                                         \
    STRATEGY(depth)                                                                                          \
    STRATEGY(covnew)                                                                                         \
    STRATEGY(klee)                                                                                           \
    STRATEGY(exe)                                                                                            \
    STRATEGY(sage)                                                                                           \
    STRATEGY(sdse)                                                                                           \
    STRATEGY(sdse_intra)                                                                                     \
    STRATEGY(sdse_pr)                                                                                        \
    STRATEGY(sdse_rr)                                                                                        \
    STRATEGY(ccbse)                                                                                          \
    STRATEGY(mix)                                                                                            \
    STRATEGY(zesti)                                                                                          \
    STRATEGY(oasis)                                                                                          \
    STRATEGY(oasis_runs)                                                                                     \
    STRATEGY(oasis_any)                                                                                      \
    STRATEGY(fresh)                                                                                          \
    STRATEGY(batch)                                                                                          \
    STRATEGY(rr)                                                                                             \
    STRATEGY(share)                                                                                          \
    STRATEGY(ph)                                                                                             \
    STRATEGY(pending)

#define STRATEGY(name) extern const struct strategy_class strategy_##name;
STRATEGY_TABLE(STRATEGY)
#undef STRATEGY

#endif
