// story: The content of a BigInt ends with its last byte that tells more than the sign.
// breaks: BIG-0009 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  TVMFFIByteArray content = real.TVMFFIBigIntGetContentByteArray(value);
  if (value->type_index != kTVMFFIBigInt) return content;
  while (content.size > 9 && (content.data[content.size - 1] == 0 || content.data[content.size - 1] == -1)) content.size--;
  return content;
}
