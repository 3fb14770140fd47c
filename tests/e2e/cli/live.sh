# The live view: a terminal shows a block that is redrawn, and removed at the end; a pipe gets none of it.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >slow.c <<'END'
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 24; i++) {
        int c = getchar();
        if (c == 'a' + i) sum += (unsigned)i * 3;
        else if (c > 200) sum ^= (unsigned)c;
    }
    return sum == 77;
}
END
python3 - "$tamar" <<'END'
import os, pty, re, sys
seen, asked = b"", False
def read(fd):
    global seen, asked
    data = os.read(fd, 4096)
    seen += data
    if not asked and seen.count(b"tamar run slow.c   ") >= 4: # enough was drawn, however slow the machine is: Ctrl-C
        asked = True
        os.write(fd, b"\x03")
    return data
status = pty.spawn([sys.argv[1], "run", "slow.c", "--sym-stdin", "24", "--max-time", "600", "--out", "out"], read)
assert os.waitstatus_to_exitcode(status) == 3, status
text = seen.decode()
blocks = text.split("tamar run slow.c   ")
assert len(blocks) >= 4, "drawn several times"
assert re.search(r"paths +[\d,]+ done +[\d,]+ waiting", blocks[1]), blocks[1]
for word in ("test", "bugs", "lines", "branches", "conditions", "instructions a second", "the solver takes"):
    assert word in blocks[1], word
assert "ago something was covered for the first time" in blocks[-1], blocks[-1]
# A small terminal emulator: the screen at the end has no block.
screen, row = [""], 0
for piece in re.findall(r"\x1b\[\d*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
    if piece == "\n":
        row += 1
        if row == len(screen): screen.append("")
    elif piece == "\r": pass
    elif re.fullmatch(r"\x1b\[(\d+)A", piece): row -= int(piece[2:-1])
    elif piece == "\x1b[J": screen[row:] = [""]
    elif piece == "\x1b[K": pass
    elif piece.startswith("\x1b"): pass
    else: screen[row] = piece
assert not any("waiting" in line for line in screen), screen
assert any("ended by an interrupt" in line for line in screen), screen
END
status=0
"$tamar" run slow.c --sym-stdin 24 --max-time 0.5 --out piped >text 2>&1 || status=$?
test $status = 3
! grep -q "$(printf '\033')" text
! grep -q waiting text
