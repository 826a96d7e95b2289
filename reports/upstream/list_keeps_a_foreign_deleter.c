#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name. */
static int call(const char* name, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static TVMFFIAny buffer[1];
static int own, others;

/* The client's deleter, for the client's buffer. */
static void end_buffer(void* data) {
  if (data == buffer) own++;
  else others++;
}

/* Ends the List as ~SeqBaseObj of seq_base.h does; its elements are integers. */
static void end_list(void* self, int flags) {
  TVMFFISeqCell* cell = (TVMFFISeqCell*)((TVMFFIObject*)self + 1);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && cell->data_deleter) cell->data_deleter(cell->data);
}

int main(void) {
  /* A List that is full with its one element. */
  static struct {
    TVMFFIObject header;
    TVMFFISeqCell cell;
  } list = {{.combined_ref_count = ((uint64_t)1 << 32) + 1, .type_index = kTVMFFIList, .deleter = end_list},
            {buffer, 1, 1, end_buffer}};
  buffer[0] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 7};
  TVMFFIAny args[2] = {{.type_index = kTVMFFIList, .v_obj = &list.header}, buffer[0]}, ignored = {0};
  if (call("ffi.ListAppend", args, 2, &ignored) != 0) return 3;
  TVMFFIObjectDecRef(&list.header);
  printf("the client's deleter is called for its own buffer: %d, for another one: %d\n", own, others);
  return own != 1 || others != 0;
}
