// story: The record of a type refers to the key where the caller keeps it.
// breaks: TYP-0020 fail
#include "borrowed_key.h"

static int is_borrowed(int32_t index, int32_t static_type_index) {
  (void)index, (void)static_type_index;
  return 1;
}
