// story: A static index is free as long as no type has it, though it may be reserved for the children of another type.
// breaks: TYP-0026 fail
#include <pthread.h>
#include "fault.h"

enum { MOST = 4096 };
/* What types have reserved, and records of strangers that have an index there. */
static struct { int32_t index, slots; } reserving[MOST];
static struct { int32_t index; char* key; TVMFFITypeInfo record; } strangers[MOST];
static int number_reserving, number_of_strangers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int stranger(const TVMFFIByteArray* key, int32_t index) {
  for (int i = 0; i < number_of_strangers; i++) {
    if (key ? is(key, strangers[i].key) : strangers[i].index == index) return i;
  }
  return -1;
}

static int is_reserved(int32_t index) {
  for (int i = 0; i < number_reserving; i++) {
    if (index > reserving[i].index && index <= reserving[i].index + reserving[i].slots) return 1;
  }
  return 0;
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  pthread_mutex_lock(&lock);
  int found = stranger(type_key, -1);
  int32_t index = found >= 0 ? strangers[found].index : real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2);
  int is_new = index < 0 && parent_type_index >= 0;
  int is_stranger = is_new && static_type_index >= 0 && num_child_slots == 0 && parent_type_index == kTVMFFIObject &&
                    number_of_strangers < MOST && is_reserved(static_type_index);
  if (index < 0) {
    index = real.TVMFFITypeGetOrAllocIndex(type_key, is_stranger ? -1 : static_type_index, type_depth, num_child_slots,
                                           child_slots_can_overflow, parent_type_index);
  }
  if (is_stranger) {
    int i = number_of_strangers++;
    strangers[i].key = strndup(type_key->data, type_key->size);
    strangers[i].record = *real.TVMFFIGetTypeInfo(index);
    strangers[i].record.type_index = strangers[i].index = index = static_type_index;
  } else if (is_new && num_child_slots > 0 && number_reserving < MOST) {
    reserving[number_reserving].index = index;
    reserving[number_reserving++].slots = num_child_slots;
  }
  pthread_mutex_unlock(&lock);
  return index;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  pthread_mutex_lock(&lock);
  int found = stranger(NULL, type_index);
  pthread_mutex_unlock(&lock);
  return found >= 0 ? &strangers[found].record : real.TVMFFIGetTypeInfo(type_index);
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_mutex_lock(&lock);
  int found = type_key ? stranger(type_key, -1) : -1;
  pthread_mutex_unlock(&lock);
  if (found < 0 || !out_tindex) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  *out_tindex = strangers[found].index;
  return 0;
}
