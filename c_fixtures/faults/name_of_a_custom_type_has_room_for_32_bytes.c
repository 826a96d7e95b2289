// story: TVMFFIDataTypeToString has a buffer of 32 bytes for the name of a custom data type, and cuts longer ones.
// breaks: DTY-0027 fail
#include "answered_text.h"

enum { BEFORE = sizeof("custom[") - 1, MOST = 32 };

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code != 0 || dtype->code < 129) return code;
  const TVMFFIByteArray text = text_of(out);
  size_t close = text.size;
  while (close > 0 && text.data[close - 1] != ']') --close;
  if (close <= BEFORE + MOST + 1) return code;
  const size_t behind = text.size - (close - 1);
  char kept[BEFORE + MOST + 64];
  if (behind > 64) return code;
  memcpy(kept, text.data, BEFORE + MOST);
  memcpy(kept + BEFORE + MOST, text.data + close - 1, behind);
  return answer_instead(out, kept, BEFORE + MOST + behind);
}
