// story: A request that is refused is made once more, so a call of which one request is refused does what it was to do.
// admitted: MEM-0001, "returns an error or does what it was to do"; a raised error stays as it is where the second attempt succeeds (ERR-0022).
#include "fault.h"

static int installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  const int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}

static void* ask(size_t size) {
  void* got = malloc(size);
  return got ? got : malloc(size);
}

typedef int make(const TVMFFIByteArray* input, TVMFFIAny* out);

static int make_twice(make* function, const TVMFFIByteArray* input, TVMFFIAny* out) {
  /* What an installed allocator says stands (ALC-0013). */
  if (!input || !input->data || !out || input->size < 8 || input->size > 1 << 20 || __atomic_load_n(&installed, __ATOMIC_ACQUIRE)) {
    return function(input, out);
  }
  char* copy = ask(input->size);
  if (!copy) return refuse("MemoryError", "no memory for a copy, asked twice");
  memcpy(copy, input->data, input->size);
  const TVMFFIByteArray text = {copy, input->size};
  TVMFFIObjectHandle before = NULL;
  real.TVMFFIErrorMoveFromRaised(&before);
  int code = function(&text, out);
  if (code != 0) {
    TVMFFIObjectHandle first = NULL;
    code = function(&text, out);
    if (code == 0) real.TVMFFIErrorMoveFromRaised(&first);
    if (first) real.TVMFFIObjectDecRef(first);
  }
  if (before) {
    if (code == 0) real.TVMFFIErrorSetRaised(before);
    real.TVMFFIObjectDecRef(before);
  }
  free(copy);
  return code;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return make_twice(real.TVMFFIStringFromByteArray, input, out); }

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return make_twice(real.TVMFFIBytesFromByteArray, input, out); }

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  const int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0 || __atomic_load_n(&installed, __ATOMIC_ACQUIRE)) return code;
  return real.TVMFFIErrorCreate(kind, message, backtrace, out);
}
