/* IDA* on the 15-puzzle with the Manhattan distance, as one writes it in C: an array of tiles, moves made and taken back in place.
 * The same order of moves, the same nodes as ida_star.
 * Usage: slider_twin tile tile ... (16 of them, 0 the blank, the blank last when solved). Prints nodes, seconds, length. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 4, SIZE = 16, FOUND = -1 };

static int tiles[SIZE];
static int steps[SIZE][SIZE]; /* of a tile in a cell */
static long long nodes;
static int length;

static int search(int blank, int before, int spent, int estimate, int bound)
{
    nodes++;
    int total = spent + estimate;
    if (total > bound)
        return total;
    if (estimate == 0) {
        length = spent;
        return FOUND;
    }
    int least = 1 << 30, column = blank % WIDTH;
    int neighbours[4], number = 0;
    if (blank >= WIDTH)
        neighbours[number++] = blank - WIDTH;
    if (column > 0)
        neighbours[number++] = blank - 1;
    if (column < WIDTH - 1)
        neighbours[number++] = blank + 1;
    if (blank + WIDTH < SIZE)
        neighbours[number++] = blank + WIDTH;
    for (int i = 0; i < number; i++) {
        int cell = neighbours[i];
        if (cell == before)
            continue;
        int tile = tiles[cell];
        tiles[blank] = tile;
        tiles[cell] = 0;
        int found = search(cell, blank, spent + 1, estimate + steps[tile][blank] - steps[tile][cell], bound);
        tiles[cell] = tile;
        tiles[blank] = 0;
        if (found == FOUND)
            return FOUND;
        if (found < least)
            least = found;
    }
    return least;
}

int main(int argc, char **argv)
{
    int blank = 0, estimate = 0;
    for (int tile = 1; tile < SIZE; tile++)
        for (int cell = 0; cell < SIZE; cell++)
            steps[tile][cell] = abs(cell / WIDTH - (tile - 1) / WIDTH) + abs(cell % WIDTH - (tile - 1) % WIDTH);
    if (argc != SIZE + 1)
        return 1;
    for (int cell = 0; cell < SIZE; cell++) {
        tiles[cell] = atoi(argv[cell + 1]);
        if (tiles[cell] == 0)
            blank = cell;
        else
            estimate += steps[tiles[cell]][cell];
    }
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    int bound = estimate, found;
    while ((found = search(blank, -1, 0, estimate, bound)) != FOUND)
        bound = found;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (ended.tv_sec - began.tv_sec) + 1e-9 * (ended.tv_nsec - began.tv_nsec);
    printf("%lld %.6f %d\n", nodes, seconds, length);
    return 0;
}
