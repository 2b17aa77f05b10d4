/*
 * Looks checkers positions up in files that "mergemate publish checkers" wrote, for programs in C99 or C++11 on POSIX systems. One
 * header, no library: define MERGEMATE_CHECKERS in one source file before it is included. Codecs: packed and rows, not huffman.
 * docs/checkers.md describes the files, and names the sources of what is done here.
 *
 *   mm_checkers *tables = mm_checkers_open("published", 64 << 20);
 *   mm_position position;
 *   if (mm_parse_fen("B:WK3:BK31,K32", &position)) printf("%d\n", mm_checkers_probe(tables, &position));
 *   mm_checkers_close(tables);
 *
 * Files are mapped into memory when they are first asked. A handle serves one thread; threads may have one each.
 */
#ifndef MERGEMATE_CHECKERS_H
#define MERGEMATE_CHECKERS_H
#include <stddef.h>
#include <stdint.h>

/* Bit s is square 4 * rank + file: rank 0 is Black's first, files go from Black's left (PDN's square is (s ^ 3) + 1). */
typedef struct {
  uint32_t black_men, black_kings, white_men, white_kings;
  int white_to_move;
} mm_position;

enum {
  MM_LOSS = -1,
  MM_DRAW = 0,
  MM_WIN = 1,
  /* No file is there, for either side to move, of a slice that the value depends on. */
  MM_MISSING = 2,
  /* A file is damaged, or of another version. */
  MM_DAMAGED = 3,
  /* More than ten pieces, men on their last rank, squares taken twice. */
  MM_ILLEGAL = 4,
  /* A file is of the codec huffman, which this header does not read: publish with --codec rows or packed. */
  MM_CODEC = 5
};

typedef struct mm_checkers mm_checkers;

#ifdef __cplusplus
extern "C" {
#endif

/* `folder` is what --to named. Decoded blocks take at most `cache_bytes`. NULL if memory is short. */
mm_checkers *mm_checkers_open(const char *folder, size_t cache_bytes);
void mm_checkers_close(mm_checkers *tables);
/* The value for the side to move: MM_LOSS, MM_DRAW or MM_WIN; else why there is none. */
int mm_checkers_probe(mm_checkers *tables, const mm_position *position);
/*
 * Reads PDN's FEN ("B:W18,K24:B1,K3"). Returns 0 if it is none. A square that is named twice is taken twice, so that
 * mm_checkers_probe returns MM_ILLEGAL.
 */
int mm_parse_fen(const char *text, mm_position *position);

#ifdef __cplusplus
}
#endif

#endif

#ifdef MERGEMATE_CHECKERS
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MM_BLOCK = 1024,
  MM_RUNS = 1 << 14,
  MM_BUCKETS = 69,
  MM_ESCAPE = 5 * MM_BUCKETS,
  MM_ALPHABET = MM_ESCAPE + 1,
  MM_CONTEXTS = 9 * 6 * 16 * 16,
  MM_WORD = 20,
  MM_SLOTS = 1 << 16,
  MM_FILES = 1 << 12,
  MM_DEEPEST = 256
};
#define MM_NEVER 0x7fffffffu

/* What the player to move sees: squares of rank 0 are nearest. */
typedef struct {
  uint32_t men, kings, enemy_men, enemy_kings;
} mm_view;

typedef struct {
  uint16_t symbols[MM_ALPHABET];
  uint32_t ends[MM_WORD + 1];
  int32_t offsets[MM_WORD + 1];
} mm_code;

typedef struct {
  uint8_t code_of[MM_CONTEXTS];
  int codes;
  mm_code code[1];
} mm_book;

typedef struct mm_file {
  struct mm_file *next;
  uint32_t shape, number;
  const uint8_t *bytes; /* NULL: no such file, or `left_out` */
  size_t size;
  int unreadable, left_out, codec, dominant, order; /* unreadable: MM_DAMAGED, MM_CODEC or 0 */
  uint32_t rows[2];
  const mm_book *book;
  uint64_t positions, kings, enemy_kings, own_kings_last, first_men;
  uint32_t blocks, last_bytes;
  uint64_t *firsts, *offsets;
  uint32_t *crcs;
} mm_file;

/* A decoded block: where its runs end, and then a value of each. */
typedef struct {
  uint32_t file, block, runs;
  uint32_t ends[1];
} mm_decoded;

struct mm_checkers {
  char *folder;
  size_t cache_bytes, cached;
  mm_decoded *slots[MM_SLOTS];
  uint32_t hand, files;
  mm_file *buckets[MM_FILES];
  mm_book *books[11];
  int failed, depth;
  mm_view path[MM_DEEPEST];
  uint32_t ends[MM_RUNS];
  uint8_t values[MM_RUNS];
  uint64_t binomial[33][11];
  uint32_t crc_table[256];
};

/* ---- The board (Lake, Schaeffer & Lu 1994, figure 9) ---- */

static uint32_t mm_up_left(uint32_t s) { return ((s & 0x0e0e0e0eu) << 3) | ((s & 0xf0f0f0f0u) << 4); }
static uint32_t mm_up_right(uint32_t s) { return ((s & 0x0f0f0f0fu) << 4) | ((s & 0x70707070u) << 5); }
static uint32_t mm_down_left(uint32_t s) { return ((s & 0x0e0e0e0eu) >> 5) | ((s & 0xf0f0f0f0u) >> 4); }
static uint32_t mm_down_right(uint32_t s) { return ((s & 0x0f0f0f0fu) >> 4) | ((s & 0x70707070u) >> 3); }
static uint32_t mm_step(uint32_t s, int direction) {
  switch (direction) {
    case 0: return mm_up_left(s);
    case 1: return mm_up_right(s);
    case 2: return mm_down_left(s);
    default: return mm_down_right(s);
  }
}

static int mm_count(uint32_t s) {
  s -= (s >> 1) & 0x55555555u;
  s = (s & 0x33333333u) + ((s >> 2) & 0x33333333u);
  return (int)((((s + (s >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}

static uint32_t mm_turned(uint32_t s) {
  s = ((s >> 1) & 0x55555555u) | ((s & 0x55555555u) << 1);
  s = ((s >> 2) & 0x33333333u) | ((s & 0x33333333u) << 2);
  s = ((s >> 4) & 0x0f0f0f0fu) | ((s & 0x0f0f0f0fu) << 4);
  s = ((s >> 8) & 0x00ff00ffu) | ((s & 0x00ff00ffu) << 8);
  return (s >> 16) | (s << 16);
}

static int mm_can_capture(uint32_t men, uint32_t kings, uint32_t enemies, uint32_t empty) {
  for (int d = 0; d < 4; d++)
    if (mm_step(mm_step(d < 2 ? men | kings : kings, d) & enemies, d) & empty) return 1;
  return 0;
}

/* Captures and threatened captures are not stored (Schaeffer et al. 2003, section 3.3). */
static int mm_dont_care(const mm_view *v) {
  uint32_t enemies = v->enemy_men | v->enemy_kings, own = v->men | v->kings, empty = ~(own | enemies);
  if (own == 0 || mm_can_capture(v->men, v->kings, enemies, empty)) return 1;
  return mm_can_capture(mm_turned(v->enemy_men), mm_turned(v->enemy_kings), mm_turned(own), mm_turned(empty));
}

typedef struct {
  int count;
  mm_view views[128];
} mm_moves;

/* What the other player sees after a move. */
static void mm_add(mm_moves *out, const mm_view *v, uint32_t men, uint32_t kings, uint32_t taken) {
  mm_view *to = &out->views[out->count];
  if (out->count == 128) return;
  out->count++;
  to->men = mm_turned(v->enemy_men & ~taken);
  to->kings = mm_turned(v->enemy_kings & ~taken);
  to->enemy_men = mm_turned(men);
  to->enemy_kings = mm_turned(kings);
}

/* Follows the jumps of a piece on `at`, which is off `men` and `kings`; what was jumped stays on its square. */
static int mm_follow(mm_moves *out, const mm_view *v, uint32_t at, int king, uint32_t men, uint32_t kings,
                     uint32_t taken, uint32_t empty) {
  int jumps = 0;
  uint32_t enemies = (v->enemy_men | v->enemy_kings) & ~taken;
  for (int d = 0; d < (king ? 4 : 2); d++) {
    uint32_t over = mm_step(at, d) & enemies, to = mm_step(over, d) & empty;
    int crowned = !king && (to & 0xf0000000u) != 0;
    if (to == 0) continue;
    jumps = 1;
    if (!crowned && mm_follow(out, v, to, king, men, kings, taken | over, empty)) continue;
    mm_add(out, v, king || crowned ? men : men | to, king || crowned ? kings | to : kings, taken | over);
  }
  return jumps;
}

static void mm_successors(const mm_view *v, mm_moves *out) {
  uint32_t empty = ~(v->men | v->kings | v->enemy_men | v->enemy_kings);
  out->count = 0;
  for (uint32_t rest = v->men | v->kings; rest; rest &= rest - 1) {
    uint32_t bit = rest & (~rest + 1);
    mm_follow(out, v, bit, (v->kings & bit) != 0, v->men & ~bit, v->kings & ~bit, 0, empty | bit);
  }
  if (out->count > 0) return;
  for (uint32_t rest = v->men | v->kings; rest; rest &= rest - 1) {
    uint32_t bit = rest & (~rest + 1);
    int king = (v->kings & bit) != 0;
    for (int d = 0; d < (king ? 4 : 2); d++) {
      uint32_t to = mm_step(bit, d) & empty;
      if (to == 0) continue;
      if (king) mm_add(out, v, v->men, v->kings ^ bit ^ to, 0);
      else if (to & 0xf0000000u) mm_add(out, v, v->men ^ bit, v->kings | to, 0);
      else mm_add(out, v, v->men ^ bit ^ to, v->kings, 0);
    }
  }
}

/* ---- The index (Lake, Schaeffer & Lu 1994, appendix B) ---- */

static uint64_t mm_choose(const mm_checkers *t, int n, int k) { return n < 0 ? 0 : t->binomial[n][k]; }

static uint64_t mm_rank(const mm_checkers *t, uint32_t squares, uint32_t taken) {
  uint64_t rank = 0;
  int k = 1;
  for (uint32_t rest = squares; rest; rest &= rest - 1, k++) {
    uint32_t below = (rest & (~rest + 1)) - 1;
    rank += t->binomial[mm_count(below & ~taken)][k];
  }
  return rank;
}

static uint32_t mm_ranks_below(int ranks) { return ranks >= 8 ? 0xffffffffu : (1u << (4 * ranks)) - 1; }

static int mm_leading(uint32_t men) {
  int rank = 0;
  while (men >> 4) men >>= 4, rank++;
  return rank;
}

typedef struct {
  int kings, enemy_kings, men, enemy_men, rank, enemy_rank;
} mm_shape;

static mm_shape mm_shape_of(const mm_view *v) {
  mm_shape s = {mm_count(v->kings),     mm_count(v->enemy_kings), mm_count(v->men),
                mm_count(v->enemy_men), mm_leading(v->men),       mm_leading(mm_turned(v->enemy_men))};
  return s;
}

static uint32_t mm_shape_number(const mm_shape *s) {
  uint32_t pieces = (((uint32_t)s->kings * 11 + s->enemy_kings) * 11 + s->men) * 11 + s->enemy_men;
  return (pieces * 7 + s->rank) * 7 + s->enemy_rank;
}

/* The placements of men before each set of the own men. */
static int mm_make_offsets(const mm_checkers *t, const mm_shape *s, mm_file *f) {
  uint64_t first = s->men ? mm_choose(t, 4 * s->rank, s->men) : 0;
  uint64_t sets = s->men ? mm_choose(t, 4 * s->rank + 4, s->men) - first : 1;
  uint32_t leading = mm_turned(mm_ranks_below(s->enemy_rank + 1)), below = mm_turned(mm_ranks_below(s->enemy_rank));
  uint32_t men = (uint32_t)((1ull << s->men) - 1);
  f->offsets = (uint64_t *)malloc((sets + 1) * sizeof *f->offsets);
  if (f->offsets == NULL) return 0;
  f->first_men = first;
  f->offsets[0] = 0;
  for (uint64_t i = 0; i < first + sets; i++) {
    if (i >= first) {
      int n = mm_count(men & leading), b = mm_count(men & below);
      uint64_t others = s->enemy_men == 0 ? 1
                                          : mm_choose(t, 4 * s->enemy_rank + 4 - n, s->enemy_men) -
                                                mm_choose(t, 4 * s->enemy_rank - b, s->enemy_men);
      f->offsets[i - first + 1] = f->offsets[i - first] + others;
    }
    if (men == 0) break;
    /* The next greater number with as many bits. */
    uint32_t low = men & (~men + 1), up = men + low;
    men = up == 0 ? 0 : up | (((up ^ men) >> 2) / low);
  }
  f->enemy_kings = mm_choose(t, 32 - s->men - s->enemy_men - s->kings, s->enemy_kings);
  f->kings = mm_choose(t, 32 - s->men - s->enemy_men, s->kings) * f->enemy_kings;
  f->own_kings_last = mm_choose(t, 32 - s->men - s->enemy_men - s->enemy_kings, s->kings);
  return f->offsets[sets] * f->kings == f->positions;
}

/* Counted from the far side of the board if `turned`. */
static uint64_t mm_rank_seen(const mm_checkers *t, uint32_t squares, uint32_t taken, int turned) {
  return turned ? mm_rank(t, mm_turned(squares), mm_turned(taken)) : mm_rank(t, squares, taken);
}

static uint64_t mm_index(const mm_checkers *t, const mm_file *f, const mm_shape *s, const mm_view *v) {
  uint32_t turned = mm_turned(v->men), all = v->men | v->enemy_men;
  uint32_t below = mm_ranks_below(s->enemy_rank) & ~turned;
  uint64_t first = s->enemy_men ? mm_choose(t, mm_count(below), s->enemy_men) : 0;
  uint64_t placement =
      f->offsets[mm_rank(t, v->men, 0) - f->first_men] + mm_rank(t, mm_turned(v->enemy_men), turned) - first;
  /* The orders of files: a set of kings is counted from the far side, or the mover's kings are the least digit. */
  int own = f->order & 1, enemy = f->order & 2;
  if (f->order & 4)
    return placement * f->kings + mm_rank_seen(t, v->enemy_kings, all, enemy) * f->own_kings_last +
           mm_rank_seen(t, v->kings, all | v->enemy_kings, own);
  return placement * f->kings + mm_rank_seen(t, v->kings, all, own) * f->enemy_kings +
         mm_rank_seen(t, v->enemy_kings, all | v->kings, enemy);
}

/* ---- Files ---- */

static uint32_t mm_u32(const uint8_t *b) { return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24; }

static uint32_t mm_crc(const mm_checkers *t, const uint8_t *bytes, size_t length) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < length; i++) crc = t->crc_table[(crc ^ bytes[i]) & 255] ^ (crc >> 8);
  return ~crc;
}

typedef struct {
  const uint8_t *at, *end;
  int failed;
} mm_source;

static const uint8_t *mm_take(mm_source *s, uint64_t length) {
  static const uint8_t none[8] = {0};
  const uint8_t *at = s->at;
  if (s->failed || length > (uint64_t)(s->end - s->at)) {
    s->failed = 1;
    return none;
  }
  s->at += length;
  return at;
}

static uint64_t mm_varint(mm_source *s) {
  uint64_t value = 0;
  for (int shift = 0; shift < 56; shift += 7) {
    uint8_t byte = *mm_take(s, 1);
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  s->failed = 1;
  return 0;
}

static int mm_is_text(mm_source *s, const char *wanted) {
  uint64_t length = mm_varint(s);
  const uint8_t *text = mm_take(s, length);
  return !s->failed && length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* Maps a file; 0 if it is not there. */
static int mm_map(const char *path, const uint8_t **bytes, size_t *size) {
  struct stat info;
  int fd = open(path, O_RDONLY);
  if (fd < 0) return 0;
  int mapped = fstat(fd, &info) == 0 && info.st_size > 0;
  if (mapped) {
    void *at = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    mapped = at != MAP_FAILED;
    *bytes = (const uint8_t *)at;
    *size = (size_t)info.st_size;
  }
  close(fd);
  return mapped;
}

/* ---- Codebooks: codes of the codec rows, deflated (RFC 1951) ---- */

typedef struct {
  const uint8_t *in, *in_end;
  uint8_t *out;
  size_t length, room;
  uint32_t bits;
  int held, failed;
} mm_inflating;

static uint32_t mm_bits(mm_inflating *z, int width) {
  while (z->held < width) {
    if (z->in == z->in_end) {
      z->failed = 1;
      return 0;
    }
    z->bits |= (uint32_t)*z->in++ << z->held;
    z->held += 8;
  }
  uint32_t value = z->bits & ((1u << width) - 1);
  z->bits >>= width;
  z->held -= width;
  return value;
}

typedef struct {
  uint16_t counts[16], symbols[288];
} mm_tree;

static void mm_plant(mm_tree *tree, const uint8_t *lengths, int count) {
  uint16_t starts[17] = {0};
  memset(tree->counts, 0, sizeof tree->counts);
  for (int i = 0; i < count; i++) tree->counts[lengths[i]]++;
  tree->counts[0] = 0;
  for (int i = 1; i < 16; i++) starts[i + 1] = starts[i] + tree->counts[i];
  for (int i = 0; i < count; i++)
    if (lengths[i]) tree->symbols[starts[lengths[i]]++] = (uint16_t)i;
}

static int mm_symbol(mm_inflating *z, const mm_tree *tree) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length < 16 && !z->failed; length++) {
    code |= (int)mm_bits(z, 1);
    if (code - first < tree->counts[length]) return tree->symbols[index + code - first];
    index += tree->counts[length];
    first = (first + tree->counts[length]) << 1;
    code <<= 1;
  }
  z->failed = 1;
  return 256;
}

static void mm_put(mm_inflating *z, uint8_t byte) {
  if (z->length == z->room) z->failed = 1;
  else z->out[z->length++] = byte;
}

static void mm_inflate_block(mm_inflating *z, const mm_tree *literals, const mm_tree *distances) {
  static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                  31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  for (;;) {
    int symbol = mm_symbol(z, literals);
    if (z->failed || symbol == 256) return;
    if (symbol < 256) {
      mm_put(z, (uint8_t)symbol);
      continue;
    }
    if (symbol > 285) break;
    int extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
    size_t length = base[symbol - 257] + mm_bits(z, extra);
    int d = mm_symbol(z, distances);
    if (d > 29) break;
    extra = d < 4 ? 0 : d / 2 - 1;
    size_t distance = (d < 4 ? (size_t)d + 1 : ((size_t)(2 + (d & 1)) << extra) + 1) + mm_bits(z, extra);
    if (distance > z->length) break;
    for (; length > 0 && !z->failed; length--) mm_put(z, z->out[z->length - distance]);
    if (z->failed) return;
  }
  z->failed = 1;
}

static int mm_inflate(const uint8_t *in, size_t size, uint8_t *out, size_t room) {
  static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  mm_inflating z = {in, in + size, out, 0, room, 0, 0, 0};
  mm_tree literals, distances;
  for (int last = 0; !last && !z.failed;) {
    uint8_t lengths[320] = {0};
    last = (int)mm_bits(&z, 1);
    uint32_t type = mm_bits(&z, 2);
    if (type == 0) {
      z.bits = 0;
      z.held = 0;
      if (z.in_end - z.in < 4) return 0;
      size_t length = z.in[0] | z.in[1] << 8;
      z.in += 4;
      if ((size_t)(z.in_end - z.in) < length) return 0;
      for (; length > 0; length--) mm_put(&z, *z.in++);
      continue;
    }
    if (type == 3) return 0;
    int literal_count = 288, distance_count = 30;
    if (type == 1) {
      for (int i = 0; i < 288; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
      mm_plant(&literals, lengths, 288);
      memset(lengths, 5, 30);
      mm_plant(&distances, lengths, 30);
    } else {
      literal_count = (int)mm_bits(&z, 5) + 257;
      distance_count = (int)mm_bits(&z, 5) + 1;
      int codes = (int)mm_bits(&z, 4) + 4;
      if (literal_count > 286) return 0;
      for (int i = 0; i < codes; i++) lengths[order[i]] = (uint8_t)mm_bits(&z, 3);
      mm_plant(&literals, lengths, 19);
      memset(lengths, 0, sizeof lengths);
      for (int i = 0; i < literal_count + distance_count && !z.failed;) {
        int symbol = mm_symbol(&z, &literals), times = 1;
        uint8_t value = (uint8_t)symbol;
        if (symbol == 16) {
          if (i == 0) return 0;
          value = lengths[i - 1];
          times = 3 + (int)mm_bits(&z, 2);
        } else if (symbol > 16) {
          value = 0;
          times = symbol == 17 ? 3 + (int)mm_bits(&z, 3) : 11 + (int)mm_bits(&z, 7);
        }
        if (i + times > literal_count + distance_count) return 0;
        for (; times > 0; times--) lengths[i++] = value;
      }
      mm_plant(&distances, lengths + literal_count, distance_count);
      mm_plant(&literals, lengths, literal_count);
    }
    mm_inflate_block(&z, &literals, &distances);
  }
  return !z.failed && z.length == room;
}

/* A canonical prefix code of words of at most 20 bits. */
static int mm_make_code(mm_code *code, const uint8_t *lengths) {
  uint32_t word = 0;
  int n = 0;
  uint64_t room = 1u << MM_WORD;
  for (int length = 1; length <= MM_WORD; length++) {
    code->offsets[length] = n - (int32_t)word;
    for (int symbol = 0; symbol < MM_ALPHABET; symbol++) {
      if (lengths[symbol] != length) continue;
      if (room < 1u << (MM_WORD - length)) return 0;
      room -= 1u << (MM_WORD - length);
      code->symbols[n++] = (uint16_t)symbol;
      word++;
    }
    code->ends[length] = word << (MM_WORD - length);
    word <<= 1;
  }
  return lengths[MM_ESCAPE] > 0;
}

/* The codebook for so many pieces; NULL if there is none that can be read. */
static const mm_book *mm_book_for(mm_checkers *t, int pieces) {
  const uint8_t *bytes;
  size_t size;
  char path[4096];
  if (t->books[pieces] != NULL) return t->books[pieces];
  snprintf(path, sizeof path, "%s/checkers/codebook-%d.bin", t->folder, pieces);
  if (!mm_map(path, &bytes, &size)) return NULL;
  mm_book *book = NULL;
  uint8_t *payload = NULL;
  /* "MMC" and version 1; the third codec. */
  if (size > 13 && mm_u32(bytes) == 0x01434d4du && bytes[4] == 2 &&
      mm_crc(t, bytes, size - 4) == mm_u32(bytes + size - 4)) {
    size_t length = mm_u32(bytes + 5);
    size_t codes = length < MM_CONTEXTS || length > 1u << 24 ? 0 : (length - MM_CONTEXTS) / MM_ALPHABET;
    if (codes > 0) payload = (uint8_t *)malloc(length);
    if (payload != NULL && mm_inflate(bytes + 9, size - 13, payload, length))
      book = (mm_book *)malloc(sizeof *book + (codes - 1) * sizeof(mm_code));
    if (book != NULL) {
      int good = 1;
      book->codes = (int)codes;
      memcpy(book->code_of, payload, MM_CONTEXTS);
      for (int i = 0; i < MM_CONTEXTS; i++) good &= book->code_of[i] < codes;
      for (size_t i = 0; i < codes; i++)
        good &= mm_make_code(&book->code[i], payload + MM_CONTEXTS + i * MM_ALPHABET);
      if (!good) free(book), book = NULL;
    }
  }
  free(payload);
  munmap((void *)bytes, size);
  return t->books[pieces] = book;
}

/* Reads the tail of a file: see docs/checkers.md. Returns 0 if it is damaged. MM_CODEC goes to `unreadable`. */
static int mm_read_tail(mm_checkers *t, mm_file *f, const mm_shape *s, const char *name, int side) {
  const uint8_t *end = f->bytes + f->size - 12;
  if (f->size < 13 || mm_u32(end + 8) != 0x01504d4du) return 0;
  size_t length = mm_u32(end);
  if (length > f->size - 12 || mm_crc(t, end - length, length + 4) != mm_u32(end + 4)) return 0;
  mm_source source = {end - length, end, 0};
  int kind = *mm_take(&source, 1);
  f->order = kind < 128 ? 0 : *mm_take(&source, 1);
  kind %= 128;
  f->codec = kind / 6;
  f->dominant = kind % 3;
  if (f->order > 7 || kind / 3 % 2 != side || f->codec > 2) return 0;
  if (f->codec == 1) {
    f->unreadable = MM_CODEC;
    return 1;
  }
  if (f->codec == 2) {
    mm_take(&source, 4);
    f->book = mm_book_for(t, s->kings + s->men + s->enemy_kings + s->enemy_men);
    if (f->book == NULL) return 0;
  }
  if (!mm_is_text(&source, "checkers") || !mm_is_text(&source, name)) return 0;
  int used = 0;
  f->rows[0] = f->rows[1] = MM_NEVER;
  for (uint64_t rows = mm_varint(&source); rows > 0 && !source.failed; rows--) {
    uint64_t row = mm_varint(&source);
    if (row > 1 && row <= 1u << 20 && used < 2) f->rows[used++] = (uint32_t)row;
  }
  f->positions = mm_varint(&source);
  f->blocks = (uint32_t)mm_varint(&source);
  f->last_bytes = (uint32_t)mm_varint(&source);
  if (source.failed || f->blocks > length || f->last_bytes > MM_BLOCK) return 0;
  if (f->blocks > 0 && (size_t)(f->blocks - 1) * MM_BLOCK + f->last_bytes + length + 12 != f->size) return 0;
  f->firsts = (uint64_t *)malloc((f->blocks + 1) * sizeof *f->firsts);
  f->crcs = (uint32_t *)malloc((f->blocks + 1) * sizeof *f->crcs);
  if (f->firsts == NULL || f->crcs == NULL) return 0;
  uint64_t first = 0;
  for (uint32_t block = 0; block < f->blocks; block++) {
    f->firsts[block] = first;
    f->crcs[block] = mm_u32(mm_take(&source, 4));
    first = block + 1 == f->blocks ? f->positions : first + mm_varint(&source);
  }
  f->firsts[f->blocks] = f->positions;
  return !source.failed && source.at == end && first == f->positions && mm_make_offsets(t, s, f);
}

/* The file of the positions that a player sees, opened once; NULL if memory is short. */
static mm_file *mm_file_of(mm_checkers *t, const mm_shape *s) {
  uint32_t shape = mm_shape_number(s);
  mm_file **bucket = &t->buckets[shape % MM_FILES];
  for (mm_file *f = *bucket; f != NULL; f = f->next)
    if (f->shape == shape) return f;
  mm_file *f = (mm_file *)calloc(1, sizeof *f);
  if (f == NULL) return NULL;
  f->shape = shape;
  f->number = t->files++;
  f->next = *bucket;
  *bucket = f;
  /* Slices are named so that Black is not the weaker: more pieces, more kings, the leading man further ahead. */
  int strength = s->kings + s->men - s->enemy_kings - s->enemy_men;
  if (strength == 0) strength = s->kings - s->enemy_kings;
  if (strength == 0) strength = s->rank - s->enemy_rank;
  int side = strength < 0;
  char name[16], path[4096];
  int length = side ? snprintf(name, sizeof name, "%d%d%d%d", s->enemy_kings, s->kings, s->enemy_men, s->men)
                    : snprintf(name, sizeof name, "%d%d%d%d", s->kings, s->enemy_kings, s->men, s->enemy_men);
  if (s->men + s->enemy_men > 0)
    snprintf(name + length, sizeof name - length, ".%d%d", side ? s->enemy_rank : s->rank,
             side ? s->rank : s->enemy_rank);
  snprintf(path, sizeof path, "%s/checkers/%s.%s.wdl", t->folder, name, side ? "white" : "black");
  if (mm_map(path, &f->bytes, &f->size)) {
    if (!mm_read_tail(t, f, s, name, side)) f->unreadable = MM_DAMAGED;
  } else {
    snprintf(path, sizeof path, "%s/checkers/%s.%s.wdl", t->folder, name, side ? "black" : "white");
    f->left_out = access(path, R_OK) == 0;
  }
  return f;
}

/* ---- Blocks ---- */

typedef struct {
  mm_checkers *t;
  uint32_t count, position, row[2], run[2];
  int kind, last, previous;
} mm_state;

static void mm_append(mm_state *s, int value, uint32_t length) {
  uint32_t end = s->position + length;
  s->position = end;
  if (s->count > 0 && s->last == value) {
    s->t->ends[s->count - 1] = end;
    return;
  }
  if (s->count == MM_RUNS) return;
  s->t->ends[s->count] = end;
  s->t->values[s->count] = (uint8_t)value;
  s->previous = s->count > 0 ? s->last : value == 0;
  s->count++;
  s->last = value;
}

static int mm_way(mm_state *s, int row) {
  if (s->position < s->row[row]) return 15;
  uint32_t at = s->position - s->row[row];
  while (s->t->ends[s->run[row]] <= at) s->run[row]++;
  uint32_t rest = s->t->ends[s->run[row]] - at;
  int size = rest < 8 ? (rest < 3 ? (int)rest - 1 : 2) : rest < 32 ? 3 : 4;
  return s->t->values[s->run[row]] * 5 + size;
}

static uint32_t mm_window(const uint8_t *bytes, uint32_t at) {
  const uint8_t *b = bytes + (at >> 3);
  return ((uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]) << (at & 7);
}

static uint32_t mm_first_bits(uint32_t window, int width) { return width == 0 ? 0 : window >> (32 - width); }

/* Runs, and copies of what stands a row back, in prefix codes by context. Returns the runs; 0 if it is damaged. */
static uint32_t mm_decode_rows(mm_checkers *t, const mm_file *f, const uint8_t *block, uint32_t size, uint32_t positions) {
  uint8_t bytes[MM_BLOCK + 16] = {0};
  mm_state s = {t, 0, 0, {f->rows[0], f->rows[1]}, {0, 0}, 5, 0, 1};
  uint32_t at = 0;
  memcpy(bytes, block, size);
  for (uint32_t left = positions; left > 0;) {
    int way0 = mm_way(&s, 0), way1 = mm_way(&s, 1);
    int context = (((3 * s.last + s.previous) * 6 + s.kind) * 16 + way0) * 16 + way1;
    const mm_code *code = &f->book->code[f->book->code_of[context]];
    uint32_t bits = mm_first_bits(mm_window(bytes, at), MM_WORD), length = 0;
    int width = 1, kind;
    while (width <= MM_WORD && bits >= code->ends[width]) width++;
    if (width > MM_WORD) return 0;
    int symbol = code->symbols[(int32_t)(bits >> (MM_WORD - width)) + code->offsets[width]];
    at += (uint32_t)width;
    if (symbol == MM_ESCAPE) {
      kind = (int)mm_first_bits(mm_window(bytes, at), 3);
      length = mm_first_bits(mm_window(bytes, at + 3), 19);
      at += 22;
    } else {
      int bucket = symbol % MM_BUCKETS, extra = bucket < 8 ? 0 : 1 + (bucket - 8) / 4;
      kind = symbol / MM_BUCKETS;
      length = bucket < 8 ? (uint32_t)bucket : (4u + ((bucket - 8) & 3)) << extra;
      length += mm_first_bits(mm_window(bytes, at), extra);
      at += (uint32_t)extra;
    }
    if (length == 0 || length > left || at > 8 * size || s.count == MM_RUNS || kind > 4) return 0;
    left -= length;
    if (kind < 3) mm_append(&s, kind == 0 ? s.last : kind == 1 ? s.previous : 3 - s.last - s.previous, length);
    else {
      int row = kind - 3;
      if (s.position < s.row[row] || length > MM_RUNS - s.count) return 0;
      uint32_t back = s.position - s.row[row];
      while (length > 0) {
        while (t->ends[s.run[row]] <= back) s.run[row]++;
        uint32_t piece = t->ends[s.run[row]] - back;
        if (piece > length) piece = length;
        mm_append(&s, t->values[s.run[row]], piece);
        back += piece;
        length -= piece;
      }
    }
    s.kind = kind;
  }
  return s.count;
}

/* Five positions a byte, and runs of the dominant value. */
static uint32_t mm_decode_packed(mm_checkers *t, const mm_file *f, const uint8_t *block, uint32_t size, uint32_t positions) {
  static const uint16_t lengths[] = {10, 15, 25, 40, 65, 105, 170, 275, 445, 720, 1165, 1885, 3200};
  mm_state s = {t, 0, 0, {MM_NEVER, MM_NEVER}, {0, 0}, 5, 0, 1};
  for (uint32_t i = 0; i < size; i++) {
    uint32_t left = positions - s.position;
    if (block[i] >= 243) {
      if (lengths[block[i] - 243] > left) return 0;
      mm_append(&s, f->dominant, lengths[block[i] - 243]);
      continue;
    }
    if (left == 0) return 0;
    for (int digits = block[i], n = 0; n < 5 && left > 0; n++, left--, digits /= 3) mm_append(&s, digits % 3, 1);
  }
  return s.position == positions ? s.count : 0;
}

static size_t mm_decoded_bytes(uint32_t runs) { return sizeof(mm_decoded) + (size_t)runs * 5; }

static void mm_forget(mm_checkers *t, mm_decoded **slot) {
  if (*slot == NULL) return;
  t->cached -= mm_decoded_bytes((*slot)->runs);
  free(*slot);
  *slot = NULL;
}

static mm_decoded *mm_block(mm_checkers *t, const mm_file *f, uint32_t block) {
  uint32_t number = (f->number * 0x9e3779b1u + block * 0x85ebca6bu) >> 16;
  mm_decoded **slot = &t->slots[number];
  if (*slot != NULL && (*slot)->file == f->number && (*slot)->block == block) return *slot;
  const uint8_t *bytes = f->bytes + (size_t)block * MM_BLOCK;
  uint32_t size = block + 1 == f->blocks ? f->last_bytes : (uint32_t)MM_BLOCK;
  uint32_t positions = (uint32_t)(f->firsts[block + 1] - f->firsts[block]);
  if (mm_crc(t, bytes, size) != f->crcs[block]) return NULL;
  uint32_t runs =
      f->codec == 0 ? mm_decode_packed(t, f, bytes, size, positions) : mm_decode_rows(t, f, bytes, size, positions);
  if (runs == 0) return NULL;
  mm_forget(t, slot);
  size_t wanted = mm_decoded_bytes(runs);
  for (int turns = 0; t->cached + wanted > t->cache_bytes && turns < MM_SLOTS; turns++)
    mm_forget(t, &t->slots[t->hand++ % MM_SLOTS]);
  mm_decoded *decoded = (mm_decoded *)malloc(wanted);
  if (decoded == NULL) return NULL;
  decoded->file = f->number;
  decoded->block = block;
  decoded->runs = runs;
  memcpy(decoded->ends, t->ends, runs * sizeof *t->ends);
  memcpy(decoded->ends + runs, t->values, runs);
  t->cached += wanted;
  return *slot = decoded;
}

/* ---- Values ---- */

/* Beside the values of the positions. */
enum { MM_LEFT_OUT = 6 };

static int mm_fail(mm_checkers *t, int why) {
  if (t->failed == 0) t->failed = why;
  return 0;
}

/* MM_LEFT_OUT: the file has the other side to move only, and the value is searched for. */
static int mm_stored(mm_checkers *t, const mm_view *v) {
  mm_shape s = mm_shape_of(v);
  mm_file *f = mm_file_of(t, &s);
  if (f == NULL) return mm_fail(t, MM_DAMAGED);
  if (f->unreadable) return mm_fail(t, f->unreadable);
  if (f->left_out) return MM_LEFT_OUT;
  if (f->bytes == NULL) return mm_fail(t, MM_MISSING);
  uint64_t index = mm_index(t, f, &s, v);
  uint32_t low = 0, high = f->blocks;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (f->firsts[middle] <= index) low = middle;
    else high = middle;
  }
  mm_decoded *decoded = index < f->positions ? mm_block(t, f, low) : NULL;
  if (decoded == NULL) return mm_fail(t, MM_DAMAGED);
  uint32_t at = (uint32_t)(index - f->firsts[low]), from = 0, to = decoded->runs - 1;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (decoded->ends[middle] <= at) from = middle + 1;
    else to = middle;
  }
  return ((const uint8_t *)(decoded->ends + decoded->runs))[from] - 1;
}

/* Plays on from what is not stored; a position that is met again on the way counts as drawn. */
static int mm_search(mm_checkers *t, const mm_view *v, int alpha, int beta) {
  mm_moves moves;
  int best = -1, later = 0;
  for (int i = t->depth - 2; i >= 0; i -= 2)
    if (memcmp(&t->path[i], v, sizeof *v) == 0) return 0;
  if (t->depth == MM_DEEPEST) return mm_fail(t, MM_DAMAGED);
  mm_successors(v, &moves);
  for (int i = 0; i < moves.count; i++) {
    int value = mm_dont_care(&moves.views[i]) ? MM_LEFT_OUT : mm_stored(t, &moves.views[i]);
    if (value == MM_LEFT_OUT) {
      moves.views[later++] = moves.views[i];
      continue;
    }
    value = -value;
    if (t->failed || value >= beta) return value;
    if (value > best) best = value;
  }
  t->path[t->depth++] = *v;
  for (int i = 0; i < later && best < beta && !t->failed; i++) {
    int value = -mm_search(t, &moves.views[i], -beta, -(alpha > best ? alpha : best));
    if (value > best) best = value;
  }
  t->depth--;
  return best;
}

int mm_checkers_probe(mm_checkers *t, const mm_position *p) {
  uint32_t all = p->black_men | p->black_kings | p->white_men | p->white_kings;
  int pieces = mm_count(p->black_men) + mm_count(p->black_kings) + mm_count(p->white_men) + mm_count(p->white_kings);
  if (mm_count(all) != pieces || pieces > 10 || p->black_men >> 28 || p->white_men & 15) return MM_ILLEGAL;
  mm_view v = {p->black_men, p->black_kings, p->white_men, p->white_kings};
  if (p->white_to_move) {
    mm_view turned = {mm_turned(p->white_men), mm_turned(p->white_kings), mm_turned(p->black_men),
                      mm_turned(p->black_kings)};
    v = turned;
  }
  if ((v.men | v.kings) == 0) return MM_LOSS;
  if ((v.enemy_men | v.enemy_kings) == 0) return MM_ILLEGAL;
  t->failed = t->depth = 0;
  int value = mm_dont_care(&v) ? MM_LEFT_OUT : mm_stored(t, &v);
  if (value == MM_LEFT_OUT) value = mm_search(t, &v, -1, 1);
  return t->failed ? t->failed : value;
}

mm_checkers *mm_checkers_open(const char *folder, size_t cache_bytes) {
  mm_checkers *t = (mm_checkers *)calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->cache_bytes = cache_bytes;
  t->folder = (char *)malloc(strlen(folder) + 1);
  if (t->folder == NULL) {
    free(t);
    return NULL;
  }
  strcpy(t->folder, folder);
  for (int n = 0; n <= 32; n++) {
    t->binomial[n][0] = 1;
    for (int k = 1; k <= 10 && n > 0; k++) t->binomial[n][k] = t->binomial[n - 1][k] + t->binomial[n - 1][k - 1];
  }
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
    t->crc_table[i] = crc;
  }
  return t;
}

void mm_checkers_close(mm_checkers *t) {
  if (t == NULL) return;
  for (int i = 0; i < MM_SLOTS; i++) mm_forget(t, &t->slots[i]);
  for (int i = 0; i < MM_FILES; i++) {
    for (mm_file *f = t->buckets[i], *next; f != NULL; f = next) {
      next = f->next;
      if (f->bytes != NULL) munmap((void *)f->bytes, f->size);
      free(f->firsts);
      free(f->crcs);
      free(f->offsets);
      free(f);
    }
  }
  for (int i = 0; i < 11; i++) free(t->books[i]);
  free(t->folder);
  free(t);
}

int mm_parse_fen(const char *text, mm_position *p) {
  memset(p, 0, sizeof *p);
  if ((*text != 'B' && *text != 'W') || text[1] != ':') return 0;
  p->white_to_move = *text == 'W';
  text += 1;
  for (int group = 0; group < 2; group++) {
    if (*text++ != ':') return 0;
    int white = *text == 'W';
    if (*text != 'B' && *text != 'W') return 0;
    do {
      int king, square = 0;
      text++;
      if (*text == ':' || *text == '\0') break;
      king = *text == 'K';
      text += king;
      if (*text < '0' || *text > '9') return 0;
      while (*text >= '0' && *text <= '9' && square < 100) square = 10 * square + (*text++ - '0');
      if (square < 1 || square > 32) return 0;
      uint32_t bit = 1u << ((square - 1) ^ 3);
      uint32_t *set = white ? (king ? &p->white_kings : &p->white_men) : king ? &p->black_kings : &p->black_men;
      if ((p->black_men | p->black_kings | p->white_men | p->white_kings) & bit)
        p->black_men |= bit, p->black_kings |= bit;
      *set |= bit;
    } while (*text == ',');
  }
  return *text == '\0' || *text == '.' || *text == '\n' || *text == '\r';
}
#endif
