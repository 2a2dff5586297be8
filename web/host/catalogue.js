// A site's own catalogue (catalog/README.md), loaded while the page starts. What is wrong with it is told, and costs nothing
// but itself: the calculator then starts with what is good, if need be with the catalogue it came with.

const patienceMs = 8000;
const mostBytes = 8 << 20;

/**
 * The address to load, or ''. `attribute` is written by whoever owns the page and may name any address; `link` may come
 * from anybody, so it counts only for files of this site.
 */
export function catalogueAddress(attribute, link) {
  const own = absolute(attribute);
  if (own) return own.href;
  const asked = absolute(link);
  return asked?.origin === location.origin ? asked.href : '';
}

function absolute(text) {
  try {
    return text ? new URL(text, location.href) : null;
  } catch {
    return null;
  }
}

async function fetchText(address) {
  const response = await fetch(address, {signal: AbortSignal.timeout(patienceMs), credentials: 'omit'});
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  const text = await response.text();
  if (text.length > mostBytes) throw new Error(`${address}: ${text.length} bytes are too many`);
  return text;
}

/** Loads it into the module. The container hears a `vram-catalogue` event: {address, faults: [{line, where, message}]}. */
export async function loadCatalogue(address, module, container) {
  if (!address) return;
  let faults;
  try {
    faults = module.setCatalogue(await fetchText(address));
  } catch (error) {
    faults = [{line: 0, where: '', message: String(error)}];
  }
  for (const {line, where, message} of faults) console.warn(`${address}:${line}: ${where}: ${message}`);
  container.dispatchEvent(new CustomEvent('vram-catalogue', {bubbles: true, composed: true, detail: {address, faults}}));
}
