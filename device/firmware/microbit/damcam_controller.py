# The damcam controller on a BBC micro:bit: a draughts clock and the lamps under a board on one
# serial port. PROTOCOL.md says what goes over it; README.md how it is wired.
#
# All of it, while it is compiled as well, must fit into 10 kB and a stack of few calls: so state
# is global and functions are few. Garbage is collected between a line and its answer, when the
# host is silent, because the port holds no more than 64 bytes meanwhile.
import gc

import micropython
import music
from microbit import button_a, button_b, display, pin0, pin1, running_time, uart
from neopixel import NeoPixel

SIDES = ["L", "R", "-"]
METHODS = ["N", "F", "B", "D"]

lamps = NeoPixel(pin0, 100)
left = [0, 0]
fallen = [False, False]
side = 2
bonus = delay = used = method = counted = heard = 0
last_add = ""


def checksum(line):
    total = 0
    for value in line:
        total ^= value
    return bytes("*%02X" % total, "ascii")


def send(text):
    line = bytes(text, "ascii")
    uart.write(line + checksum(line) + b"\n")


def tell():
    send("T %d %d %s %d" % (left[0], left[1], SIDES[side], counted))


def count():
    global counted, used
    passed = running_time() - counted
    counted += passed
    if side == 2 or fallen[side]:
        return
    used += passed
    if method == 3:
        passed = max(0, min(passed, used - delay))
    left[side] = max(0, left[side] - passed)
    if left[side] == 0:
        fallen[side] = True
        send("E FLAG " + SIDES[side])


def run(new):
    global side, used
    if new != side:
        used = 0
    side = new
    display.show(SIDES[new])


def press(by):
    if side == 1 - by:
        return
    if side == by and not fallen[by]:
        left[by] += [0, bonus, min(delay, used), 0][method]
    run(1 - by)
    send("E LEVER %s %d %d %d" % (SIDES[by], left[0], left[1], counted))


def light(words):
    for word in words:
        if word == "CLEAR":
            lamps.clear()
            return
        square, color = word.split(":")
        row, column = divmod(int(square) - 1, 5)
        if not 0 <= row < 10 or len(color) != 6:
            raise ValueError
        rgb = int(color, 16)
        lamps[10 * row + 2 * column + 1 - row % 2] = (rgb >> 16, rgb >> 8 & 255, rgb & 255)
    lamps.show()


def do(number, kind, words):
    global bonus, delay, method, last_add
    if kind == "L":
        light(words)
    elif kind == "B":
        if not 0 < int(words[0]) <= 10000:
            raise ValueError
        music.pitch(2000, int(words[0]), pin1, False)
    elif kind == "T":
        display.scroll(" ".join(words), wait=False, loop=True)
    elif words[0] == "RUN":
        run(SIDES.index(words[1]))
    elif words[0] == "SET":
        times = [int(word) for word in words[1:5]]
        if min(times) < 0:
            raise ValueError
        method = METHODS.index(words[5])
        left[0], left[1], bonus, delay = times
        fallen[0] = fallen[1] = False
        run(2)
    elif words[0] == "ADD":
        by = SIDES.index(words[1])
        if number != last_add:
            left[by] = max(0, left[by] + int(words[2]))
            fallen[by] &= left[by] == 0
            last_add = number
    else:
        raise ValueError


def answer(line):
    global heard
    line = line.rstrip()
    if line[:1] != b"#" or line[-3:].upper() != checksum(line[:-3]):
        return
    heard = counted
    words = str(line[:-3], "ascii").split()
    kind = words[1] if words[1:] else ""
    text = "OK " + words[0]
    if kind == "?":
        text += " ID damcam-microbit 1 leds=100"
    elif kind not in ("C", "L", "B", "T"):
        text = "ERR " + words[0] + " type"
    elif words[1:3] == ["C", "GET"]:
        tell()
    else:
        try:
            do(words[0], kind, words[2:])
        except Exception:
            text = "ERR " + words[0] + " args"
    gc.collect()
    send(text)


def main():
    global heard
    line = b""
    told = 0
    micropython.kbd_intr(-1)
    uart.init(115200)
    lamps.show()
    run(2)
    uart.write("\n")
    send("E BOOT damcam-microbit 1")
    while True:
        count()
        if button_a.was_pressed():
            press(0)
        if button_b.was_pressed():
            press(1)
        if uart.any():
            try:
                line += uart.read()
                while b"\n" in line:
                    whole, line = line.split(b"\n", 1)
                    if len(whole) < 122:
                        answer(whole)
                line = line[:122]
            except Exception:
                line = b""
        if side != 2 and counted - told >= 500:
            told = counted
            tell()
        if counted - heard >= 10000:
            heard = counted
            lamps.clear()


main()
