// Language, theme and motion: what the address says, else what the browser says.

export const languages = ['en', 'pt', 'it', 'es', 'fr', 'de'];

/** The first language that we speak. */
export function chooseLanguage(wanted) {
  return [wanted, ...navigator.languages, 'en']
    .map((tag) => String(tag).toLowerCase().split('-')[0])
    .find((tag) => languages.includes(tag));
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const stillQuery = matchMedia('(prefers-reduced-motion: reduce)');

/** {dark, reducedMotion}; `theme` is light, dark or anything else for the browser's choice. */
export function appearance(theme) {
  const dark = theme === 'dark' || (theme !== 'light' && darkQuery.matches);
  return {dark, reducedMotion: stillQuery.matches};
}

export function followAppearance(changed, signal) {
  for (const query of [darkQuery, stillQuery]) query.addEventListener('change', changed, {signal});
}

/** Tells the style sheet, which also paints what is around the canvas. */
export function dressPage({language, theme}) {
  const root = document.documentElement;
  root.lang = chooseLanguage(language);
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}
