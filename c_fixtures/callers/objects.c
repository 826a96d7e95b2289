#include "caller.h"

CALLER(version) {
  TVMFFIVersion words[2];
  memset(words, 0xA5, sizeof(words));
  CLAUSE(t, "SYM-0005");
  CALL(t, TVMFFIGetVersion(&words[0]));
  CHECK_EQ_INT(t, "the word behind the version", words[1].major, 0xA5A5A5A5u);
  return 0;
}
