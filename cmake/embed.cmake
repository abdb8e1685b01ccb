# cmake -DROOT=FOLDER -DLIST=FILE -DHEADER=HEADER -DTYPE=STRUCT -DNAME=TABLE [-DHASHED=ON] -DOUT=FILE.c
# -P embed.cmake: writes a C file with the texts of the files named in LIST, one a line and below ROOT,
# as a table of name and text: const struct STRUCT TABLE[], which HEADER declares. HASHED: and of their
# SHA-256 in Base64, as a content security policy names a style or a script.
cmake_policy(SET CMP0054 NEW)

# Bytes in hexadecimal as Base64 (RFC 4648): three bytes are four letters of six bits.
function(hex_to_base64 out hex)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  while(NOT hex STREQUAL "")
    string(SUBSTRING "${hex}0000" 0 6 three)
    math(EXPR bits "0x${three}")
    string(LENGTH "${hex}" digits)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(${bits} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${letter} 1 letter)
      if((digits EQUAL 2 AND shift LESS 12) OR (digits EQUAL 4 AND shift LESS 6))
        set(letter "=")
      endif()
      string(APPEND text "${letter}")
    endforeach()
    if(digits GREATER 6)
      string(SUBSTRING "${hex}" 6 -1 hex)
    else()
      set(hex "")
    endif()
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(STRINGS "${LIST}" names)
set(texts "")
set(table "")
set(i 0)
foreach(name ${names})
  file(READ "${ROOT}/${name}" bytes HEX)
  if(bytes MATCHES "^(..)*00")
    message(FATAL_ERROR "${name}: a text has no zero bytes")
  endif()
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  set(hash "")
  if(HASHED)
    file(SHA256 "${ROOT}/${name}" hash)
    hex_to_base64(hash "${hash}")
    set(hash ", \"${hash}\"")
  endif()
  string(APPEND texts "static const char text_${i}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", text_${i}${hash}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE "${OUT}" "/* Made by cmake/embed.cmake. */
#include \"${HEADER}\"

${texts}
const struct ${TYPE} ${NAME}[] = {
${table}    {0},
};
")
