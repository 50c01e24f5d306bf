"use strict";
// A move in the list becomes the one to correct; new events are told, forms stay untouched; the
// clocks run on from when they were read.
const game = document.getElementById("game"), base = document.documentElement.dataset.base ?? "";
if (game) {
  game.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-ply]");
    if (button) location.assign(base + "/operator?lang=" + document.documentElement.lang + "&ply=" + Number(button.dataset.ply));
  });
  const typing = () => [...document.querySelectorAll("input:not([type=hidden])")].some(
    (input) => input.value !== input.defaultValue || input === document.activeElement);
  const stamp = performance.now() - Number(game.dataset.age);
  setInterval(() => {
    for (const time of game.querySelectorAll("time[data-running]")) {
      const left = Math.max(0, Math.floor((time.dataset.ms - (performance.now() - stamp)) / 1000));
      const two = (value) => String(value).padStart(2, "0");
      time.textContent = `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
    }
  }, 250);
  let sending = false;
  document.addEventListener("submit", () => { sending = true; });
  new EventSource(base + "/operator/events?after=" + game.dataset.seq).onmessage = () => {
    if (sending) return;
    if (!typing()) location.reload();
    else document.querySelector(".news").hidden = false;
  };
}
const camera = document.getElementById("camera");
if (camera) {
  const again = () => setTimeout(() => { camera.src = base + "/operator/camera.jpg?" + Date.now(); }, 1000);
  camera.addEventListener("load", again);
  camera.addEventListener("error", again);
}
