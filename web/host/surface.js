// The canvas's size in physical pixels, whatever the screen's density and the browser's zoom.

/** Follows the canvas's size and calls resized({width, height, ratio}), in CSS px, when it changed. Returns a function
 * that looks at once. */
export function followSize(canvas, resized, signal) {
  const gl = canvas.getContext('webgl2');
  const longest = Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
  let last = '';
  const apply = (entry) => {
    const {width, height} = canvas.getBoundingClientRect();
    // A long page on a dense screen may be more than the graphics can hold: then a little less sharp, but all of it.
    const ratio = Math.min(devicePixelRatio || 1, longest / Math.max(width, height));
    const [pixelWidth, pixelHeight] = pixelSize(width, height, ratio, entry?.devicePixelContentBoxSize?.[0]);
    const size = `${pixelWidth} ${pixelHeight} ${ratio}`;
    if (!pixelWidth || !pixelHeight || size === last) return;
    last = size;
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
    resized({width, height, ratio});
  };

  const observer = new ResizeObserver((entries) => apply(entries.at(-1)));
  try {
    observer.observe(canvas, {box: 'device-pixel-content-box'});
  } catch {
    observer.observe(canvas);
  }
  signal.addEventListener('abort', () => observer.disconnect());
  followDensity(() => apply(), signal);
  return () => apply();
}

/** [top, bottom] of what the window shows of the canvas. */
export function partInSight(canvas) {
  const {top, bottom} = canvas.getBoundingClientRect();
  return [Math.max(0, -top), Math.min(bottom, innerHeight) - top];
}

/** The browser's exact size, unless that is of another density: it ignores an emulated one, and ours may be lower. */
function pixelSize(width, height, ratio, exact) {
  const rounded = [Math.round(width * ratio), Math.round(height * ratio)];
  const near = exact && Math.abs(exact.inlineSize - rounded[0]) <= 2 && Math.abs(exact.blockSize - rounded[1]) <= 2;
  return near ? [exact.inlineSize, exact.blockSize] : rounded;
}

/** A media query holds for one density only, so that each change needs a new one. */
function followDensity(changed, signal) {
  const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  const next = () => {
    changed();
    followDensity(changed, signal);
  };
  query.addEventListener('change', next, {once: true, signal});
}
