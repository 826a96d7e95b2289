// story: A thread that asked for a type in vain remembers that, and does not learn that another thread has registered it since.
// breaks: TYP-0037 fail
#include "fault.h"

static __thread uint64_t unknown[64];
static __thread unsigned next;

static uint64_t hash_of(const TVMFFIByteArray* key) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < key->size; ++i) hash = (hash ^ (unsigned char)key->data[i]) * 1099511628211u;
  return hash;
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  const uint64_t hash = type_key ? hash_of(type_key) : 0;
  for (int i = 0; i < 64; ++i) {
    if (unknown[i] != hash || hash == 0) continue;
    if (parent_type_index == -2) return -2;
    unknown[i] = 0;
  }
  const int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                       child_slots_can_overflow, parent_type_index);
  if (index == -2) unknown[next++ % 64] = hash;
  return index;
}

