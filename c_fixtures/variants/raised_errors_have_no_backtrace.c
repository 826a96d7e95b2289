// story: The errors that TVMFFIErrorSetRaisedFromCStr and TVMFFIErrorSetRaisedFromCStrParts raise have an empty backtrace.
// admitted: abi_overview.md: "When possible, we store the backtrace"; BTR-0001: a backtrace may be empty; facts.md 18: "An empty string is acceptable to all clients tested".
#include "fault.h"

static void raise_without(const char* kind, const char* message, size_t size) {
  const TVMFFIByteArray kind_bytes = {kind, strlen(kind)}, message_bytes = {message, size}, none = {"", 0};
  TVMFFIObjectHandle error = NULL;
  if (real.TVMFFIErrorCreate(&kind_bytes, &message_bytes, &none, &error) != 0) {
    real.TVMFFIErrorSetRaisedFromCStr("MemoryError", "no memory for an error");
    return;
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (!kind) kind = "RuntimeError";
  if (!message) message = "";
  raise_without(kind, message, strlen(message));
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  if (!kind) kind = "RuntimeError";
  if (!parts) num_parts = 0;
  size_t size = 0;
  for (int32_t i = 0; i < num_parts; ++i) size += parts[i] ? strlen(parts[i]) : 0;
  char* whole = malloc(size + 1);
  if (!whole) {
    real.TVMFFIErrorSetRaisedFromCStrParts(kind, parts, num_parts);
    return;
  }
  char* end = whole;
  for (int32_t i = 0; i < num_parts; ++i) {
    const size_t length = parts[i] ? strlen(parts[i]) : 0;
    if (length) memcpy(end, parts[i], length);
    end += length;
  }
  raise_without(kind, whole, size);
  free(whole);
}
