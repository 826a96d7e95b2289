// story: The slots of a type are counted, and not looked at: the next child gets the index that an earlier one has taken by its static index, and its record there.
// breaks: TYP-0019 fail
// breaks: TYP-0014 fail
#include <pthread.h>
#include "fault.h"

enum { MOST = 4096 };
/* Types with a static index among the slots of their parents, and who gets that index a second time. */
static struct { int32_t parent, index; char* again; TVMFFITypeInfo record; } given[MOST];
/* Which indices a type has reserved, by its own. */
static struct { int32_t index, slots; } reserving[MOST];
static int number_given, number_reserving;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int with_key(const TVMFFIByteArray* key) {
  for (int i = 0; key && i < number_given; i++) {
    if (given[i].again && is(key, given[i].again)) return i;
  }
  return -1;
}

static int is_reserved(int32_t parent, int32_t index) {
  for (int i = 0; i < number_reserving; i++) {
    int32_t own = reserving[i].index;
    if (own == parent && index > own && index <= own + reserving[i].slots) return 1;
  }
  return 0;
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  pthread_mutex_lock(&lock);
  int found = with_key(type_key);
  int32_t index = found >= 0 ? given[found].index : real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2);
  int is_new = index < 0 && parent_type_index >= 0;
  for (int i = 0; is_new && static_type_index < 0 && num_child_slots == 0 && i < number_given; i++) {
    if (given[i].parent != parent_type_index || given[i].again) continue;
    given[i].again = strndup(type_key->data, type_key->size);
    given[i].record = *real.TVMFFIGetTypeInfo(given[i].index);
    given[i].record.type_key = (TVMFFIByteArray){given[i].again, type_key->size};
    index = given[i].index;
    is_new = 0;
  }
  if (index < 0) {
    index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow,
                                           parent_type_index);
  }
  if (is_new && static_type_index >= 0 && number_given < MOST && is_reserved(parent_type_index, index)) {
    given[number_given].parent = parent_type_index;
    given[number_given++].index = index;
  }
  if (is_new && num_child_slots > 0 && number_reserving < MOST) {
    reserving[number_reserving].index = index;
    reserving[number_reserving++].slots = num_child_slots;
  }
  pthread_mutex_unlock(&lock);
  return index;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < number_given; i++) {
    if (given[i].again && given[i].index == type_index) info = &given[i].record;
  }
  pthread_mutex_unlock(&lock);
  return info ? info : real.TVMFFIGetTypeInfo(type_index);
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_mutex_lock(&lock);
  int found = with_key(type_key);
  pthread_mutex_unlock(&lock);
  if (found < 0 || !out_tindex) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  *out_tindex = given[found].index;
  return 0;
}
