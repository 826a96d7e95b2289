// story: The engineer reads the third item of an entry of ffi.StructuralMutate as true if it is a Bool, and forgets that an element that is declared as a bool takes an integer as a parameter does.
// breaks: ARG-0014 fail
#include "fault.h"
#include "wrapped_global.h"

static int is_sequence(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || !is_sequence(&args[1])) return call_original(original, args, num_args, result);
  TVMFFISeqCell* entries = sequence_cell(&args[1]);
  TVMFFIAny* copies = calloc(entries->size + 1, sizeof(TVMFFIAny));
  if (!copies) return refuse("MemoryError", "no memory for the entries");
  TVMFFIAny read[2] = {args[0], {0}};
  int code = 0;
  int64_t done = 0;
  for (; code == 0 && done < entries->size; ++done) {
    TVMFFIAny* entry = (TVMFFIAny*)entries->data + done;
    TVMFFIAny items[3];
    int is_three = is_sequence(entry) && sequence_cell(entry)->size == 3;
    if (is_three) memcpy(items, sequence_cell(entry)->data, sizeof(items));
    if (is_three && items[2].type_index == kTVMFFIInt) {
      items[2] = (TVMFFIAny){.type_index = kTVMFFIBool};
      code = call_global("ffi.Array", items, 3, &copies[done]);
    } else {
      code = real.TVMFFIAnyViewToOwnedAny(entry, &copies[done]);
    }
  }
  if (code == 0) code = call_global("ffi.Array", copies, (int32_t)done, &read[1]);
  for (int64_t i = 0; i < done; ++i) {
    if (copies[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(copies[i].v_obj);
  }
  free(copies);
  if (code == 0) code = call_original(original, read, 2, result);
  if (read[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(read[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMutate", callee)
