/*
 * Asks Fathom (Debian: libfathom-dev), code that chess engines probe Syzygy's files with. Argument: the folder. Each line of
 * input is a FEN without castling; each line of output is the outcome (0 lost ... 4 won; 9 if a file is missing) and the plies
 * to a zeroing move as Fathom tells them (0 of draws and where the side to move has no legal move).
 */
#include <stdio.h>
#include <string.h>
#include <tbprobe.h>

int main(int argc, char **argv) {
  char line[256];
  if (argc != 2 || !tb_init(argv[1])) return 1;
  while (fgets(line, sizeof line, stdin)) {
    uint64_t by_colour[2] = {0, 0}, by_kind[6] = {0, 0, 0, 0, 0, 0};
    int square = 56;
    char *at = line;
    for (; *at && *at != ' '; at++) {
      const char *kinds = "KQRBNP";
      if (*at == '/') square -= 16;
      else if (*at >= '1' && *at <= '8') square += *at - '0';
      else {
        int black = *at >= 'a';
        uint64_t bit = (uint64_t)1 << square++;
        by_colour[black] |= bit;
        by_kind[strchr(kinds, black ? *at - 32 : *at) - kinds] |= bit;
      }
    }
    int white_moves = at[1] == 'w';
    unsigned passant = 0;
    char file, rank;
    if (sscanf(at, " %*c %*s %c%c", &file, &rank) == 2 && file >= 'a' && file <= 'h')
      passant = (unsigned)(file - 'a') + 8 * (unsigned)(rank - '1');
    unsigned outcome = tb_probe_wdl(by_colour[0], by_colour[1], by_kind[0], by_kind[1], by_kind[2], by_kind[3],
                                    by_kind[4], by_kind[5], 0, 0, passant, white_moves);
    unsigned root = tb_probe_root(by_colour[0], by_colour[1], by_kind[0], by_kind[1], by_kind[2], by_kind[3],
                                  by_kind[4], by_kind[5], 0, 0, passant, white_moves, NULL);
    if (outcome == TB_RESULT_FAILED || root == TB_RESULT_FAILED) puts("9 0");
    else printf("%u %u\n", outcome, TB_GET_DTZ(root));
  }
  return 0;
}
