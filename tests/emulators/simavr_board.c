/* Runs the controller's firmware on an emulated ATmega328P.
 *
 * board ELF PACE BUTTONS FRAMES: PACE is `real` time or `fast`. Descriptor 0 is what the host sends,
 * 1 what the firmware sends. Descriptor BUTTONS takes 'd' and a digit to press the button at that
 * pin of port D, 'u' and a digit to release it. Descriptor FRAMES gets a line for every frame that
 * the lamps' pin sends: the time in ms and the bytes in hexadecimal, in the order of the wire.
 *
 * For tests only; linked with libsimavr, which is under the GPL, so it is never distributed built.
 */
#include <fcntl.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  CYCLES_PER_MS = 16000,
  CYCLES_PER_BYTE = 1389, /* 10 bits at 115200 baud */
  LONG_PULSE = 8,         /* cycles that tell a 1 from a 0 */
  SHORTEST_PULSE = 3,
  LONGEST_PULSE = 16,
  PAUSE = 800, /* 50 us low end a frame */
  LAMP_PIN = 6,
  MAX_BITS = 8 * 3 * 4096
};

static avr_t *avr;
static int to_host, buttons, frames, has_room = 1;
static uint64_t risen_at, fallen_at;
static uint8_t bits[MAX_BITS];
static int bit_count, is_wrong;

static void end_frame(void) {
  static char text[MAX_BITS / 4 + 32];
  if (bit_count >= 24) {
    int length = sprintf(text, "%lu ", (unsigned long)(avr->cycle / CYCLES_PER_MS));
    for (int at = 0; at + 8 <= bit_count; at += 8) {
      int value = 0;
      for (int bit = 0; bit < 8; bit++) value = value << 1 | bits[at + bit];
      length += sprintf(text + length, "%02x", value);
    }
    if (is_wrong) length = sprintf(text, "wrong");
    text[length++] = '\n';
    if (write(frames, text, length) != length) exit(1);
  }
  bit_count = is_wrong = 0;
}

static void lamp_pin_changed(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  if (value) {
    if (avr->cycle - fallen_at > PAUSE) end_frame();
    risen_at = avr->cycle;
    return;
  }
  const uint64_t high = avr->cycle - risen_at;
  fallen_at = avr->cycle;
  if (high < SHORTEST_PULSE || high > LONGEST_PULSE) is_wrong = 1;
  if (bit_count < MAX_BITS) bits[bit_count++] = high > LONG_PULSE;
}

static void uart_sent(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  const uint8_t byte = value;
  if (write(to_host, &byte, 1) != 1) exit(0);
}

/* The emulated receiver tells when it has no room; a real one has room for ever at this pace. */
static void uart_flow(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  if (value) has_room = param != NULL;
}

static void look_at_buttons(void) {
  static char action;
  char letter;
  while (read(buttons, &letter, 1) == 1) {
    if (letter >= '0' && letter <= '7')
      avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), letter - '0'),
                    action == 'u');
    else
      action = letter;
  }
}

static uint64_t monotonic_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000ull + now.tv_nsec / 1000;
}

static void start(const char *path) {
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (elf_read_firmware(path, &firmware) != 0) exit(2);
  avr = avr_make_mcu_by_name("atmega328p");
  avr_init(avr);
  avr->log = LOG_NONE;
  avr_load_firmware(avr, &firmware);
  avr->frequency = 16000000;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                          uart_sent, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF),
                          uart_flow, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON),
                          uart_flow, &has_room);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), LAMP_PIN),
                          lamp_pin_changed, NULL);
  for (int pin = 2; pin <= 5; pin++)
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin), 1);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  const int is_fast = strcmp(arguments[2], "fast") == 0;
  buttons = atoi(arguments[3]);
  frames = atoi(arguments[4]);
  to_host = dup(1); /* libsimavr talks on standard output */
  dup2(2, 1);
  start(arguments[1]);
  fcntl(0, F_SETFL, O_NONBLOCK);
  fcntl(buttons, F_SETFL, O_NONBLOCK);
  avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  static uint8_t received[4096];
  ssize_t length = 0, at = 0;
  uint64_t next_byte = 0, next_ms = CYCLES_PER_MS;
  const uint64_t started_us = monotonic_us();
  for (;;) {
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) return 3;
    if (at < length && has_room && avr->cycle >= next_byte) {
      avr_raise_irq(input, received[at++]);
      next_byte = avr->cycle + CYCLES_PER_BYTE;
    }
    if (avr->cycle < next_ms) continue;
    next_ms += CYCLES_PER_MS;
    if (avr->cycle - fallen_at > PAUSE) end_frame();
    look_at_buttons();
    if (at == length) {
      at = 0;
      length = read(0, received, sizeof received);
      if (length == 0) return 0;
      if (length < 0) length = 0;
    }
    if (is_fast) continue;
    const uint64_t due_us = started_us + avr->cycle / 16, now_us = monotonic_us();
    if (now_us < due_us) usleep(due_us - now_us);
  }
}
