// story: An error that a client made is not raised itself, but copied.
// breaks: ERR-0032 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  static void (*own)(void*, int);
  TVMFFIObjectHandle copy = NULL;
  TVMFFIByteArray text = {"own", 3};
  if (!own && real.TVMFFIErrorCreate(&text, &text, &text, &copy) == 0) {
    own = ((TVMFFIObject*)copy)->deleter;
    real.TVMFFIObjectDecRef(copy);
  }
  if (!error || ((TVMFFIObject*)error)->deleter == own) {
    real.TVMFFIErrorSetRaised(error);
    return;
  }
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (real.TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &copy) != 0) return;
  real.TVMFFIErrorSetRaised(copy);
  real.TVMFFIObjectDecRef(copy);
}
