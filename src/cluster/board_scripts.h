// The scripts that Redis runs, each atomically. KEYS[1] is the common prefix of all keys of the run.
#ifndef TAMAR_CLUSTER_BOARD_SCRIPTS_H
#define TAMAR_CLUSTER_BOARD_SCRIPTS_H

// ARGV: version, id, host, folder, program, run, timeout, then the states of the first tokens.
#define SCRIPT_BEGIN                                                                                         \
    "local p = KEYS[1]\n"                                                                                    \
    "for _, k in ipairs({'work','states','reports','done','workers','hungry','load','asked','known',\n"      \
    "                    'files','wanted','answers'}) do redis.call('DEL', p .. k) end\n"                    \
    "redis.call('DEL', p .. 'meta')\n"                                                                       \
    "redis.call('HSET', p .. 'meta', 'state', 'run', 'version', ARGV[1], 'id', ARGV[2], 'host', ARGV[3],\n"  \
    "  'folder', ARGV[4], 'program', ARGV[5], 'run', ARGV[6], 'timeout', ARGV[7], 'known', 0, 'backlog', "   \
    "0)\n"                                                                                                   \
    "redis.call('XGROUP', 'CREATE', p .. 'work', 'workers', '0', 'MKSTREAM')\n"                              \
    "for i = 8, #ARGV do\n"                                                                                  \
    "  local id = redis.call('XADD', p .. 'work', '*', 's', '1')\n"                                          \
    "  redis.call('HSET', p .. 'states', id, ARGV[i])\n"                                                     \
    "end\n"                                                                                                  \
    "if #ARGV < 8 then redis.call('HSET', p .. 'meta', 'state', 'done') end\n"                               \
    "return 1\n"

// ARGV: worker, token, number, held, report, kept, about, largest backlog, then the parts that are given away.
#define SCRIPT_COMMIT                                                                                        \
    "local p, worker, token = KEYS[1], ARGV[1], ARGV[2]\n"                                                   \
    "local meta = redis.call('HMGET', p .. 'meta', 'state', 'known', 'backlog')\n"                           \
    "local state = meta[1]\n"                                                                                \
    "if not state or state == 'over' then return {state or 'none', 'refused', 0} end\n"                      \
    "local last = redis.call('HGET', p .. 'done', worker)\n"                                                 \
    "if last == ARGV[3] then return {state, 'accepted', meta[2]} end\n"                                      \
    "if #redis.call('XPENDING', p .. 'work', 'workers', token, token, 1, worker) == 0\n"                     \
    "then return {state, 'refused', 0} end\n"                                                                \
    "if state == 'run' and tonumber(meta[3]) > tonumber(ARGV[8]) then return {state, 'later', 0} end\n"      \
    "redis.call('XADD', p .. 'reports', '*', 'w', worker, 'b', ARGV[5])\n"                                   \
    "redis.call('HINCRBY', p .. 'meta', 'backlog', #ARGV[5])\n"                                              \
    "redis.call('HSET', p .. 'done', worker, ARGV[3])\n"                                                     \
    "redis.call('HSET', p .. 'workers', worker, ARGV[7])\n"                                                  \
    "redis.call('ZADD', p .. 'load', ARGV[4], worker)\n"                                                     \
    "for i = 9, #ARGV do\n"                                                                                  \
    "  local id = redis.call('XADD', p .. 'work', '*', 's', '1')\n"                                          \
    "  redis.call('HSET', p .. 'states', id, ARGV[i])\n"                                                     \
    "end\n"                                                                                                  \
    "if #ARGV > 8 then redis.call('ZREM', p .. 'asked', worker) end\n"                                       \
    "if ARGV[6] == '' then\n"                                                                                \
    "  redis.call('XACK', p .. 'work', 'workers', token)\n"                                                  \
    "  redis.call('XDEL', p .. 'work', token)\n"                                                             \
    "  redis.call('HDEL', p .. 'states', token)\n"                                                           \
    "  redis.call('ZREM', p .. 'load', worker)\n"                                                            \
    "  if redis.call('XLEN', p .. 'work') == 0 and state == 'run' then\n"                                    \
    "    state = 'done'\n"                                                                                   \
    "    redis.call('HSET', p .. 'meta', 'state', state)\n"                                                  \
    "  end\n"                                                                                                \
    "else\n"                                                                                                 \
    "  redis.call('HSET', p .. 'states', token, ARGV[6])\n"                                                  \
    "  redis.call('XCLAIM', p .. 'work', 'workers', worker, 0, token, 'JUSTID')\n"                           \
    "end\n"                                                                                                  \
    "return {state, 'accepted', meta[2]}\n"

// ARGV: worker, milliseconds of silence after which a token is claimed. A token that the worker already owns (its
// reply was lost) comes first. After a restart of the server nothing is claimed at first: no heartbeats have arrived.
#define SCRIPT_TAKE                                                                                          \
    "local p, worker = KEYS[1], ARGV[1]\n"                                                                   \
    "local state = redis.call('HGET', p .. 'meta', 'state')\n"                                               \
    "if state ~= 'run' then return {state or 'none', '', ''} end\n"                                          \
    "local token = nil\n"                                                                                    \
    "local own = redis.call('XPENDING', p .. 'work', 'workers', '-', '+', 1, worker)\n"                      \
    "if own[1] then token = own[1][1] end\n"                                                                 \
    "local new = not token and\n"                                                                            \
    "  redis.call('XREADGROUP', 'GROUP', 'workers', worker, 'COUNT', 1, 'STREAMS', p .. 'work', '>')\n"      \
    "if new and new[1] then token = new[1][2][1][1] end\n"                                                   \
    "if not token then\n"                                                                                    \
    "  local up = tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')) or 0\n"    \
    "  if up * 1000 >= tonumber(ARGV[2]) then\n"                                                             \
    "    local found = redis.call('XAUTOCLAIM', p .. 'work', 'workers', worker, ARGV[2], '0-0', 'COUNT', "   \
    "1)\n"                                                                                                   \
    "    if found[2][1] then token = found[2][1][1] end\n"                                                   \
    "  end\n"                                                                                                \
    "end\n"                                                                                                  \
    "if not token then\n"                                                                                    \
    "  local now = redis.call('TIME')\n"                                                                     \
    "  redis.call('ZADD', p .. 'hungry', now[1] * 1000 + math.floor(now[2] / 1000), worker)\n"               \
    "  return {state, '', ''}\n"                                                                             \
    "end\n"                                                                                                  \
    "redis.call('ZREM', p .. 'hungry', worker)\n"                                                            \
    "local states = redis.call('HGET', p .. 'states', token)\n"                                              \
    "if not states then\n"                                                                                   \
    "  redis.call('XACK', p .. 'work', 'workers', token)\n"                                                  \
    "  redis.call('XDEL', p .. 'work', token)\n"                                                             \
    "  return {state, '', ''}\n"                                                                             \
    "end\n"                                                                                                  \
    "return {state, token, states}\n"

// ARGV: worker, its number of states. Returns the number of idle workers for which there is neither a token nor a
// worker that was already asked.
#define SCRIPT_ASK                                                                                           \
    "local p, worker, held = KEYS[1], ARGV[1], tonumber(ARGV[2])\n"                                          \
    "local state = redis.call('HGET', p .. 'meta', 'state')\n"                                               \
    "if state ~= 'run' then return {state or 'none', 0} end\n"                                               \
    "redis.call('ZADD', p .. 'load', held, worker)\n"                                                        \
    "if held < 2 then return {state, 0} end\n"                                                               \
    "local time = redis.call('TIME')\n"                                                                      \
    "local now = time[1] * 1000 + math.floor(time[2] / 1000)\n"                                              \
    "redis.call('ZREMRANGEBYSCORE', p .. 'hungry', '-inf', now - 3000)\n"                                    \
    "redis.call('ZREMRANGEBYSCORE', p .. 'asked', '-inf', now - 200)\n"                                      \
    "local need = redis.call('ZCARD', p .. 'hungry') - redis.call('ZCARD', p .. 'asked')\n"                  \
    "if need <= 0 then return {state, 0} end\n"                                                              \
    "local group = redis.call('XINFO', 'GROUPS', p .. 'work')[1]\n"                                          \
    "local last = '0-0'\n"                                                                                   \
    "for i = 1, #group, 2 do if group[i] == 'last-delivered-id' then last = group[i + 1] end end\n"          \
    "need = need - #redis.call('XRANGE', p .. 'work', '(' .. last, '+', 'COUNT', need)\n"                    \
    "if need <= 0 then return {state, 0} end\n"                                                              \
    "local top = redis.call('ZREVRANGE', p .. 'load', 0, 0, 'WITHSCORES')\n"                                 \
    "if top[2] and held * 2 < tonumber(top[2]) then return {state, 0} end\n"                                 \
    "redis.call('ZADD', p .. 'asked', now, worker)\n"                                                        \
    "return {state, need}\n"

// ARGV: workers that are alive.
#define SCRIPT_BEAT                                                                                          \
    "local p = KEYS[1]\n"                                                                                    \
    "local state = redis.call('HGET', p .. 'meta', 'state')\n"                                               \
    "if not state or state == 'over' then return state or 'none' end\n"                                      \
    "for _, worker in ipairs(ARGV) do\n"                                                                     \
    "  for _, one in ipairs(redis.call('XPENDING', p .. 'work', 'workers', '-', '+', 4, worker)) do\n"       \
    "    redis.call('XCLAIM', p .. 'work', 'workers', worker, 0, one[1], 'JUSTID')\n"                        \
    "  end\n"                                                                                                \
    "end\n"                                                                                                  \
    "return state\n"

// ARGV: worker, status.
#define SCRIPT_LEAVE                                                                                         \
    "local p, worker = KEYS[1], ARGV[1]\n"                                                                   \
    "redis.call('ZREM', p .. 'load', worker)\n"                                                              \
    "redis.call('ZREM', p .. 'hungry', worker)\n"                                                            \
    "redis.call('ZREM', p .. 'asked', worker)\n"                                                             \
    "local about = redis.call('HGET', p .. 'workers', worker)\n"                                             \
    "if about then redis.call('HSET', p .. 'workers', worker, ARGV[2] .. string.sub(about, 2)) end\n"        \
    "if redis.call('EXISTS', p .. 'work') == 0 then return 0 end\n"                                          \
    "local owned = redis.call('XPENDING', p .. 'work', 'workers', '-', '+', 4, worker)\n"                    \
    "for _, one in ipairs(owned) do\n"                                                                       \
    "  redis.call('XCLAIM', p .. 'work', 'workers', 'nobody', 0, one[1], 'IDLE', 1000000000, 'JUSTID')\n"    \
    "end\n"                                                                                                  \
    "redis.call('XGROUP', 'DELCONSUMER', p .. 'work', 'workers', worker)\n"                                  \
    "return #owned\n"

// ARGV: who.
#define SCRIPT_LOCK                                                                                          \
    "local holder = redis.call('GET', KEYS[1] .. 'starter')\n"                                               \
    "if holder and holder ~= ARGV[1] then return holder end\n"                                               \
    "redis.call('SET', KEYS[1] .. 'starter', ARGV[1], 'PX', 8000)\n"                                         \
    "return ''\n"

// ARGV: who.
#define SCRIPT_UNLOCK                                                                                        \
    "if redis.call('GET', KEYS[1] .. 'starter') == ARGV[1] then redis.call('DEL', KEYS[1] .. 'starter') "    \
    "end\n"                                                                                                  \
    "return 1\n"

// ARGV: position, "1": the run is over.
#define SCRIPT_SNAPSHOT                                                                                      \
    "local p = KEYS[1]\n"                                                                                    \
    "if ARGV[2] == '1' then redis.call('HSET', p .. 'meta', 'state', 'over') end\n"                          \
    "return {redis.call('XRANGE', p .. 'reports', '(' .. ARGV[1], '+'), redis.call('HVALS', p .. "           \
    "'states')}\n"

// ARGV: position, bytes.
#define SCRIPT_TRIM                                                                                          \
    "local p = KEYS[1]\n"                                                                                    \
    "redis.call('XTRIM', p .. 'reports', 'MINID', ARGV[1])\n"                                                \
    "redis.call('XDEL', p .. 'reports', ARGV[1])\n"                                                          \
    "if redis.call('HINCRBY', p .. 'meta', 'backlog', -ARGV[2]) < 0 then\n"                                  \
    "  redis.call('HSET', p .. 'meta', 'backlog', 0)\n"                                                      \
    "end\n"                                                                                                  \
    "return 1\n"

// ARGV: version, coverage.
#define SCRIPT_KNOWN                                                                                         \
    "redis.call('SET', KEYS[1] .. 'known', ARGV[2])\n"                                                       \
    "redis.call('HSET', KEYS[1] .. 'meta', 'known', ARGV[1])\n"                                              \
    "return 1\n"

// Keeps the record that the run is over for a day.
#define SCRIPT_CLEAR                                                                                         \
    "local p = KEYS[1]\n"                                                                                    \
    "local meta = redis.call('HMGET', p .. 'meta', 'program', 'run')\n"                                      \
    "for _, k in ipairs({'work','states','reports','done','workers','hungry','load','asked','known',\n"      \
    "                    'files','wanted','answers','starter'}) do redis.call('DEL', p .. k) "               \
    "end\n"                                                                                                  \
    "for i = 1, 2 do if meta[i] then redis.call('DEL', p .. 'blob:' .. meta[i]) end end\n"                   \
    "redis.call('HSET', p .. 'meta', 'state', 'over')\n"                                                     \
    "redis.call('EXPIRE', p .. 'meta', 86400)\n"                                                             \
    "return 1\n"

#define BOARD_SCRIPTS(X)                                                                                     \
    X(BEGIN)                                                                                                 \
    X(COMMIT)                                                                                                \
    X(TAKE) X(ASK) X(BEAT) X(LEAVE) X(LOCK) X(UNLOCK) X(SNAPSHOT) X(TRIM) X(KNOWN) X(CLEAR)

#endif
