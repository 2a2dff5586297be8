// The address holds the whole state behind '#': the request, which the calculator writes, and the page's own keys.

const pageKeys = ['lang', 'theme', 'text', 'catalog'];
const leastMsBetweenWrites = 300;  // browsers refuse a page that writes its address too often

/** {link: the calculator's part; language, theme, textScale, catalog: the page's own keys, where given}. */
export function readAddress() {
  const hash = location.hash.slice(1);
  const given = new URLSearchParams(hash);
  return {
    link: hash.split('&').filter((pair) => !pageKeys.includes(pair.split('=')[0])).join('&'),
    language: given.get('lang') ?? '',
    theme: given.get('theme') ?? '',
    textScale: Number(given.get('text') ?? 1),
    catalog: given.get('catalog') ?? '',
  };
}

/** The address without its state. */
export const bareAddress = () => location.href.split('#')[0];

/** Puts `link` behind '#', keeping the page's own keys with `changes` applied. */
export function addressWith(link, changes = {}) {
  const given = new URLSearchParams(location.hash.slice(1));
  const own = pageKeys
    .map((key) => [key, changes[key] ?? given.get(key)])
    .filter(([, value]) => value)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `#${[link, ...own].filter(Boolean).join('&')}`;
}

/** Writes the newest state, at once when the last write is long ago, else a little later. */
export function addressWriter() {
  let last = -leastMsBetweenWrites;
  let timer = 0;
  return (link) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = performance.now();
      history.replaceState(history.state, '', addressWith(link));
    }, Math.max(0, last + leastMsBetweenWrites - performance.now()));
  };
}
