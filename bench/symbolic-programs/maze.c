// A walk through a maze: every byte of input is a step, and no field is entered twice. There is one path for each walk
// that the walls allow, and for each way to leave it; walks that reach the exit fail an assertion.
#include <tamar.h>

#define STEPS 24

static char maze[][14] = {"+---+---+---+", //
                          "|   |       |", //
                          "| + | + + + |", //
                          "|     |   | |", //
                          "| + + + + + |", //
                          "|   |   |   |", //
                          "| + + + + + |", //
                          "| |   |    #|", //
                          "+-+---+---+-+"};

int main(void) {
    char steps[STEPS];
    int x = 1, y = 1;
    tamar_symbolic(steps, sizeof steps, "steps");
    for (int i = 0; i < STEPS; i++) {
        maze[y][x] = 'o';
        switch (steps[i]) {
        case 'u': y--; break;
        case 'd': y++; break;
        case 'l': x--; break;
        case 'r': x++; break;
        default: return 1;
        }
        tamar_assert(maze[y][x] != '#');
        if (maze[y][x] != ' ') return 2;
    }
    return 0;
}
