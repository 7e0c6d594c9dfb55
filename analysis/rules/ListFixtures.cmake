# Writes OUTPUT: one line per file of FIXTURES ("|"-separated, relative to BASE), with what its first lines say that it
# shows or is near to.
string(REPLACE "|" ";" fixtures "${FIXTURES}")
set(text "")
foreach(fixture IN LISTS fixtures)
  file(STRINGS ${BASE}/${fixture} head REGEX "^(#|//) (shows|near): " LIMIT_COUNT 1)
  string(REGEX REPLACE "^(#|//) (shows|near): " "|" head "${head}")
  string(APPEND text "${fixture}${head}\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
