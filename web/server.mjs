// A static file server for one's own machine: node web/server.mjs FOLDER [--port N]. It listens on 127.0.0.1 only, on
// the next free port when N is taken, and serves nothing outside FOLDER.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const MEDIA_TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** The file that a request names inside the folder, or null. */
async function fileFor(folder, url) {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = await realpath(join(folder, path.endsWith('/') ? `${path}index.html` : path));
    return file.startsWith(folder + sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null; // malformed, or not there
  }
}

async function answer(folder, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const file = await fileFor(folder, request.url);
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    return;
  }
  response.writeHead(200, {
    'content-type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': (await stat(file)).size,
    'cache-control': 'no-cache', // a rebuilt page shows at once
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/** Resolves to { address, close } once the folder is being served. Port 0 takes any free one. */
export async function serve(folder, port = 0) {
  const root = await realpath(folder);
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => response.destroy());
  });
  const listen = (wanted) =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  for (let wanted = port; ; wanted += 1) {
    try {
      await listen(wanted);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || wanted >= port + 100) throw error;
    }
  }
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(await realpath(process.argv[1])).href) {
  const [folder = '.', , port = '8080'] = process.argv.slice(2);
  const { address } = await serve(folder, Number(port));
  console.log(`The calculator is at ${address} (Ctrl+C stops it)`);
}
