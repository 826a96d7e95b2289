#define _GNU_SOURCE
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

/* Calls a global function; ends the program if there is none of that name. */
static int call(const char* name, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

/* Chooses a locale with a decimal comma, as the GNU C library keeps it in a file: a mark, where each of six items begins, and the items.
   Most machines have several of them; a container may have none. */
static int choose_comma(void) {
  char root[] = "/tmp/localeXXXXXX", folder[32], name[64];
  const uint32_t head[] = {0x20031115 ^ LC_NUMERIC, 6, 32, 34, 36, 40, 44, 48}, marks[] = {',', '.'};
  if (mkdtemp(root) == NULL) return 0;
  snprintf(folder, sizeof folder, "%s/comma", root);
  snprintf(name, sizeof name, "%s/LC_NUMERIC", folder);
  mkdir(folder, 0700);
  FILE* file = fopen(name, "wb");
  if (file == NULL) return 0;
  fwrite(head, sizeof head, 1, file);
  fwrite(",\0.\0\3\0\0\0", 8, 1, file);
  fwrite(marks, sizeof marks, 1, file);
  fwrite("UTF-8", 6, 1, file);
  fclose(file);
  setenv("LOCPATH", root, 1);
  int chosen = setlocale(LC_NUMERIC, "comma") != NULL;
  remove(name);
  rmdir(folder);
  rmdir(root);
  return chosen;
}

int main(void) {
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = "1.5"}, result = {0};
  if (!choose_comma()) return puts("there is no locale with a decimal comma"), 3;
  int code = call("ffi.json.Parse", &arg, 1, &result);
  if (code != 0) return puts("1.5 is refused"), 1;
  printf("1.5 is read as a value of type %d\n", (int)result.type_index);
  return result.type_index != kTVMFFIFloat || result.v_float64 != 1.5;
}
