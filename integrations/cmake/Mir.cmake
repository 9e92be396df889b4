# Libraries of programs in Medium IR, for CMake from 3.20:
#
#     include(Mir)
#     add_mir_library(NAME main.mir library.bmir [TARGET riscv64] [OPTIONS -O3 -g])
#     target_link_libraries(program PRIVATE NAME)
#
# Each program becomes an object, and these a static library. The target is by default the processor
# that CMake builds for; the command is found in the path, or named by MIR_EXECUTABLE.

find_program(MIR_EXECUTABLE mir REQUIRED)

# Sets a variable to the ISA that CMake builds for, as `mir` names it.
function(mir_target result)
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(processor STREQUAL "amd64")
    set(processor x86_64)
  elseif(processor STREQUAL "arm64")
    set(processor aarch64)
  endif()
  set(${result} ${processor} PARENT_SCOPE)
endfunction()

function(add_mir_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "TARGET" "OPTIONS")
  if(NOT library_TARGET)
    mir_target(library_TARGET)
  endif()
  set(objects "")
  foreach(source IN LISTS library_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE program)
    cmake_path(GET source STEM LAST_ONLY stem)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${MIR_EXECUTABLE}" obj --target ${library_TARGET} ${library_OPTIONS}
              --depfile "${object}.d" "${program}" -o "${object}"
      DEPENDS "${program}" "${MIR_EXECUTABLE}"
      DEPFILE "${object}.d"
      COMMENT "mir obj ${stem}.o"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_library(${name} STATIC ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()
