// Averages the numbers of each line.
//     printf '1 2 3\n10 20\n' | tamar exec examples/average.c
//     printf '1 2 3\n\n10 20\n' | tamar exec examples/average.c
#include <stdio.h>
#include <stdlib.h>

static long average_of(char *line) {
    long sum = 0;
    int count = 0;
    for (char *end;; line = end) {
        long number = strtol(line, &end, 10);
        if (end == line) break;
        sum += number;
        count++;
    }
    return sum / count;
}

int main(void) {
    char line[200];
    for (int number = 1; fgets(line, sizeof line, stdin); number++)
        printf("%d: %ld\n", number, average_of(line));
    return 0;
}
