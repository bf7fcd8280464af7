# SPDX-License-Identifier: Apache-2.0 OR MIT
# The firmware of this folder twice: with the fastest kernel, and with the one that needs the least ROM. A target's
# Makefile sets
#   CROSS                    prefix of the compiler's tools: avr-
#   FLAGS, LINK              for compiling and linking
#   BOARD                    the target's own sources
#   PROCESSOR                the folder of its kernels in a cipher's folder: avr
#   FAST, SMALL              two kernels, as RUNNEL_AES_KERNEL names them
#   FAST_FLAGS, SMALL_FLAGS  more flags for each
#   SIMULATOR, SIMULATE      a program to be built first, and how it runs $(1).elf
#   COUNTERS                 --counters FILE for talk.py, where the simulated storage outlives a run
ROOT := ../../..
KEY_BITS ?= 128
AES := $(ROOT)/src/ciphers/aes
CCM := $(ROOT)/src/modes/ccm
CFB := $(ROOT)/src/modes/cfb
CORE := $(filter-out %/registry.c,$(wildcard $(ROOT)/src/core/*.c))
SOURCES := ../main.c ../frame.c ../storage.c $(BOARD) $(CORE) $(CCM)/ccm.c $(CFB)/cfb.c \
           $(wildcard $(CCM)/$(PROCESSOR)/*.[cS] $(AES)/*.c $(AES)/$(PROCESSOR)/*.[cS])
HEADERS := $(wildcard ../*.h $(ROOT)/src/core/*.h $(ROOT)/src/arch/*/*.* $(AES)/*.h $(AES)/*.inc $(AES)/$(PROCESSOR)/*.* \
                      $(ROOT)/src/modes/*/*.h $(ROOT)/include/runnel/*.h $(ROOT)/include/runnel/*/*.h)
INCLUDES := -I.. -I$(ROOT)/include -I$(ROOT)/src -I$(AES)
# Not what the environment may call so: clean removes it.
OUT := build

all: $(OUT)/fast.elf $(OUT)/small.elf
	@for name in fast small; do \
	    $(CROSS)size $(OUT)/$$name.elf | \
	    awk -v name=$$name 'NR == 2 { printf "%-5s  ROM %5d bytes  RAM %5d bytes\n", name, $$1 + $$2, $$2 + $$3 }'; \
	done

fast = -DRUNNEL_AES_KERNEL=$(FAST) $(FAST_FLAGS)
small = -DRUNNEL_AES_KERNEL=$(SMALL) $(SMALL_FLAGS)
COMPILE = $(CROSS)gcc -std=c11 -Wall -Wextra $(FLAGS) $($*) -DRUNNEL_AES_KEY_BITS=$(KEY_BITS) $(INCLUDES) \
          -ffunction-sections -fdata-sections -Wl,--gc-sections $(SOURCES) $(LINK)

$(OUT)/%.elf: $(SOURCES) $(HEADERS) $(OUT)/%.command ../firmware.mk Makefile
	$(COMPILE) -o $@

# Written when the command is another than the last time, as after make FAST=…: then the firmware is built anew.
$(OUT)/fast.command $(OUT)/small.command: $(OUT)/%.command: FORCE
	@mkdir -p $(OUT)
	@echo '$(subst ','\'',$(COMPILE))' | cmp -s - $@ || echo '$(subst ','\'',$(COMPILE))' > $@

# Talks to the firmware in a simulator: make talk-small SAY="how many"
SAY ?= hello
PYTHON ?= python3

talk-%: $(OUT)/%.elf $(SIMULATOR)
	@$(PYTHON) ../talk.py $(COUNTERS) --run "$(call SIMULATE,$(OUT)/$*)" "$(SAY)"

clean:
	rm -rf $(OUT)

.PHONY: all clean FORCE
