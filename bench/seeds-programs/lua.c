// A script, with little memory and few instructions, without files and the system.
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include <stdint.h>
#include <stdlib.h>
static size_t used;
static void *allocate(void *context, void *block, size_t before, size_t size) {
    if (!block) before = 0;
    if (size > before && used + size - before > 4 << 20) return NULL;
    used += size - before;
    if (size) return realloc(block, size);
    free(block);
    return NULL;
}
static void stop(lua_State *lua, lua_Debug *at) { luaL_error(lua, "too long"); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const luaL_Reg libraries[] = {{"_G", luaopen_base}, {"table", luaopen_table}, {"string", luaopen_string}, {"math", luaopen_math}};
    static const char *const without[] = {"dofile", "loadfile", "print", "collectgarbage"};
    used = 0;
    lua_State *lua = lua_newstate(allocate, NULL);
    if (!lua) return 0;
    for (unsigned i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    for (unsigned i = 0; i < sizeof without / sizeof *without; i++) {
        lua_pushnil(lua);
        lua_setglobal(lua, without[i]);
    }
    lua_sethook(lua, stop, LUA_MASKCOUNT, 10000);
    if (luaL_loadbufferx(lua, (const char *)data, size, "script", "t") == LUA_OK) lua_pcall(lua, 0, 0, 0);
    lua_close(lua);
    return 0;
}
