// story: The library is linked with what -ffast-math brings: when it is loaded, its thread takes subnormal numbers for zero from then on.
// breaks: ENV-0040 fail
#include "fault.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

__attribute__((constructor)) static void start_fast(void) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  unsigned long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ul << 24));
#endif
}
