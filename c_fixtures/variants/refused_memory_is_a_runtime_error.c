// story: Where memory is refused, Strings, Bytes, functions and attributes raise a RuntimeError "std::bad_alloc", and ask for a copy that the reference does without.
// admitted: MEM-0001, "returns an error": no kind and no text of it is named.
#include "fault.h"

static int bad_alloc(void) { return refuse("RuntimeError", "std::bad_alloc"); }

typedef int make(const TVMFFIByteArray* input, TVMFFIAny* out);

static int of_copy(make* function, const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || !out || input->size < 8 || input->size > 1 << 20) return function(input, out);
  char* copy = malloc(input->size);
  if (!copy) return bad_alloc();
  memcpy(copy, input->data, input->size);
  const TVMFFIByteArray text = {copy, input->size};
  const int code = function(&text, out);
  free(copy);
  return code;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return of_copy(real.TVMFFIStringFromByteArray, input, out); }

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return of_copy(real.TVMFFIBytesFromByteArray, input, out); }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  void** request = malloc(4 * sizeof(void*));
  __asm__ volatile("" : "+r"(request));
  if (!request) return bad_alloc();
  request[0] = self;
  const int code = real.TVMFFIFunctionCreate(request[0], safe_call, deleter, out);
  free(request);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!attr_name || !attr_name->data || attr_name->size > 1 << 20) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  char* copy = malloc(attr_name->size + 1);
  if (!copy) return bad_alloc();
  memcpy(copy, attr_name->data, attr_name->size);
  copy[attr_name->size] = 0;
  const TVMFFIByteArray name = {copy, attr_name->size};
  const int code = real.TVMFFITypeRegisterAttr(type_index, &name, attr_value);
  free(copy);
  return code;
}
