// The page's own words, so that tests find controls by what is written on them.
import {readFileSync} from 'node:fs';

const folder = new URL('../../../catalog/i18n/', import.meta.url);

export const languages = ['en', 'pt', 'it', 'es', 'fr', 'de'];

export function word(key, language = 'en') {
  const text = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))[key];
  if (!text) throw new Error(`${language} has no text ${key}`);
  return text;
}
