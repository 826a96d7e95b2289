// story: The key of a type that names its index is taken for a literal and not copied: its record refers to the bytes where the caller keeps them.
// breaks: TYP-0020 fail
#include "borrowed_key.h"

static int is_borrowed(int32_t index, int32_t static_type_index) {
  return index == static_type_index && index < kTVMFFIDynObjectBegin;
}
