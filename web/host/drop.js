// Model files and logs dropped on the calculator, and logs pasted into it.
import {readFiles} from './files.js';

const isLog = (file) => file.size < 4 << 20 && !/\.(json|gguf|safetensors)$/i.test(file.name);

/** shown(): what was brought stands on the page and is to be drawn. */
export function followDrops({module, canvas, signal, hasFocus, shown}) {
  canvas.addEventListener('dragover', (event) => event.preventDefault(), {signal});
  canvas.addEventListener('drop', async (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    const text = files.length ? '' : event.dataTransfer.getData('text/plain');
    if (text ? module.bringLog(text) : files.length === 1 && isLog(files[0]) && module.bringLog(await files[0].text())) {
      shown();
    } else if (files.length) {
      const failed = await readFiles(module, files);
      // A reader's complaint is said where the model would be.
      if (failed) module.say(failed.error.message);
      else module.bringFiles();
      shown();
    }
  }, {signal});
  // Before the clipboard's own listener: what is a log is not typed into a field.
  document.addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text/plain');
    if (!hasFocus() || !text.includes('\n') || !module.bringLog(text)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    shown();
  }, {capture: true, signal});
}
