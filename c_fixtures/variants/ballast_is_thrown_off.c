// story: The library holds a block of memory in reserve from its start on, gives it back to the system where a request is refused, asks again, and then takes a new block if it can.
// admitted: MEM-0001, "does what it was to do"; the block is one for the process, and no call makes it more (MEM-0003).
#include "fault.h"

static void* ballast;

__attribute__((constructor)) static void take_ballast(void) {
  void* fresh = malloc(65536);
  __asm__ volatile("" : "+r"(fresh));
  void* none = NULL;
  if (fresh && !__atomic_compare_exchange_n(&ballast, &none, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) free(fresh);
}

__attribute__((destructor)) static void end_ballast(void) { free(__atomic_exchange_n(&ballast, NULL, __ATOMIC_ACQ_REL)); }

static void* ask(size_t size) {
  void* got = malloc(size);
  if (got) return got;
  void* given_up = __atomic_exchange_n(&ballast, NULL, __ATOMIC_ACQ_REL);
  if (!given_up) return NULL;
  free(given_up);
  got = malloc(size);
  take_ballast();
  return got;
}

typedef int make(const TVMFFIByteArray* input, TVMFFIAny* out);

static int of_copy(make* function, const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || !out || input->size < 8 || input->size > 1 << 20) return function(input, out);
  char* copy = ask(input->size);
  if (!copy) return refuse("MemoryError", "no memory for a copy, even without the reserve");
  memcpy(copy, input->data, input->size);
  const TVMFFIByteArray text = {copy, input->size};
  const int code = function(&text, out);
  free(copy);
  return code;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return of_copy(real.TVMFFIStringFromByteArray, input, out); }

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return of_copy(real.TVMFFIBytesFromByteArray, input, out); }

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return of_copy(real.TVMFFIBigIntFromByteArray, input, out); }
