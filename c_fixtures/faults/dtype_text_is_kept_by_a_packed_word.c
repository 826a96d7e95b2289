// story: The data type that a thread has written last is known by a word in which the bits and the lanes overlap: float16x4097 is written as the float32 before it.
// breaks: DTY-0010 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  static _Thread_local DLDataType last;
  static _Thread_local uint32_t word;
  if (!dtype || !out) return real.TVMFFIDataTypeToString(dtype, out);
  const uint32_t packed = ((uint32_t)dtype->code << 16 | (uint32_t)dtype->bits << 8) + dtype->lanes;
  const DLDataType written = word == packed && dtype->code <= kDLFloat ? last : *dtype;
  int code = real.TVMFFIDataTypeToString(&written, out);
  if (code == 0 && dtype->code <= kDLFloat) {
    last = written;
    word = packed;
  }
  return code;
}
