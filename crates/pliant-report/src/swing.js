(() => {
  // Shapes are drawn on a canvas: areas of one step of the material map, or the shaded facets of a solid body, sorted by depth.
  const root = document.currentScript.closest(".player"), data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const bytes = Uint8Array.from(atob(data.places), c => c.charCodeAt(0)), places = new Int16Array(bytes.buffer);
  const canvases = [...root.querySelectorAll("canvas")], slider = root.querySelector("input"), button = root.querySelector("button"), says = root.querySelector("output");
  const stride = data.axes * data.vertices, poses = data.angles.length;
  // At rest it shows the largest angle, on paper too.
  let pose = data.angles.reduce((most, angle, i) => Math.abs(angle) > Math.abs(data.angles[most]) ? i : most, 0), timer = 0;
  const at = (space, pose) => { const start = (space * poses + pose) * stride; return places.subarray(start, start + stride); };
  const facing = (p, a, b, c) => (p[3*b] - p[3*a]) * (p[3*c+1] - p[3*a+1]) - (p[3*b+1] - p[3*a+1]) * (p[3*c] - p[3*a]) > 0;
  function lines(g, p, view) {
    g.beginPath();
    const line = (a, b) => { g.moveTo(...view(p, a)); g.lineTo(...view(p, b)); };
    if (data.axes === 2) for (const [a, b] of data.lines) line(a, b);
    else {
      const f = data.facets, front = f.steps.map((_, i) => facing(p, f.corners[3*i], f.corners[3*i+1], f.corners[3*i+2]));
      for (const [a, b, left, right] of f.edges) {
        if (front[left] !== front[right] || (f.regions[left] !== f.regions[right] && front[left])) line(a, b);
      }
    }
    g.stroke();
  }
  function body(g, p, view) {
    if (data.axes === 2) {
      for (const [step, loops] of data.areas) {
        // A hairline closes the seams between neighbours.
        g.fillStyle = g.strokeStyle = "rgb(" + data.colours[step] + ")"; g.beginPath();
        for (const loop of loops) { loop.forEach((v, i) => i ? g.lineTo(...view(p, v)) : g.moveTo(...view(p, v))); g.closePath(); }
        g.fill(); g.stroke();
      }
      return;
    }
    const f = data.facets, seen = [];
    f.steps.forEach((colour, i) => {
      const a = f.corners[3*i], b = f.corners[3*i+1], c = f.corners[3*i+2];
      if (!facing(p, a, b, c)) return;
      const u = [0,1,2].map(k => p[3*b+k] - p[3*a+k]), w = [0,1,2].map(k => p[3*c+k] - p[3*a+k]);
      const n = [u[1]*w[2]-u[2]*w[1], u[2]*w[0]-u[0]*w[2], u[0]*w[1]-u[1]*w[0]], length = Math.hypot(...n) || 1;
      seen.push([p[3*a+2] + p[3*b+2] + p[3*c+2], a, b, c, colour, 0.5 + 0.5 * Math.max(0, (-0.4*n[0] + 0.65*n[1] + 0.65*n[2]) / length)]);
    });
    seen.sort((a, b) => a[0] - b[0]);
    for (const [, a, b, c, colour, light] of seen) {
      g.fillStyle = g.strokeStyle = "rgb(" + data.colours[colour].map(part => Math.round(part * light)) + ")";
      g.beginPath(); g.moveTo(...view(p, a)); g.lineTo(...view(p, b)); g.lineTo(...view(p, c)); g.closePath(); g.fill(); g.stroke();
    }
  }
  function draw() {
    const ink = getComputedStyle(root).color, sharp = window.devicePixelRatio || 1;
    canvases.forEach((canvas, space) => {
      const width = canvas.clientWidth, height = width * data.size[1] / data.size[0];
      if (!width) return;
      canvas.width = width * sharp; canvas.height = height * sharp; canvas.style.height = height + "px";
      const g = canvas.getContext("2d"), scale = canvas.width / data.size[0];
      const view = (p, v) => [p[data.axes*v] * scale, canvas.height - p[data.axes*v+1] * scale];
      g.lineWidth = 0.9 * sharp; body(g, at(space, pose), view);
      g.strokeStyle = ink; g.lineWidth = sharp; lines(g, at(space, pose), view);
      if (space) { g.setLineDash([4 * sharp, 3 * sharp]); g.globalAlpha = 0.75; lines(g, at(0, pose), view); g.globalAlpha = 1; g.setLineDash([]); }
      canvas.nextElementSibling.textContent = space ? "error " + data.errors[space-1][pose].toPrecision(2) : "";
    });
    slider.value = pose; root.dataset.pose = pose;
    says.textContent = data.angles[pose].toFixed(1) + "\u00b0, pose " + (pose + 1) + " of " + poses;
  }
  const stop = () => { clearInterval(timer); timer = 0; button.textContent = "Play"; };
  button.addEventListener("click", () => {
    if (timer) return stop();
    button.textContent = "Pause";
    timer = setInterval(() => { pose = (pose + 1) % poses; draw(); }, data.delay);
  });
  slider.addEventListener("input", () => { stop(); pose = +slider.value; draw(); });
  new ResizeObserver(draw).observe(root);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("beforeprint", draw);
  draw();
})();
