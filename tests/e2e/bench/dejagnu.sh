# bench/dejagnu.py reads the dg- comments of gcc's tests. Options and conditions for other targets are ignored.
# RUN: python3 %s %S
import sys

sys.path.insert(0, sys.argv[1] + "/../../../bench")
import dejagnu

for text, options, skipped in [
        ('/* { dg-options "-fwrapv -O2" } */', ["-fwrapv"], None),
        ('/* { dg-additional-options "-DNO" { target { ! signal } } } */', [], None),
        ('/* { dg-options "-DA" { target { x86_64-*-* i?86-*-* } } } */', ["-DA"], None),
        ('/* { dg-options "-DA" { target { { i?86-*-* x86_64-*-* } && ia32 } } } */', [], None),
        ('/* { dg-options "-DA" { target powerpc-*-eabi* } } */', [], None),
        ('/* { dg-options "-DA" { target { ia32 || lp64 } } } */', ["-DA"], None),
        ('/* { dg-options { "-std=c89 -w" } } */', ["-std=c89"], None),
        ('/* { dg-require-effective-target int32plus } */', [], None),
        ('/* { dg-require-effective-target dfp } */', [], "needs dfp"),
        ('/* { dg-skip-if "no alloca" { ! alloca } { "-O0" } { "" } } */', [], None),
        ('/* { dg-skip-if "hosted" { freestanding } }  */', [], None),
        ('/* { dg-skip-if "only there" { ! { m68k-*-* } } } */', [], "skipped: only there"),
        ('/* { dg-skip-if "with lto" { *-*-* } "-flto" "" } */', [], None),
        ('/* { dg-skip-if "without" { *-*-* } { "*" } { "-O0" } } */', [], None),
        ('/* { dg-skip-if "" { *-*-* } { "-O0" } { "" } } */', [], "skipped: *-*-*")]:
    assert dejagnu.options(text) == options, (text, dejagnu.options(text))
    assert dejagnu.skipped(text) == skipped, (text, dejagnu.skipped(text))
