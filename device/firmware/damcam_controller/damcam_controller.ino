// The damcam controller on an ATmega328P (Arduino Uno, Nano): a draughts clock and the lamps under
// a board on one serial port. PROTOCOL.md says what goes over it; README.md how it is wired.
//
// Time is taken from timer 1, which runs on while the lamps are clocked out with interrupts off;
// millis() would lose 2 ms each time. Nothing is kept in EEPROM.

#include <Arduino.h>

namespace {

constexpr uint8_t LAMP_PIN = 6;  // PD6, written directly below
constexpr uint8_t LEFT_PIN = 2, RIGHT_PIN = 3;
constexpr uint8_t BUTTON_PINS[] = {4, 5};
constexpr uint8_t BUZZER_PIN = 9;

constexpr uint8_t BOARD_SIZE = 10;
constexpr uint8_t LAMP_COUNT = 100;
constexpr uint8_t SQUARE_COUNT = 50;
constexpr uint8_t LINE_LENGTH = 120;
constexpr uint16_t TICKS_PER_MS = F_CPU / 64 / 1000;
constexpr uint16_t DARK_AFTER_MS = 10000;
constexpr uint16_t TOLD_EVERY_MS = 500;
constexpr uint8_t DEBOUNCE_MS = 20;
constexpr uint8_t ADALIGHT_GAP_MS = 200;


uint32_t now_ms = 0;
uint16_t counted_ticks = 0;

void start_time() {
  TCCR1A = 0;
  TCCR1B = _BV(CS11) | _BV(CS10);  // a tick is 4 us, all ticks 262 ms
  TCNT1 = 0;
}

void count_time() {
  const uint16_t elapsed = TCNT1 - counted_ticks;
  const uint16_t elapsed_ms = elapsed / TICKS_PER_MS;
  now_ms += elapsed_ms;
  counted_ticks += elapsed_ms * TICKS_PER_MS;
}


uint8_t lamps[3 * LAMP_COUNT];  // green, red, blue of each: the order of a WS2812
bool is_stale = true;

// One bit is 20 cycles at 16 MHz: high for 5 (a 0) or 12 (a 1).
void send_lamps() {
  const uint8_t high = PORTD | _BV(PD6), low = PORTD & ~_BV(PD6);
  const uint8_t *next = lamps;
  uint16_t left = sizeof lamps;
  uint8_t value = *next++, bit = 8, level = low;
  const uint8_t saved = SREG;
  cli();
  asm volatile(
      "1: out  %[port], %[high]   \n"  //  0
      "   sbrc %[value], 7        \n"  //  1
      "   mov  %[level], %[high]  \n"  //  2
      "   dec  %[bit]             \n"  //  3
      "   nop                     \n"  //  4
      "   out  %[port], %[level]  \n"  //  5
      "   mov  %[level], %[low]   \n"  //  6
      "   breq 2f                 \n"  //  7
      "   rol  %[value]           \n"  //  8
      "   rjmp .+0                \n"  //  9
      "   nop                     \n"  // 11
      "   out  %[port], %[low]    \n"  // 12
      "   rjmp .+0                \n"  // 13
      "   rjmp .+0                \n"  // 15
      "   nop                     \n"  // 17
      "   rjmp 1b                 \n"  // 18
      "2: ldi  %[bit], 8          \n"  //  9
      "   ld   %[value], %a[next]+\n"  // 10
      "   out  %[port], %[low]    \n"  // 12
      "   rjmp .+0                \n"  // 13
      "   nop                     \n"  // 15
      "   sbiw %[left], 1         \n"  // 16
      "   brne 1b                 \n"  // 18
      : [value] "+&r"(value), [bit] "+&d"(bit), [level] "+&r"(level), [next] "+&e"(next),
        [left] "+&w"(left)
      : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
      : "memory");
  SREG = saved;
}

// The default board: a lamp under each of the 100 squares, row by row as White sees them.
uint8_t lamp_of(uint8_t square) {
  const uint8_t row = (square - 1) / (BOARD_SIZE / 2);
  const uint8_t column = 2 * ((square - 1) % (BOARD_SIZE / 2)) + (row % 2 == 0 ? 1 : 0);
  return row * BOARD_SIZE + column;
}

void light(uint8_t lamp, uint8_t red, uint8_t green, uint8_t blue) {
  if (lamp >= LAMP_COUNT) return;
  lamps[3 * lamp] = green;
  lamps[3 * lamp + 1] = red;
  lamps[3 * lamp + 2] = blue;
  is_stale = true;
}

void darken() {
  memset(lamps, 0, sizeof lamps);
  is_stale = true;
}

void show_lamps() {
  if (!is_stale) return;
  is_stale = false;
  Serial.flush();
  send_lamps();
}


char out_line[LINE_LENGTH + 8];

// Sends a line with its sum. The arguments are those of printf.
void send(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf_P(out_line, LINE_LENGTH, format, arguments);
  va_end(arguments);
  uint8_t sum = 0;
  for (const char *letter = out_line; *letter; letter++) sum ^= *letter;
  char hex[5];
  snprintf_P(hex, sizeof hex, PSTR("*%02X"), sum);
  Serial.print(out_line);
  Serial.print(hex);
  Serial.print('\n');
}


enum Side : uint8_t { LEFT, RIGHT, NEITHER };
constexpr char SIDE_LETTERS[] = "LR-";

struct Clock {
  int32_t left_ms[2];
  int32_t bonus_ms, delay_ms;
  uint32_t used_ms;
  char method;
  Side running;
  bool has_fallen[2];
} clock_ = {{0, 0}, 0, 0, 0, 'N', NEITHER, {false, false}};

uint32_t clock_counted_ms = 0, told_ms = 0;

void tell_times() {
  send(PSTR("T %ld %ld %c %lu"), clock_.left_ms[LEFT], clock_.left_ms[RIGHT],
       SIDE_LETTERS[clock_.running], now_ms);
}

void count_clock() {
  const uint32_t elapsed_ms = now_ms - clock_counted_ms;
  clock_counted_ms = now_ms;
  const Side side = clock_.running;
  if (side == NEITHER || clock_.has_fallen[side] || elapsed_ms == 0) return;
  int32_t counted_ms = elapsed_ms;
  if (clock_.method == 'D') {
    const int32_t free_ms = clock_.delay_ms - (int32_t)clock_.used_ms;
    if (free_ms > 0) counted_ms = max((int32_t)0, counted_ms - free_ms);
  }
  clock_.used_ms += elapsed_ms;
  clock_.left_ms[side] -= counted_ms;
  if (clock_.left_ms[side] > 0) return;
  clock_.left_ms[side] = 0;
  clock_.has_fallen[side] = true;
  send(PSTR("E FLAG %c"), SIDE_LETTERS[side]);
}

void run_side(Side side) {
  if (side != clock_.running) clock_.used_ms = 0;
  clock_.running = side;
}

void press(Side side) {
  if (clock_.running != side && clock_.running != NEITHER) return;
  if (clock_.running == side && !clock_.has_fallen[side]) {
    if (clock_.method == 'F') clock_.left_ms[side] += clock_.bonus_ms;
    if (clock_.method == 'B')
      clock_.left_ms[side] += min(clock_.delay_ms, (int32_t)clock_.used_ms);
  }
  run_side(side == LEFT ? RIGHT : LEFT);
  send(PSTR("E LEVER %c %ld %ld %lu"), SIDE_LETTERS[side], clock_.left_ms[LEFT],
       clock_.left_ms[RIGHT], now_ms);
}


struct Button {
  uint8_t pin;
  bool is_down;
  uint32_t changed_ms;
};

Button buttons[] = {{LEFT_PIN, false, 0},
                    {RIGHT_PIN, false, 0},
                    {BUTTON_PINS[0], false, 0},
                    {BUTTON_PINS[1], false, 0}};

void look_at_buttons() {
  for (uint8_t index = 0; index < sizeof buttons / sizeof *buttons; index++) {
    Button &button = buttons[index];
    const bool is_down = digitalRead(button.pin) == LOW;
    if (is_down == button.is_down || now_ms - button.changed_ms < DEBOUNCE_MS) continue;
    button.is_down = is_down;
    button.changed_ms = now_ms;
    if (!is_down) continue;
    if (index < 2)
      press(index == 0 ? LEFT : RIGHT);
    else
      send(PSTR("E BTN %d"), index - 1);
  }
}


char line[LINE_LENGTH + 1];
uint8_t line_length = 0;
bool is_too_long = false;
uint32_t heard_ms = 0, byte_ms = 0;
uint16_t last_add = 0;

// Returns whether the text is a whole number within limits.
bool number(const char *text, int32_t low, int32_t high, int32_t &value) {
  if (text == nullptr || *text == '\0') return false;
  char *end;
  value = strtol(text, &end, 10);
  return *end == '\0' && value >= low && value <= high;
}

bool side_of(const char *text, Side &side) {
  if (text == nullptr || text[0] == '\0' || text[1] != '\0') return false;
  const char *found = strchr(SIDE_LETTERS, text[0]);
  if (found == nullptr) return false;
  side = (Side)(found - SIDE_LETTERS);
  return true;
}

bool set_clock() {
  Clock fresh = {{0, 0}, 0, 0, 0, 'N', NEITHER, {false, false}};
  int32_t *const values[] = {&fresh.left_ms[LEFT], &fresh.left_ms[RIGHT], &fresh.bonus_ms,
                             &fresh.delay_ms};
  for (int32_t *value : values)
    if (!number(strtok(nullptr, " "), 0, INT32_MAX, *value)) return false;
  const char *method = strtok(nullptr, " ");
  if (method == nullptr || strchr("NFBD", method[0]) == nullptr || method[1]) return false;
  fresh.method = method[0];
  clock_ = fresh;
  return true;
}

bool add_time(uint16_t line_number) {
  Side side;
  int32_t extra_ms;
  if (!side_of(strtok(nullptr, " "), side) || side == NEITHER) return false;
  if (!number(strtok(nullptr, " "), -INT32_MAX, INT32_MAX, extra_ms)) return false;
  if (line_number == last_add) return true;
  last_add = line_number;
  clock_.left_ms[side] = max((int32_t)0, clock_.left_ms[side] + extra_ms);
  if (clock_.left_ms[side] > 0) clock_.has_fallen[side] = false;
  return true;
}

bool do_clock(uint16_t line_number) {
  const char *what = strtok(nullptr, " ");
  if (what == nullptr) return false;
  if (strcmp_P(what, PSTR("SET")) == 0) return set_clock();
  if (strcmp_P(what, PSTR("ADD")) == 0) return add_time(line_number);
  if (strcmp_P(what, PSTR("GET")) == 0) {
    tell_times();
    return true;
  }
  Side side;
  if (strcmp_P(what, PSTR("RUN")) != 0 || !side_of(strtok(nullptr, " "), side)) return false;
  run_side(side);
  return true;
}

bool do_lamps() {
  for (char *lamp = strtok(nullptr, " "); lamp != nullptr; lamp = strtok(nullptr, " ")) {
    if (strcmp_P(lamp, PSTR("CLEAR")) == 0) {
      darken();
      continue;
    }
    char *colon = strchr(lamp, ':');
    if (colon == nullptr || strlen(colon) != 7) return false;
    *colon = '\0';
    int32_t square;
    if (!number(lamp, 1, SQUARE_COUNT, square)) return false;
    char *end;
    const uint32_t color = strtoul(colon + 1, &end, 16);
    if (*end != '\0') return false;
    light(lamp_of(square), color >> 16, color >> 8, color);
  }
  return true;
}

bool do_beep() {
  int32_t duration_ms;
  if (!number(strtok(nullptr, " "), 1, 10000, duration_ms)) return false;
  tone(BUZZER_PIN, 2000, duration_ms);
  return true;
}

// Carries out a line that begins with its number; answers it.
void carry_out(char *text) {
  int32_t line_number;
  const char *first = strtok(text, " ");
  if (first == nullptr || first[0] != '#' || !number(first + 1, 1, 65535, line_number)) return;
  heard_ms = now_ms;
  const char *type = strtok(nullptr, " ");
  bool is_done = false;
  switch (type == nullptr || type[1] != '\0' ? '\0' : type[0]) {
    case '?':
      send(PSTR("OK #%u ID damcam-avr 1 leds=%u"), (uint16_t)line_number, LAMP_COUNT);
      return;
    case 'C':
      is_done = do_clock(line_number);
      break;
    case 'L':
      is_done = do_lamps();
      show_lamps();
      break;
    case 'B':
      is_done = do_beep();
      break;
    case 'T':
      is_done = true;  // a board with a display would show the rest of the line
      break;
    default:
      send(PSTR("ERR #%u type"), (uint16_t)line_number);
      return;
  }
  if (is_done)
    send(PSTR("OK #%u"), (uint16_t)line_number);
  else
    send(PSTR("ERR #%u args"), (uint16_t)line_number);
}

// Takes a complete line: its sum must be right.
void take_line() {
  if (line_length > 0 && line[line_length - 1] == '\r') line_length--;
  line[line_length] = '\0';
  char *star = strrchr(line, '*');
  if (is_too_long || star == nullptr || strlen(star) != 3) return;
  *star = '\0';
  uint8_t sum = 0;
  for (const char *letter = line; *letter; letter++) sum ^= *letter;
  char *end;
  if (strtoul(star + 1, &end, 16) == sum && *end == '\0') carry_out(line);
}

// Adalight on the same port: its first letters never begin a line.
struct {
  uint8_t header[6];
  uint8_t length = 0;
  uint16_t lamp = 0, count = 0;
  uint8_t color[3], channel = 0;
} adalight;

// Returns whether the byte belongs to an Adalight packet.
bool take_adalight(uint8_t value) {
  if (now_ms - byte_ms > ADALIGHT_GAP_MS) adalight.length = 0;
  byte_ms = now_ms;
  if (adalight.length == 6) {
    adalight.color[adalight.channel++] = value;
    if (adalight.channel < 3) return true;
    adalight.channel = 0;
    light(min(adalight.lamp, (uint16_t)255), adalight.color[0], adalight.color[1],
          adalight.color[2]);
    if (++adalight.lamp < adalight.count) return true;
    adalight.length = 0;
    heard_ms = now_ms;
    show_lamps();
    return true;
  }
  if (line_length > 0) return false;
  if (adalight.length < 3 && value != "Ada"[adalight.length]) {
    adalight.length = 0;
    return false;
  }
  adalight.header[adalight.length++] = value;
  if (adalight.length < 6) return true;
  const uint8_t high = adalight.header[3], low = adalight.header[4];
  if ((high ^ low ^ 0x55) != adalight.header[5]) adalight.length = 0;
  adalight.lamp = adalight.channel = 0;
  adalight.count = (high << 8 | low) + 1;
  return true;
}

void receive() {
  while (Serial.available() > 0) {
    const uint8_t value = Serial.read();
    if (take_adalight(value)) continue;
    if (value == '\n') {
      take_line();
      line_length = 0;
      is_too_long = false;
    } else if (line_length < LINE_LENGTH) {
      line[line_length++] = value;
    } else {
      is_too_long = true;
    }
  }
}

}  // namespace

void setup() {
  pinMode(LAMP_PIN, OUTPUT);
  for (const Button &button : buttons) pinMode(button.pin, INPUT_PULLUP);
  Serial.begin(115200);
  start_time();
  show_lamps();
  send(PSTR("E BOOT damcam-avr 1"));
}

void loop() {
  count_time();
  count_clock();
  look_at_buttons();
  receive();
  if (clock_.running != NEITHER && now_ms - told_ms >= TOLD_EVERY_MS) {
    told_ms = now_ms;
    tell_times();
  }
  if (now_ms - heard_ms >= DARK_AFTER_MS) {
    heard_ms = now_ms;
    darken();
    show_lamps();
  }
}
