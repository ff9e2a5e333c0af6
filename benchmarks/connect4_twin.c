/* The C twin of `alpha_beta` on `connect4`: the same state, the same order, the same search, written as one
   would write it in C. Prints nodes and seconds. Used by benchmarks/alpha_beta.py, where there is a C compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <math.h>

enum { WIDTH = 7, HEIGHT = 6, STEP = HEIGHT + 1 };

typedef struct { int64_t mine, both, ply; } Board;
typedef struct { int64_t nodes; volatile int64_t stop; } Memory;

static int connected(int64_t stones) {
    static const int shifts[4] = {1, STEP - 1, STEP, STEP + 1};
    for (int i = 0; i < 4; i++) {
        int64_t pairs = stones & (stones >> shifts[i]);
        if (pairs & (pairs >> (2 * shifts[i]))) return 1;
    }
    return 0;
}

static double alpha_beta(Memory *memory, Board s, int64_t depth, double alpha, double beta) {
    if (memory->stop) return 0.0;
    memory->nodes++;
    int won = connected(s.both ^ s.mine);
    if (won || s.ply == WIDTH * HEIGHT) return !won ? 0.0 : (s.ply & 1) ? 1.0 : -1.0;
    if (depth == 0) return 0.0;
    int maximising = (s.ply & 1) == 0;
    double value = maximising ? -INFINITY : INFINITY;
    for (int column = 0; column < WIDTH; column++) {
        if ((s.both >> (column * STEP + HEIGHT - 1)) & 1) continue;
        Board next = {s.both ^ s.mine, s.both | (s.both + ((int64_t)1 << (column * STEP))), s.ply + 1};
        double child = alpha_beta(memory, next, depth - 1, alpha, beta);
        if (maximising) {
            if (child > value) value = child;
            if (value >= beta) break;
            if (value > alpha) alpha = value;
        } else {
            if (child < value) value = child;
            if (value <= alpha) break;
            if (value < beta) beta = value;
        }
    }
    return value;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : 14;
    Memory memory = {0, 0};
    Board start = {0, 0, 0};
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    double value = alpha_beta(&memory, start, depth, -INFINITY, INFINITY);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (ended.tv_sec - began.tv_sec) + 1e-9 * (ended.tv_nsec - began.tv_nsec);
    printf("%lld %.6f %g\n", (long long)memory.nodes, seconds, value);
    return 0;
}
