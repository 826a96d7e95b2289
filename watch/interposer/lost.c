/*
 * Objects, and tensors that were exported, that nobody can reach: alive at the end of the process, and their addresses stand nowhere in memory that can be written. What
 * a cache or a global holds is found there, so it is not reported; a stale copy of an address hides a loss, which is the lesser evil.
 */
#include "watch.h"

#include <dirent.h>
#include <sys/uio.h>

enum { CHUNK = 1 << 20, MOST = 1 << 20 };

/** An address that is looked for, and where to note that it was found. */
struct item {
  uintptr_t address;
  int* is_reached;
};

/** All of them: an open table. */
static struct item* table;
static uint64_t mask, count;
static uintptr_t lowest = UINTPTR_MAX, highest;

static uint64_t place_of(uintptr_t address) { return (address >> 3) * 0x9E3779B97F4A7C15u >> 20 & mask; }

static void add(uintptr_t address, int* is_reached) {
  if (address < lowest) lowest = address;
  if (address > highest) highest = address;
  uint64_t place = place_of(address);
  while (table[place].is_reached) place = (place + 1) & mask;
  table[place] = (struct item){address, is_reached};
}

static void count_node(struct node* node, void* context) {
  (void)context;
  if (node->state == ALIVE) ++count;
}

static void add_node(struct node* node, void* context) {
  (void)context;
  if (node->state != ALIVE) return;
  node->is_reached = 0;
  add((uintptr_t)node->object, &node->is_reached);
}

static void count_export(const struct export* export, void* context) {
  (void)export, (void)context;
  count += 2;
}

/** A consumer may keep the DLTensor alone. */
static void add_export(const struct export* export, void* context) {
  (void)context;
  add(export->place, export->is_reached);
  if (export->tensor) add(export->place + export->tensor, export->is_reached);
}

static void reach(uintptr_t address) {
  for (uint64_t place = place_of(address); table[place].is_reached; place = (place + 1) & mask) {
    if (table[place].address == address) {
      *table[place].is_reached = 1;
      return;
    }
  }
}

static void scan(uintptr_t begin, uintptr_t end, uintptr_t* words) {
  for (; begin < end; begin += CHUNK) {
    size_t size = end - begin < CHUNK ? end - begin : CHUNK;
    struct iovec local = {words, size}, remote = {(void*)begin, size};
    ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    for (ssize_t i = 0; i < copied / (ssize_t)sizeof(uintptr_t); ++i) {
      uintptr_t word = words[i];
      if (word + sizeof(void*) < lowest || word > highest + sizeof(TVMFFIObject)) continue;
      /* Who keeps a mark in the low bits of an address has it all the same. */
      word &= ~(uintptr_t)7;
      reach(word);
      /* What follows the header is what some clients keep. */
      reach(word - sizeof(TVMFFIObject));
      /* Some classes of C++ have a table in front of it. */
      reach(word + sizeof(void*));
    }
  }
}

/** The addresses that are not looked at: our own memory, and what lies below the stack that is in use. */
static void scan_all(uintptr_t* words) {
  FILE* maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  char row[512];
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  while (fgets(row, sizeof(row), maps)) {
    unsigned long long begin, end;
    char access[8];
    if (sscanf(row, "%llx-%llx %7s", &begin, &end, access) != 3 || access[1] != 'w' || access[0] != 'r') continue;
    if (strstr(row, " /dev/")) continue;
    if (stack >= begin && stack < end) begin = stack & ~(uintptr_t)7;
    /* The kernel joins mappings that lie side by side: ours may be a part of one. */
    uintptr_t from = begin, until;
    while (from < end) {
      uintptr_t next = next_of_ours(from, end, &until);
      scan(from, next, words);
      from = until;
    }
  }
  fclose(maps);
}

static int thread_count(void) {
  DIR* folder = opendir("/proc/self/task");
  int threads = 0;
  if (!folder) return 1;
  while (readdir(folder)) ++threads;
  closedir(folder);
  return threads - 2;
}

/** How many are lost that were made in the same place. */
struct lot {
  trace_id made;
  int32_t type_index;
  const char* made_by;
  /** One of them, NULL of tensors that were given out. */
  struct node* first;
  uint32_t lost;
};

struct lots {
  uint32_t count;
  struct lot lots[256];
};

static void note_lost(struct lots* lots, trace_id made, const char* made_by, struct node* node) {
  const int32_t type_index = node ? node->type_index : 0;
  for (uint32_t i = 0; i < lots->count; ++i) {
    struct lot* lot = &lots->lots[i];
    if (lot->made == made && lot->type_index == type_index) {
      lot->lost += 1;
      return;
    }
  }
  if (lots->count == 256) return;
  lots->lots[lots->count++] = (struct lot){made, type_index, made_by, node, 1};
}

static void sort_node(struct node* node, void* context) {
  /* What only the library holds is not the client's to release. */
  if (node->state != ALIVE || node->is_reached || node->owned <= 0 || node->is_told) return;
  note_lost(context, node->made, node->made_by, node);
}

static void sort_export(const struct export* export, void* context) {
  if (!*export->is_reached) note_lost(context, export->made, export->made_by, NULL);
}

void find_lost(void) {
  static struct lots lots;
  each_node(count_node, NULL);
  each_export(count_export, NULL);
  if (!count || count > MOST) return;
  for (mask = 1024; mask < count * 2; mask *= 2) {
  }
  table = own_memory(mask * sizeof(*table));
  uintptr_t* words = own_memory(CHUNK);
  if (!table || !words) return;
  mask -= 1;
  each_node(add_node, NULL);
  each_export(add_export, NULL);
  scan_all(words);
  each_node(sort_node, &lots);
  each_export(sort_export, &lots);
  /* An address may be in a register of another thread. */
  uint32_t least = thread_count() > 1 ? 2 : 1;
  for (uint32_t i = 0; i < lots.count; ++i) {
    struct lot* lot = &lots.lots[i];
    if (lot->lost < least) continue;
    const char* addresses = lot->lost == 1 ? "its address" : "their addresses";
    if (lot->first) {
      uint32_t strong = (uint32_t)lot->first->object->combined_ref_count;
      found_at(lot->made, "lost", lot->made_by, lot->first, "%u %s never released, and nothing holds %s: strong count %u", lot->lost,
               lot->lost == 1 ? "object was" : "objects were", addresses, strong);
    } else {
      found_at(lot->made, "lost", lot->made_by, NULL, "%u exported %s never given back by the deleter, and nothing holds %s", lot->lost,
               lot->lost == 1 ? "tensor was" : "tensors were", addresses);
    }
  }
}
