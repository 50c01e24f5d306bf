#!/bin/sh
# Builds the controller's sketch with the Arduino core of Debian: build_avr.sh SKETCH OUT_FOLDER
# Needs gcc-avr, avr-libc, binutils-avr and arduino-core-avr.
set -eu
sketch=$1
out=$2
core=/usr/share/arduino/hardware/arduino/avr
flags="-mmcu=atmega328p -DF_CPU=16000000UL -DARDUINO=10819 -DARDUINO_AVR_UNO
    -DARDUINO_ARCH_AVR -DDECIMAL_DIG=__DECIMAL_DIG__ -Os -ffunction-sections -fdata-sections
    -I$core/cores/arduino -I$core/variants/standard"
plus="$flags -std=gnu++11 -fno-exceptions -fno-threadsafe-statics"
mkdir -p "$out"
for file in "$core"/cores/arduino/*.c "$core"/cores/arduino/*.S; do
    avr-gcc $flags -w -c "$file" -o "$out/$(basename "$file").o"
done
for file in "$core"/cores/arduino/*.cpp; do
    avr-g++ $plus -w -c "$file" -o "$out/$(basename "$file").o"
done
avr-g++ $plus -Wall -Wextra -Werror -x c++ -c "$sketch" -o "$out/sketch.ino.o"
avr-gcc -mmcu=atmega328p -Os -Wl,--gc-sections "$out"/*.o -lm -o "$out/controller.elf"
