/* Faults in what is registered by name: `is_new` tells whether nobody registered the name before. */
#ifndef TVM_FFI_FIRST_VALUE_H_
#define TVM_FFI_FIRST_VALUE_H_

#include "fault.h"

static inline int is_new(const char* name) {
  static struct entry { struct entry* next; char name[]; }* entries;
  struct entry* first = __atomic_load_n(&entries, __ATOMIC_ACQUIRE);
  struct entry* own = malloc(sizeof(*own) + strlen(name) + 1);
  if (own == NULL) return 1;
  strcpy(own->name, name);
  do {
    for (struct entry* entry = first; entry; entry = entry->next) {
      if (strcmp(entry->name, name) != 0) continue;
      free(own);
      return 0;
    }
    own->next = first;
  } while (!__atomic_compare_exchange_n(&entries, &first, own, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return 1;
}

#endif /* TVM_FFI_FIRST_VALUE_H_ */
