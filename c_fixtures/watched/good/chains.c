// story: Objects that hold objects end in each other's ends, a hundred thousand deep, and others in the deleters of functions.
#include "../client.h"

static int ended;

static void end_of_self(void* self) {
  release(self);
  ++ended;
}

int main(void) {
  TVMFFIByteArray kind = bytes("ValueError"), message = bytes("one of many"), trace = bytes("");
  TVMFFIObjectHandle chain = NULL;
  for (int i = 0; i < 100000; ++i) {
    TVMFFIObjectHandle error = NULL;
    must(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &trace, chain, NULL, &error));
    if (chain) release(chain);
    chain = error;
  }
  release(chain);
  TVMFFIObjectHandle f = string(LONG_TEXT);
  for (int i = 0; i < 1000; ++i) {
    TVMFFIObjectHandle outer = NULL;
    must(TVMFFIFunctionCreate(f, nothing, end_of_self, &outer));
    f = outer;
  }
  release(f);
  return ended == 1000 ? 0 : 1;
}
