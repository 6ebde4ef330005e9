// Draws every .orbit-view of the page: drag turns, shift and drag (or two fingers) moves, the wheel or a pinch zooms.
(() => {
  const VERTEX = `#version 300 es
in vec3 place; in float value;
uniform mat3 turn; uniform vec3 extent; uniform vec2 zoom, pan;
out vec3 at; out float level;
void main() {
  at = turn * ((place - 0.5) * extent); level = value;
  float away = 4.0 - at.z;
  gl_Position = vec4(at.xy * zoom + pan * away, (away - 4.0) * 0.8 * away, away);
}`;
  const FRAGMENT = `#version 300 es
precision highp float;
in vec3 at; in float level;
uniform vec3 palette[COLOURS];
out vec4 colour;
void main() {
  vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
  float light = 0.4 + 0.6 * abs(dot(normal, normalize(vec3(0.25, 0.45, 0.86))));
  int step = clamp(int(level * 255.0 / 256.0 * float(COLOURS)), 0, COLOURS - 1);
  colour = vec4(palette[step] * light, 1.0);
}`;

  const bytes = text => Uint8Array.from(atob(text), character => character.charCodeAt(0));

  function program(gl, colours) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source.replaceAll('COLOURS', colours));
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.bindAttribLocation(made, 0, 'place');
    gl.bindAttribLocation(made, 1, 'value');
    gl.linkProgram(made);
    return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
  }

  // Every triangle gets corners of its own, because the colour of a cell field jumps between neighbours.
  function corners(shape, triangles) {
    const points = new Uint16Array(bytes(shape.positions).buffer), values = bytes(shape.values);
    const places = new Uint16Array(4 * triangles.length), levels = new Uint8Array(4 * triangles.length);
    triangles.forEach((vertex, corner) => {
      for (let axis = 0; axis < 3; axis++) places[4 * corner + axis] = points[3 * vertex + axis];
      levels[4 * corner] = values[shape.cells ? Math.floor(corner / 3) : vertex];
    });
    return { places, levels };
  }

  function start(view) {
    const data = JSON.parse(view.querySelector('script[type="application/json"]').textContent);
    const canvas = view.querySelector('canvas'), gl = canvas.getContext('webgl2', { antialias: true });
    const made = gl && program(gl, data.palette.length);
    if (!made) return;
    const triangles = new Uint16Array(bytes(data.triangles).buffer);
    const buffers = [gl.createBuffer(), gl.createBuffer()];
    const uniform = name => gl.getUniformLocation(made, name);
    const [turn, extent, zoom, pan] = ['turn', 'extent', 'zoom', 'pan'].map(uniform);
    let yaw, pitch, scale, shift, reach, waiting = false, draws = 0;

    function turned() {
      const [a, b, c, d] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
      return [a, b * d, -b * c, 0, c, d, b, -a * d, a * c];
    }

    // The first view, that of the still picture, and how far the box of the body reaches in it to the sides and up.
    function home() {
      [yaw, pitch] = data.flat ? [0, 0] : [0.349, 0.314];
      scale = data.flat ? 0.92 : 0.8;
      shift = [0, 0];
      reach = [1e-9, 1e-9];
      const m = turned();
      for (let corner = 0; corner < 8; corner++) {
        const [x, y, z] = data.extent.map((side, axis) => side * ((corner >> axis & 1) - 0.5));
        const at = [0, 1, 2].map(row => m[row] * x + m[row + 3] * y + m[row + 6] * z);
        reach = reach.map((most, axis) => Math.max(most, Math.abs(at[axis]) / (4 - at[2])));
      }
    }

    function draw() {
      waiting = false;
      const density = window.devicePixelRatio || 1;
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * density));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * density));
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix3fv(turn, false, turned());
      const ratio = canvas.width / canvas.height, fit = scale * Math.min(ratio / reach[0], 1 / reach[1]);
      gl.uniform2f(zoom, fit / ratio, fit);
      gl.uniform2f(pan, shift[0], shift[1]);
      gl.drawArrays(gl.TRIANGLES, 0, triangles.length);
      view.dataset.draws = ++draws;
    }

    function redraw() { if (!waiting) { waiting = true; requestAnimationFrame(draw); } }

    function show(index) {
      const { places, levels } = corners(data.shapes[index], triangles);
      [[places, 3, gl.UNSIGNED_SHORT, 8], [levels, 1, gl.UNSIGNED_BYTE, 4]].forEach(([array, size, type, stride], slot) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[slot]);
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(slot);
        gl.vertexAttribPointer(slot, size, type, true, stride, 0);
      });
      redraw();
    }

    function rotate(x, y) { yaw += x; pitch = Math.max(-1.57, Math.min(1.57, pitch + y)); redraw(); }
    function magnify(factor) { scale = Math.max(0.1, Math.min(50, scale * factor)); redraw(); }
    function move(x, y) {
      shift[0] += 2 * x / canvas.clientWidth;
      shift[1] -= 2 * y / canvas.clientHeight;
      redraw();
    }

    const fingers = new Map();
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', event => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY], by = [now[0] - before[0], now[1] - before[1]];
      fingers.set(event.pointerId, now);
      if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        const apart = place => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
        magnify(apart(now) / apart(before));
        move(by[0] / 2, by[1] / 2);
      } else if (event.shiftKey || event.buttons & 6) move(...by);
      else rotate(by[0] * 0.01, by[1] * 0.01);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, event => fingers.delete(event.pointerId));
    }
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('dblclick', () => { home(); redraw(); });
    // A page that scrolls past a view is not to be caught by it.
    canvas.addEventListener('wheel', event => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      magnify(Math.exp(-event.deltaY * 0.002));
    }, { passive: false });
    const keys = {
      ArrowLeft: () => rotate(-0.1, 0), ArrowRight: () => rotate(0.1, 0),
      ArrowUp: () => rotate(0, -0.1), ArrowDown: () => rotate(0, 0.1),
      '+': () => magnify(1.15), '=': () => magnify(1.15), '-': () => magnify(1 / 1.15),
      '0': () => { home(); redraw(); },
    };
    canvas.addEventListener('keydown', event => {
      const act = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    const choice = view.querySelector('select');
    if (choice) choice.addEventListener('change', () => show(choice.selectedIndex));
    canvas.addEventListener('webglcontextlost', () => view.classList.remove('live'));

    gl.useProgram(made);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.uniform3fv(extent, data.extent);
    gl.uniform3fv(uniform('palette'), data.palette.flat());
    view.classList.add('live');
    home();
    show(choice ? choice.selectedIndex : 0);
    new ResizeObserver(redraw).observe(canvas);
  }

  document.querySelectorAll('.orbit-view:not(.live)').forEach(start);
})();
