/* Strings, bytes, owned values, data types and big integers. */
#include "caller.h"

/** A String of seven bytes is stored inline. */
CALLER(small_string) {
  TVMFFIByteArray text = text_of("seven_b");
  TVMFFIAny out = any_none();
  CLAUSE(t, "STR-0027");
  CHECK_OK(t, TVMFFIStringFromByteArray(&text, &out));
  CHECK_EQ_INT(t, "type index", out.type_index, kTVMFFISmallStr);
  CLAUSE(t, "STR-0001");
  CHECK_EQ_INT(t, "length", out.small_str_len, 7);
  CHECK_EQ_TEXT(t, "content", SMALL_CONTENT(&out), "seven_b");
  return 0;
}

/** A String of more than seven bytes is an object with a copy of the text and a NUL behind it. */
CALLER(heap_string) {
  char text[] = "more than seven bytes";
  TVMFFIByteArray input = text_of(text);
  TVMFFIAny out = any_none();
  CLAUSE(t, "STR-0003");
  CHECK_OK(t, TVMFFIStringFromByteArray(&input, &out));
  CHECK_EQ_INT(t, "type index", out.type_index, kTVMFFIStr);
  CHECK_EQ_INT(t, "type index in the header", TYPE_INDEX_OF(out.v_obj), kTVMFFIStr);
  CLAUSE(t, "STR-0012");
  text[0] = 'M';
  CHECK_EQ_TEXT(t, "content", *BYTES_CELL(out.v_obj), "more than seven bytes");
  CLAUSE(t, "STR-0007");
  CHECK_EQ_INT(t, "the byte behind the content", BYTES_CELL(out.v_obj)->data[input.size], 0);
  release(&out);
  return 0;
}

static int is_bytes(const TVMFFIAny* any) {
  return any->type_index == kTVMFFISmallBytes || any->type_index == kTVMFFIBytes;
}

/** Bytes keep the NULs among them, few and many. */
CALLER(bytes_with_nul) {
  TVMFFIByteArray small = bytes_of("a\0b", 3);
  TVMFFIByteArray large = bytes_of("\0\1\2\3\4\5\6\7\0", 9);
  TVMFFIAny out = any_none();
  CLAUSE(t, "STR-0002");
  CHECK_OK(t, TVMFFIBytesFromByteArray(&small, &out));
  CHECK_EQ_INT(t, "whether few bytes are Bytes", is_bytes(&out), 1);
  CLAUSE(t, "STR-0009");
  CHECK_EQ_TEXT(t, "content", content_of(&out), "a\0b");
  release(&out);
  CLAUSE(t, "STR-0004");
  CHECK_OK(t, TVMFFIBytesFromByteArray(&large, &out));
  CHECK_EQ_INT(t, "type index of bytes", out.type_index, kTVMFFIBytes);
  CLAUSE(t, "STR-0009");
  CHECK_EQ_TEXT(t, "content", content_of(&out), "\0\1\2\3\4\5\6\7\0");
  release(&out);
  return 0;
}

/** A C string becomes a String with a copy of the text when its view becomes an owned value. */
CALLER(raw_string_to_owned) {
  char text[] = "a C string of the caller";
  TVMFFIAny view = any_ptr(kTVMFFIRawStr, text);
  TVMFFIAny out = any_none();
  CLAUSE(t, "ANY-0012");
  CHECK_OK(t, TVMFFIAnyViewToOwnedAny(&view, &out));
  CHECK_EQ_INT(t, "type index", out.type_index, kTVMFFIStr);
  CLAUSE(t, "ANY-0017");
  memset(text, 'x', sizeof(text) - 1);
  CHECK_EQ_TEXT(t, "content", content_of(&out), "a C string of the caller");
  release(&out);
  return 0;
}

/** An owned value made from the view of a byte array is Bytes of the same content. */
CALLER(byte_array_to_owned) {
  TVMFFIByteArray array = bytes_of("\xFF\0\xFE", 3);
  TVMFFIAny view = any_ptr(kTVMFFIByteArrayPtr, &array);
  TVMFFIAny out = any_none();
  CLAUSE(t, "ANY-0014");
  CHECK_OK(t, TVMFFIAnyViewToOwnedAny(&view, &out));
  CHECK_EQ_INT(t, "whether it is Bytes", is_bytes(&out), 1);
  CHECK_EQ_TEXT(t, "content", content_of(&out), "\xFF\0\xFE");
  release(&out);
  return 0;
}

/** An owned value made from the view of an object holds a strong reference to that object. */
CALLER(object_to_owned) {
  TVMFFIByteArray text = text_of("a string that is an object");
  TVMFFIAny string = any_none();
  TVMFFIAny copy = any_none();
  uint32_t before;
  CHECK_OK(t, TVMFFIStringFromByteArray(&text, &string));
  before = strong_count_of(string.v_obj);
  CLAUSE(t, "ANY-0018");
  CHECK_OK(t, TVMFFIAnyViewToOwnedAny(&string, &copy));
  CHECK_EQ_PTR(t, "the object", copy.v_obj, string.v_obj);
  CHECK_EQ_INT(t, "strong count", strong_count_of(copy.v_obj), before + 1);
  release(&copy);
  release(&string);
  return 0;
}

/** An owned value made from an r-value reference takes the reference over and leaves NULL in its place. */
CALLER(moved_object) {
  TVMFFIByteArray text = text_of("a string that is moved");
  TVMFFIAny string = any_none();
  TVMFFIAny moved = any_none();
  TVMFFIAny view;
  CHECK_OK(t, TVMFFIStringFromByteArray(&text, &string));
  TVMFFIObjectHandle slot = string.v_obj;
  uint32_t before = strong_count_of(slot);
  view = any_ptr(kTVMFFIObjectRValueRef, &slot);
  CLAUSE(t, "ANY-0019");
  CHECK_OK(t, TVMFFIAnyViewToOwnedAny(&view, &moved));
  CHECK_EQ_PTR(t, "the slot", slot, NULL);
  CHECK_EQ_PTR(t, "the object", moved.v_obj, string.v_obj);
  CHECK_EQ_INT(t, "type index", moved.type_index, kTVMFFIStr);
  CHECK_EQ_INT(t, "strong count", strong_count_of(moved.v_obj), before);
  release(&moved);
  return 0;
}

/** Reads a data type and writes it again. */
static int read_and_write(struct caller* t, const char* name, uint8_t code, uint8_t bits, uint16_t lanes) {
  TVMFFIByteArray text = text_of(name);
  DLDataType dtype = {0xA5, 0xA5, 0xA5A5};
  TVMFFIAny written = any_none();
  CHECK_OK(t, TVMFFIDataTypeFromString(&text, &dtype));
  CHECK_EQ_INT(t, "code", dtype.code, code);
  CHECK_EQ_INT(t, "bits", dtype.bits, bits);
  CHECK_EQ_INT(t, "lanes", dtype.lanes, lanes);
  CHECK_OK(t, TVMFFIDataTypeToString(&dtype, &written));
  if (!caller_eq_text(t, "the data type as text", content_of(&written), text)) return 1;
  release(&written);
  return 0;
}

/** A data type that is read from its name is written as the same name. */
CALLER(data_type) {
  CLAUSE(t, "DTY-0001");
  if (read_and_write(t, "int32", kDLInt, 32, 1) || read_and_write(t, "uint8", kDLUInt, 8, 1)) return 1;
  CLAUSE(t, "DTY-0002");
  if (read_and_write(t, "bfloat16", kDLBfloat, 16, 1)) return 1;
  CLAUSE(t, "DTY-0008");
  if (read_and_write(t, "float8_e4m3fn", kDLFloat8_e4m3fn, 8, 1)) return 1;
  CLAUSE(t, "DTY-0010");
  if (read_and_write(t, "float16x4", kDLFloat, 16, 4)) return 1;
  return 0;
}

/** A name that is no data type is refused with a ValueError. */
CALLER(unknown_data_type) {
  TVMFFIByteArray text = text_of("no_such_type");
  DLDataType parsed = {0, 0, 0};
  CLAUSE(t, "DTY-0017");
  CHECK_FAILS(t, TVMFFIDataTypeFromString(&text, &parsed), "ValueError");
  return 0;
}

/** An integer of two words becomes a BigInt with those words. */
CALLER(big_integer) {
  /* 2^64, least significant word first */
  static const uint64_t words[2] = {0, 1};
  TVMFFIByteArray input = bytes_of((const char*)words, sizeof(words));
  TVMFFIByteArray content;
  TVMFFIAny out = any_none();
  CLAUSE(t, "BIG-0002");
  CHECK_OK(t, TVMFFIBigIntFromByteArray(&input, &out));
  CHECK_EQ_INT(t, "type index", out.type_index, kTVMFFIBigInt);
  CLAUSE(t, "BIG-0009");
  CALL(t, content = TVMFFIBigIntGetContentByteArray(&out));
  if (!caller_eq_text(t, "words", content, input)) return 1;
  release(&out);
  return 0;
}

/** An integer of one word becomes an ordinary integer with that word as its content. */
CALLER(integer_of_one_word) {
  static const int64_t word = -2;
  TVMFFIByteArray input = bytes_of((const char*)&word, sizeof(word));
  TVMFFIByteArray content;
  TVMFFIAny out = any_none();
  CLAUSE(t, "BIG-0001");
  CHECK_OK(t, TVMFFIBigIntFromByteArray(&input, &out));
  CHECK_EQ_INT(t, "type index", out.type_index, kTVMFFIInt);
  CHECK_EQ_INT(t, "value", out.v_int64, -2);
  CLAUSE(t, "BIG-0008");
  CALL(t, content = TVMFFIBigIntGetContentByteArray(&out));
  if (!caller_eq_text(t, "words", content, input)) return 1;
  return 0;
}
