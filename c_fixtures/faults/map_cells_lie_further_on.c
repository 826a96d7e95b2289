// story: What a Map has behind its header lies four words further on than clients have compiled it in.
// breaks: MAP-0015 fail
// chance: what lies where compiled clients look for entries is whatever the heap has there
#include <pthread.h>

#include "map_cell.h"

/* A stand-in for a Map: clients see it, the library the Map. To who reads it as a Map it is one of nothing. */
struct stand_in {
  TVMFFIObject header;
  uint64_t nothing[4];
  struct map_cell cell;
  TVMFFIObject* map;
  struct stand_in* next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stand_in* all;

static struct stand_in* find(const void* object) {
  struct stand_in* found = all;
  while (found && (const void*)found != object) found = found->next;
  return found;
}

static void end(void* self, int flags) {
  struct stand_in* ended = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) real.TVMFFIObjectDecRef(ended->map);
  if (!(flags & kTVMFFIObjectDeleterFlagBitMaskWeak)) return;
  pthread_mutex_lock(&lock);
  struct stand_in** place = &all;
  while (*place != ended) place = &(*place)->next;
  *place = ended->next;
  pthread_mutex_unlock(&lock);
  free(ended);
}

/* Has a new Map stood in for, unless somebody else has it, too. */
static void stand_in_for(TVMFFIAny* value) {
  if (value->type_index != kTVMFFIMap || (uint32_t)value->v_obj->combined_ref_count != 1) return;
  pthread_mutex_lock(&lock);
  if (!find(value->v_obj)) {
    struct stand_in* made = calloc(1, sizeof(*made));
    made->header.combined_ref_count = (uint64_t)1 << 32 | 1;
    made->header.type_index = kTVMFFIMap;
    made->header.deleter = end;
    made->cell = *map_cell(value);
    made->map = value->v_obj;
    made->next = all;
    all = made;
    value->v_obj = &made->header;
  }
  pthread_mutex_unlock(&lock);
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  enum { FEW = 16 };
  TVMFFIAny few[FEW];
  if (num_args <= 0 || !args) return real.TVMFFIFunctionCall(func, args, num_args, result);
  TVMFFIAny* given = num_args > FEW ? malloc(num_args * sizeof(TVMFFIAny)) : few;
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < num_args; ++i) {
    given[i] = args[i];
    struct stand_in* found = args[i].type_index == kTVMFFIMap ? find(args[i].v_obj) : NULL;
    if (found) given[i].v_obj = found->map;
  }
  pthread_mutex_unlock(&lock);
  int code = real.TVMFFIFunctionCall(func, given, num_args, result);
  if (given != few) free(given);
  if (code == 0 && result) stand_in_for(result);
  return code;
}
