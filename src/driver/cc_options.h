// Tables of the options of gcc and clang that `tamar cc` treats specially. All others are passed on to the compiler.
#ifndef TAMAR_DRIVER_CC_OPTIONS_H
#define TAMAR_DRIVER_CC_OPTIONS_H

// Options whose value may be the next word: X(option, tools that get it, the value may also be joined to it).
#define CC_OPTIONS_WITH_VALUE(X)                                                                             \
    X("-D", CC_FOR_COMPILER, true)                                                                           \
    X("-I", CC_FOR_COMPILER, true)                                                                           \
    X("-U", CC_FOR_COMPILER, true)                                                                           \
    X("-A", CC_FOR_COMPILER, true)                                                                           \
    X("-MF", CC_FOR_COMPILER, true)                                                                          \
    X("-MQ", CC_FOR_COMPILER, true)                                                                          \
    X("-MT", CC_FOR_COMPILER, true)                                                                          \
    X("-MJ", CC_FOR_COMPILER, true)                                                                          \
    X("-include", CC_FOR_COMPILER, false)                                                                    \
    X("-imacros", CC_FOR_COMPILER, false)                                                                    \
    X("-idirafter", CC_FOR_COMPILER, true)                                                                   \
    X("-iprefix", CC_FOR_COMPILER, true)                                                                     \
    X("-iquote", CC_FOR_COMPILER, true)                                                                      \
    X("-isystem", CC_FOR_COMPILER, true)                                                                     \
    X("-iwithprefixbefore", CC_FOR_COMPILER, true)                                                           \
    X("-iwithprefix", CC_FOR_COMPILER, true)                                                                 \
    X("-Xpreprocessor", CC_FOR_COMPILER, false)                                                              \
    X("-Xassembler", CC_FOR_COMPILER, false)                                                                 \
    X("-Xclang", CC_FOR_COMPILER, false)                                                                     \
    X("-mllvm", CC_FOR_COMPILER, false)                                                                      \
    X("--param", CC_FOR_COMPILER, false)                                                                     \
    X("-B", CC_FOR_COMPILER | CC_FOR_LINKER, true)                                                           \
    X("-L", CC_FOR_LINKER, true)                                                                             \
    X("-l", CC_FOR_LINKER, true)                                                                             \
    X("-T", CC_FOR_LINKER, true)                                                                             \
    X("-u", CC_FOR_LINKER, true)                                                                             \
    X("-z", CC_FOR_LINKER, false)                                                                            \
    X("-e", CC_FOR_LINKER, false)                                                                            \
    X("-Xlinker", CC_FOR_LINKER, false)                                                                      \
    X("-rpath", CC_FOR_LINKER, false)

// Dropped silently: they select processors or tools, and do not change the meaning of the program.
// -flto would make objects without native code; -march would make code that does not run on every processor.
#define CC_DROPPED_PREFIXES(X)                                                                               \
    X("-flto")                                                                                               \
    X("-fno-fat-lto-objects")                                                                                \
    X("-ffat-lto-objects")                                                                                   \
    X("-fuse-linker-plugin")                                                                                 \
    X("-fno-use-linker-plugin")                                                                              \
    X("-fwhole-program")                                                                                     \
    X("-march=")                                                                                             \
    X("-mtune=")                                                                                             \
    X("-mcpu=")                                                                                              \
    X("-fembed-bitcode")                                                                                     \
    X("-static-libgcc")                                                                                      \
    X("-fstack-clash-protection")                                                                            \
    X("-fcf-protection")

// Dropped with a warning: instrumentation that needs its own library in the program; Tamar's own checks and
// coverage take its place.
#define CC_INSTRUMENTATION_PREFIXES(X)                                                                       \
    X("-fsanitize")                                                                                          \
    X("-fprofile")                                                                                           \
    X("-ftest-coverage")                                                                                     \
    X("-fcoverage")                                                                                          \
    X("--coverage")                                                                                          \
    X("-pg")

// Rejected: options for instructions that the modelled x86-64 does not have, and for modes other than 64 bits.
#define CC_REFUSED_PREFIXES(X)                                                                               \
    X("-mavx")                                                                                               \
    X("-mvpclmul")                                                                                           \
    X("-maes")                                                                                               \
    X("-mvaes")                                                                                              \
    X("-msha")                                                                                               \
    X("-mgfni")                                                                                              \
    X("-mfma")                                                                                               \
    X("-mf16c")                                                                                              \
    X("-m32")                                                                                                \
    X("-mx32")                                                                                               \
    X("-m16")

#endif
