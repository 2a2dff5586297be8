// Reads a model's files as far as their headers go: a 400 GB file opens as fast as a small one, and nothing leaves the page.

const firstRead = 1 << 20;
const mostRead = 64 << 20;

/** Gives the module the headers of these files. Resolves to an {error} or null. */
export async function readFiles(module, files) {
  module.importStart();
  for (const file of files) {
    let wanted = firstRead;
    for (;;) {
      const bytes = new Uint8Array(await file.slice(0, wanted).arrayBuffer());
      const answer = module.importAdd(file.name, bytes, file.size);
      if (answer.error) return answer;
      if (!answer.need) break;
      // Twice as much each time keeps the re-reading within twice the header.
      wanted = Math.max(answer.need, Math.min(2 * wanted, mostRead));
    }
  }
  return null;
}
