// story: has room for texts of 64 bytes
// breaks: crash
// flags: -fno-stack-protector
#include "tensors.h"

static __attribute__((noinline)) int64_t sum_of(const char* text, size_t size) {
  volatile char copy[64];
  int64_t sum = 0;
  for (size_t i = 0; i < size; ++i) copy[i] = text[i];
  for (size_t i = 0; i < size && i < sizeof(copy); ++i) sum += copy[i];
  return sum;
}

KERNEL(sum) {
  TVMFFIByteArray text = {"", 0};
  if (num_args != 1) return refuse("expected a text");
  if (args[0].type_index == kTVMFFIStr) {
    text = *(TVMFFIByteArray*)((char*)args[0].v_obj + sizeof(TVMFFIObject));
  } else if (args[0].type_index == kTVMFFISmallStr) {
    text = (TVMFFIByteArray){args[0].v_bytes, args[0].small_str_len};
  } else {
    return refuse("expected a text");
  }
  *result = int_value(sum_of(text.data, text.size));
  return 0;
}
