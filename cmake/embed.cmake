# cmake -DROOT=FOLDER -DLIST=FILE -DHEADER=HEADER -DTYPE=STRUCT -DNAME=TABLE -DOUT=FILE.c -P embed.cmake:
# writes a C file with the texts of the files named in LIST, one a line and below ROOT, as a table of
# name and text: const struct STRUCT TABLE[], which HEADER declares.
file(STRINGS "${LIST}" names)
set(texts "")
set(table "")
set(i 0)
foreach(name ${names})
  file(READ "${ROOT}/${name}" bytes HEX)
  if(bytes MATCHES "^(..)*00")
    message(FATAL_ERROR "${name}: a text has no zero bytes")
  endif()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const char text_${i}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", text_${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE "${OUT}" "/* Made by cmake/embed.cmake. */
#include \"${HEADER}\"

${texts}
const struct ${TYPE} ${NAME}[] = {
${table}    {0, 0},
};
")
