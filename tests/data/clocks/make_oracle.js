// Writes oracle.json: games of random thinking times, timed by the npm package chess-clock (MIT).
// In a folder of its own: npm install chess-clock@0.5.0; its lib/cjs/package.json is not JSON, so
// echo '{"type": "commonjs"}' > node_modules/chess-clock/lib/cjs/package.json
// and node make_oracle.js > oracle.json
// The package reads Date.now; here time stands still except between presses.

const { Clock } = require("chess-clock/cjs");

let now = 0;
Date.now = () => now;
global.setInterval = () => 0;
global.clearInterval = () => undefined;

let seed = 20240229;
function random(limit) {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * limit);
}

function stage(seconds, moves, mode, increment) {
  const main = { time: [seconds * 1000, seconds * 1000], mode, increment: increment * 1000 };
  return moves === undefined ? main : { ...main, move: moves };
}

// A first stage of Fischer has its bonus before the first move; the package leaves that to us.
const games = [
  ["18000", [stage(18000, undefined, "Fischer", 0)]],
  ["18000+60", [stage(18060, undefined, "Fischer", 60)]],
  ["18000b30", [stage(18000, undefined, "Bronstein", 30)]],
  ["18000d30", [stage(18000, undefined, "Delay", 30)]],
  ["50/14400:25/7200:25/7200:7200", [
    stage(14400, undefined, "Fischer", 0), stage(7200, 50, "Fischer", 0),
    stage(7200, 75, "Fischer", 0), stage(7200, 100, "Fischer", 0)]],
  ["40/14400d5:20/3600+30:3600b10", [
    stage(14400, undefined, "Delay", 5), stage(3600, 40, "Fischer", 30),
    stage(3600, 60, "Bronstein", 10)]],
];

function play(control, stages) {
  const clock = new Clock({ name: control, stages });
  now = 1000;
  clock.push(1);
  clock._move = [0, 0];
  clock._remainingTime = [...stages[0].time];
  const used = [];
  const left = [];
  for (let ply = 0; ply < 240; ply++) {
    const player = ply % 2;
    const thought = random(4) === 0 ? random(4000) : random(180000);
    if (random(5) === 0) {
      now += Math.floor(thought / 2);
      clock.pause();
      now += 5000;
      clock.resume();
      now += thought - Math.floor(thought / 2);
    } else {
      now += thought;
    }
    clock.push(player);
    used.push(thought);
    left.push(clock.state.remainingTime[player]);
  }
  if (clock.state.status !== "live") throw new Error(`${control}: a flag fell`);
  return { control, used_ms: used, left_ms: left };
}

process.stdout.write(JSON.stringify(games.map(([control, stages]) => play(control, stages))) + "\n");
