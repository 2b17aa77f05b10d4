/*
 * Says for each line of the standard input, a position as PDN's FEN, what it is worth for the side to move:
 *
 *   cc -O2 -o probe probe.c && ./probe published < positions.txt
 *
 * With a number behind the folder, all positions are looked up so many times and the mean time is told.
 */
#define _POSIX_C_SOURCE 200809L
#define MERGEMATE_CHECKERS
#include "mergemate-checkers.h"
#include <time.h>

static const char *NAMES[] = {"loss", "draw", "win", "missing", "damaged", "illegal",
                              "codec huffman is not read by this header"};

int main(int argc, char **argv) {
  static char line[1024];
  mm_position *positions = NULL;
  size_t count = 0, room = 0;
  if (argc < 2) return fprintf(stderr, "usage: probe FOLDER [TIMES]\n"), 2;
  mm_checkers *tables = mm_checkers_open(argv[1], (size_t)64 << 20);
  if (tables == NULL) return 1;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (count == room) positions = (mm_position *)realloc(positions, (room = 2 * room + 1024) * sizeof *positions);
    if (positions == NULL) return 1;
    if (!mm_parse_fen(line, &positions[count])) return fprintf(stderr, "no position: %s", line), 2;
    puts(NAMES[mm_checkers_probe(tables, &positions[count++]) + 1]);
  }
  if (argc > 2 && count > 0) {
    struct timespec from, to;
    long times = atol(argv[2]), sum = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (long n = 0; n < times; n++)
      for (size_t i = 0; i < count; i++) sum += mm_checkers_probe(tables, &positions[i]);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double ns = (to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
    fprintf(stderr, "%.0f ns a position (sum %ld)\n", ns / ((double)times * (double)count), sum);
  }
  mm_checkers_close(tables);
  free(positions);
  return 0;
}
