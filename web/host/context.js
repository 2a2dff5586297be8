// The WebGL2 context, which the browser may take away at any time and usually gives back.

const attributes = {
  alpha: false, depth: false, stencil: false, antialias: false, preserveDrawingBuffer: false,
  powerPreference: 'low-power', failIfMajorPerformanceCaveat: false,
};
const patienceMs = 5000;

/** False when this browser cannot draw. `gone` is called when a lost context does not come back. */
export function openContext({canvas, module, scheduler, signal, gone}) {
  const handle = module.createContext(canvas, attributes);
  if (!handle || !module.startGraphics()) return false;

  let waiting = 0;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();  // asks for it back
    scheduler.pause();
    clearTimeout(waiting);
    waiting = setTimeout(gone, patienceMs);
  }, {signal});
  canvas.addEventListener('webglcontextrestored', () => {
    clearTimeout(waiting);
    if (module.restartGraphics(handle)) scheduler.resume();
    else gone();
  }, {signal});
  signal.addEventListener('abort', () => clearTimeout(waiting));
  return true;
}
