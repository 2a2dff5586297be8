// Shrinks the scripts of a finished page in place: node web/minify.mjs FOLDER. Where terser is not installed it says so
// and leaves them as they are: the page works either way.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

let terser;
try {
  terser = createRequire(import.meta.url)('terser');
} catch {
  console.log('terser is not installed: the scripts stay as long as they are');
  process.exit(0);
}

async function scriptsIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return scriptsIn(path);
    return /\.m?js$/.test(entry.name) ? [path] : [];
  }));
  return found.flat();
}

for (const path of await scriptsIn(process.argv[2])) {
  const { code } = await terser.minify(await readFile(path, 'utf8'), { module: true, compress: { passes: 2 } });
  await writeFile(path, code);
}
