# Objects of programs in Medium IR, for GNU make. In a makefile:
#
#     MIR_TARGET := riscv64
#     MIR_OBJECTS := main.o library.o
#     include mir.mk
#
# makes main.o of main.mir, main.bmir or main.ll, and again when that changes.

MIR ?= mir
MIR_TARGET ?= x86_64
MIR_FLAGS ?= -O2

MIR_COMMAND = $(MIR) obj --target $(MIR_TARGET) $(MIR_FLAGS) --depfile $@.d $< -o $@

%.o: %.mir
	$(MIR_COMMAND)

%.o: %.bmir
	$(MIR_COMMAND)

%.o: %.ll
	$(MIR_COMMAND)

-include $(MIR_OBJECTS:=.d)
