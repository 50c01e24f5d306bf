"use strict";
// One page: every answer is sent at once and the picture shows what came of it.
const at = (id) => document.getElementById(id);
const key = location.hash.slice(1);
const canvas = at("picture"), pen = canvas.getContext("2d");
const state = { settings: null, look: null, picture: null, corners: null, held: -1, gone: false };

async function ask(path, body) {
  const headers = { "Setup-Key": key };
  const options = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  if (answer.headers.get("content-type") === "image/jpeg") return answer.blob();
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

function say(text, bad = false) {
  at("message").textContent = text;
  at("message").classList.toggle("bad", bad);
}

async function change(values) {
  try {
    const data = await ask("/api/settings", values);
    show(data.settings);
    say("");
  } catch (error) { say(error.message, true); }
}

// The settings in the form; fields that somebody types in stay as they are.
function show(settings) {
  state.settings = settings;
  const put = (id, value) => { if (document.activeElement !== at(id)) at(id).value = value; };
  for (const id of ["source", "clock", "leds", "time_control", "variant"]) put(id, settings[id]);
  for (const id of ["lock_camera", "mirrored"]) at(id).checked = settings[id];
  for (const name of ["White", "Black", "Event"]) put("tag-" + name, settings.tags[name] || "");
  for (const button of document.querySelectorAll("[data-camera]"))
    button.setAttribute("aria-pressed", button.dataset.camera === settings.source);
  at("again").hidden = !settings.corners.length && !state.corners;
  marks();
}

function cameraCard(camera) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.camera = camera.address;
  const image = document.createElement("img");
  image.alt = "";
  button.append(image, camera.name);
  button.addEventListener("click", () => change({ source: camera.address }));
  ask("/api/preview?camera=" + encodeURIComponent(camera.address))
    .then((blob) => { image.src = URL.createObjectURL(blob); })
    .catch((error) => { button.append(document.createElement("br"), error.message); });
  return button;
}

function options(values, first) {
  return [...first, ...values.map((value) => [value, value])].map(([value, text]) => new Option(text, value));
}

async function begin() {
  try {
    const data = await ask("/api/state");
    at("variant").replaceChildren(...options(data.variants, [["auto", "as the size of the board says"]]));
    at("controls").replaceChildren(...options(data.controls, []));
    at("cameras").replaceChildren(...data.cameras.map(cameraCard));
    if (!data.cameras.length)
      at("cameras").append(Object.assign(document.createElement("p"), { textContent: "No camera is plugged in." }));
    at("go-text").textContent = "writes " + data.file;
    show(data.settings);
    say(data.settings.source ? "" : "Choose a camera or give an address");
    watch();
  } catch (error) { say(error.message, true); }
}

async function watch() {
  let after = -1;
  for (;;) {
    try {
      const look = await ask("/api/look?after=" + after);
      if (look.frame === null) {
        at("nothing").hidden = false;
        at("nothing").textContent = look.problem || "No picture yet";
        after = -1;
        await new Promise((done) => setTimeout(done, 300));
      } else {
        const picture = await createImageBitmap(await ask("/api/picture?frame=" + look.frame));
        after = look.frame;
        state.look = look;
        state.picture = picture;
        at("nothing").hidden = true;
        paint();
        marks();
      }
    } catch (error) {
      if (state.gone) return;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

function paint() {
  const { look, picture } = state;
  if (!look) return;
  canvas.width = look.width;
  canvas.height = look.height;
  pen.drawImage(picture, 0, 0, look.width, look.height);
  const unit = look.width / 900;
  if (look.board && state.held < 0) drawGrid(look, unit);
  if (state.corners) drawCorners(unit);
}

function drawGrid(look, unit) {
  const points = look.board.points;
  pen.lineWidth = 1.5 * unit;
  pen.strokeStyle = "#4ade80";
  const line = (path) => { pen.beginPath(); path.forEach(([x, y]) => pen.lineTo(x, y)); pen.stroke(); };
  points.forEach(line);
  points[0].forEach((_, column) => line(points.map((row) => row[column])));
  pen.lineWidth = 5 * unit;
  pen.strokeStyle = "#fff";
  pen.setLineDash(look.board.white_side_certain ? [] : [12 * unit, 8 * unit]);
  line(points[points.length - 1]);
  pen.setLineDash([]);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "700 " + 15 * unit + "px system-ui, sans-serif";
  pen.lineWidth = 3 * unit;
  for (const square of at("numbers").checked ? look.squares : []) {
    const wrong = square.seen !== square.expected;
    pen.strokeStyle = "#000";
    pen.fillStyle = wrong ? "#ff5a4f" : "#fff";
    pen.strokeText(square.number, square.x, square.y);
    pen.fillText(square.number, square.x, square.y);
  }
}

function drawCorners(unit) {
  pen.lineWidth = 2 * unit;
  pen.strokeStyle = "#ffd400";
  pen.beginPath();
  state.corners.forEach(([x, y]) => pen.lineTo(x, y));
  pen.closePath();
  pen.stroke();
  for (const [x, y] of state.corners) {
    pen.beginPath();
    pen.arc(x, y, 9 * unit, 0, 7);
    pen.fillStyle = "rgb(255 212 0 / .35)";
    pen.fill();
    pen.stroke();
  }
}

// Three times larger, on the side where the hand is not.
function magnify([x, y]) {
  const glass = at("magnifier"), ink = glass.getContext("2d"), part = glass.width / 3;
  const zoom = part * canvas.width / 900;
  glass.hidden = false;
  glass.className = x < canvas.width / 2 ? "right" : "left";
  ink.fillRect(0, 0, glass.width, glass.height);
  ink.drawImage(state.picture, x - zoom / 2, y - zoom / 2, zoom, zoom, 0, 0, glass.width, glass.height);
  ink.strokeStyle = "#ffd400";
  ink.beginPath();
  ink.moveTo(glass.width / 2, 0); ink.lineTo(glass.width / 2, glass.height);
  ink.moveTo(0, glass.height / 2); ink.lineTo(glass.width, glass.height / 2);
  ink.stroke();
}

function pointOf(event) {
  const box = canvas.getBoundingClientRect();
  const x = (event.clientX - box.left) * canvas.width / box.width;
  const y = (event.clientY - box.top) * canvas.height / box.height;
  return [Math.max(0, Math.min(canvas.width - 1, x)), Math.max(0, Math.min(canvas.height - 1, y))];
}

canvas.addEventListener("pointerdown", (event) => {
  if (!state.corners) return;
  const [x, y] = pointOf(event);
  const far = state.corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y));
  const nearest = far.indexOf(Math.min(...far));
  if (far[nearest] > canvas.width / 12) return;
  state.held = nearest;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (state.held < 0) return;
  state.corners[state.held] = pointOf(event);
  paint();
  magnify(state.corners[state.held]);
});
const release = () => {
  if (state.held < 0) return;
  state.held = -1;
  at("magnifier").hidden = true;
  sendCorners();
};
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);

function sendCorners() {
  const size = state.look && state.look.board ? state.look.board.size : 10;
  const values = { corners: state.corners.map(([x, y]) => [Math.round(10 * x) / 10, Math.round(10 * y) / 10]) };
  if (state.settings.variant === "auto" && state.settings.size === "auto") values.size = String(size);
  change(values);
}

at("drag").addEventListener("click", () => {
  const { width, height } = canvas;
  const found = state.look && state.look.board && state.look.board.corners;
  state.corners = (found || [[.2, .8], [.8, .8], [.7, .2], [.3, .2]].map(([x, y]) => [x * width, y * height]))
    .map((corner) => [...corner]);
  canvas.classList.add("dragging");
  at("again").hidden = false;
  say("Drag each yellow corner onto a corner of the playing area");
  paint();
});
at("again").addEventListener("click", () => {
  state.corners = null;
  canvas.classList.remove("dragging");
  change({ corners: [], size: "auto" });
});
at("numbers").addEventListener("change", paint);

// Which steps are done, the verdicts, and the start position square by square.
function marks() {
  const { look, settings } = state;
  const board = look && look.board;
  const todo = (id, is) => at(id).classList.toggle("todo", is);
  todo("step-camera", !look);
  const side = settings && settings.white_side !== "auto" ? settings.white_side : board && board.white_side;
  todo("step-board", !board || !(board.white_side_certain || settings.white_side !== "auto"));
  for (const button of document.querySelectorAll("[data-side]"))
    button.setAttribute("aria-pressed", button.dataset.side === side);
  at("side-question").textContent = board && !board.white_side_certain && settings.white_side === "auto"
    ? "Where does White sit in the picture? Nobody can tell from the men alone."
    : "White sits at this side of the picture:";
  advice(look);
  squares(look, board);
  at("go").disabled = !settings || !settings.source;
}

function advice(look) {
  at("advice").replaceChildren(...(look ? look.advice : []).map((one) => {
    const item = document.createElement("li");
    item.className = one.status;
    item.append(one.text);
    if (one.advice) item.append(Object.assign(document.createElement("small"), { textContent: one.advice }));
    return item;
  }));
}

function squares(look, board) {
  const box = at("squares");
  const byNumber = new Map((look ? look.squares : []).map((square) => [square.number, square]));
  const wrong = [...byNumber.values()].filter((square) => square.seen !== square.expected);
  at("step-start").classList.toggle("todo", !byNumber.size || wrong.length > 0);
  if (!board || !byNumber.size) {
    box.replaceChildren();
    at("start-text").textContent = board ? "This game is played on another board." : "Waiting for the board.";
    return;
  }
  const size = board.size, row = size / 2, cells = [];
  box.style.gridTemplateColumns = "repeat(" + size + ", 1fr)";
  for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) {
    const cell = document.createElement("span");
    const dark = (x + y) % 2 === 1;
    cell.className = dark ? "dark" : "light";
    const square = dark && byNumber.get(y * row + (x >> 1) + 1);
    if (square) {
      cell.textContent = square.number;
      cell.className = square.seen === square.expected ? "right" : "wrong";
      cell.title = square.number + ": " + square.seen + ", expected " + square.expected;
    }
    cells.push(cell);
  }
  box.replaceChildren(...cells);
  const text = wrong.length ? look.problems.join(" ") : "All " + byNumber.size + " squares are right.";
  at("start-text").textContent = text;
  box.setAttribute("aria-label", text);
}

for (const id of ["source", "clock", "leds", "time_control"])
  at(id).addEventListener("change", () => change({ [id]: at(id).value.trim() }));
at("variant").addEventListener("change", () => change({ variant: at("variant").value, size: "auto" }));
for (const id of ["lock_camera", "mirrored"])
  at(id).addEventListener("change", () => change({ [id]: at(id).checked }));
for (const name of ["White", "Black", "Event"])
  at("tag-" + name).addEventListener("change", () => change({ tags: { [name]: at("tag-" + name).value.trim() } }));
for (const button of document.querySelectorAll("[data-side]"))
  button.addEventListener("click", () => change({ white_side: button.dataset.side }));

at("find").addEventListener("click", async () => {
  at("find").disabled = true;
  say("Asking every port who is there");
  try {
    const { devices } = await ask("/api/devices", {});
    at("devices").replaceChildren(...devices.map(deviceItem));
    const known = devices.filter((device) => device.is_known);
    const clock = known.find((device) => device.clock), lamps = known.find((device) => device.leds);
    const values = {};
    if (clock) values.clock = clock.clock;
    if (lamps) values.leds = lamps.leds;
    await change(values);
    say(devices.length ? "" : "No serial port is there: the screen shows clock and lights");
  } catch (error) { say(error.message, true); }
  at("find").disabled = false;
});

function deviceItem(device) {
  const item = document.createElement("li");
  item.textContent = device.text + " (" + device.port + ")";
  if (!device.is_known) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "These are my lights" });
    button.addEventListener("click", () => change({ leds: device.leds }));
    item.append(" ", button);
  }
  return item;
}

for (const button of document.querySelectorAll("[data-show]"))
  button.addEventListener("click", async () => {
    button.disabled = true;
    try { say((await ask("/api/show", { part: button.dataset.show })).text + ". Did you see it?"); }
    catch (error) { say(error.message, true); }
    button.disabled = false;
  });

// Whoever has a phone at hand takes the address from here; the game opens when asked to.
function showAddress(url, code) {
  at("shown-address").textContent = url;
  at("shown-code").innerHTML = code;
  at("shown").hidden = false;
  document.querySelector("main").hidden = true;
}
at("open").addEventListener("click", () => location.assign("/"));

// The recording takes the address over; its health has a number of events.
at("go").addEventListener("click", async () => {
  at("go").disabled = true;
  if (document.activeElement) document.activeElement.blur();
  try {
    const { url, code } = await ask("/api/go", {});
    state.gone = true;
    say("Starting to record");
    if (code) showAddress(url, code);
    for (let tries = 0; tries < 120; tries += 1) {
      await new Promise((done) => setTimeout(done, 500));
      try {
        const health = await (await fetch("/healthz")).json();
        if ("seq" in health && code) { at("open").disabled = false; say("Recording"); return; }
        if ("seq" in health) { location.assign("/"); return; }
      } catch (error) { /* not yet */ }
    }
    say("The recording did not start; the terminal says why", true);
  } catch (error) { say(error.message, true); at("go").disabled = false; }
});
begin();
