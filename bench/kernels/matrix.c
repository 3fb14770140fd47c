// Matrix products, of doubles and of integers: index arithmetic and multiply-add.
#include <stdio.h>

#ifndef N
#define N 540
#endif

static double a[N][N], b[N][N], c[N][N];
static int x[N][N], y[N][N], z[N][N];

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j) % 13 - 6, b[i][j] = (i + j * 5) % 11 - 5;
            x[i][j] = (i * 3 + j) % 17, y[i][j] = (i + j * 2) % 19;
        }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = c[i][j];
                int total = z[i][j];
                for (int k = 0; k < N; k++) {
                    sum += a[i][k] * b[k][j];
                    total += x[i][k] * y[k][j];
                }
                c[i][j] = sum, z[i][j] = total;
            }
    double trace = 0;
    long sum = 0;
    for (int i = 0; i < N; i++) {
        trace += c[i][(i * 31) % N];
        for (int j = 0; j < N; j++) sum += z[i][j] ^ j;
    }
    printf("%.6f %ld\n", trace, sum);
    return 0;
}
