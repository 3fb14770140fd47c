// A symbol table of structs with strings, open addressing by a hash of the name: ten known names, then a symbolic one.
// paths: 12
// options: --sym-stdin 3
#include <stdio.h>
#include <string.h>
#include <tamar.h>

#define SIZE 1024
static struct symbol {
    char name[8];
    int value;
} table[SIZE];

static struct symbol *find(const char *name) {
    unsigned hash = 5381;
    for (const char *at = name; *at; at++) hash = hash * 33 + (unsigned char)*at;
    for (unsigned i = hash % SIZE;; i = (i + 1) % SIZE)
        if (!table[i].name[0] || !strcmp(table[i].name, name)) return &table[i];
}

int main(void) {
    static const char *const known[] = {"if", "else", "while", "for", "do", "int", "char", "return", "void", "case"};
    for (unsigned i = 0; i < 10; i++) {
        struct symbol *symbol = find(known[i]);
        strcpy(symbol->name, known[i]);
        symbol->value = (int)i + 1;
    }
    char name[4] = {0};
    if (fread(name, 1, 3, stdin) != 3) return 1;
    return find(name)->value;
}
