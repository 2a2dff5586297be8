import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';
import {word} from './support/words.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** A GGUF header of one layer whose embedding alone has so many rows of 1024 fp32 numbers. */
function ggufHeader(rows) {
  const bytes = [];
  const number = (value, width) => {
    for (let i = 0; i < width; ++i) bytes.push(Number((BigInt(value) >> BigInt(8 * i)) & 255n));
  };
  const text = (value) => {
    number(value.length, 8);
    bytes.push(...new TextEncoder().encode(value));
  };
  const values = [['general.architecture', 'llama'], ['general.name', 'Dropped'], ['general.file_type', 0],
    ['llama.block_count', 1], ['llama.context_length', 4096], ['llama.embedding_length', 1024],
    ['llama.attention.head_count', 8], ['llama.attention.layer_norm_rms_epsilon', 0]];
  const tensors = [['token_embd.weight', [1024, rows]], ['output_norm.weight', [1024]], ['blk.0.attn_norm.weight', [1024]],
    ['blk.0.attn_q.weight', [1024, 1024]], ['blk.0.attn_k.weight', [1024, 1024]], ['blk.0.attn_v.weight', [1024, 1024]],
    ['blk.0.attn_output.weight', [1024, 1024]], ['blk.0.ffn_norm.weight', [1024]], ['blk.0.ffn_gate.weight', [1024, 4096]],
    ['blk.0.ffn_up.weight', [1024, 4096]], ['blk.0.ffn_down.weight', [4096, 1024]]];
  bytes.push(...new TextEncoder().encode('GGUF'));
  number(3, 4);
  number(tensors.length, 8);
  number(values.length, 8);
  for (const [key, value] of values) {
    text(key);
    number(typeof value === 'string' ? 8 : 4, 4);
    if (typeof value === 'string') text(value);
    else number(value, 4);
  }
  let offset = 0;
  for (const [name, shape] of tensors) {
    text(name);
    number(shape.length, 4);
    for (const length of shape) number(length, 8);
    number(0, 4);
    number(offset, 8);
    offset += 4 * shape.reduce((product, length) => product * length, 1);
  }
  return {bytes, size: bytes.length + 32 + offset};
}

/** Drops a file of that header whose data are not there. Resolves to the bytes that the page asked for. */
const drop = (view, header) => view.ask(async (calculator, {bytes, size}) => {
  const file = new File([new Uint8Array(bytes)], 'dropped.gguf');
  Object.defineProperty(file, 'size', {value: size});
  let asked = 0;
  const slice = file.slice.bind(file);
  file.slice = (from, to) => {
    asked += to - from;
    return slice(from, to);
  };
  const event = new Event('drop', {bubbles: true, cancelable: true});
  event.dataTransfer = {files: [file], getData: () => ''};
  const start = performance.now();
  calculator.canvas.dispatchEvent(event);
  while (!calculator.request.architecture && performance.now() - start < 60_000) {
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
  return asked;
}, header);

const log = [
  'print_info: file type   = Q4_K - Medium', 'print_info: general.name     = Meta Llama 3.1 8B Instruct',
  'load_tensors:        CUDA0 model buffer size =  4403.49 MiB', 'llama_context: n_ctx         = 8192',
  'llama_kv_cache_unified:      CUDA0 KV buffer size =  1024.00 MiB',
  'llama_context:      CUDA0 compute buffer size =   258.50 MiB', ''].join('\n');

test('of a file of 100 GB the first megabyte is read', async () => {
  const view = await browser.open();
  const asked = await drop(view, ggufHeader(24_400_000));  // 1024 fp32 numbers a row: 100 GB
  await view.settled();
  const request = await view.ask((calculator) => calculator.request);
  assert.equal(request.architecture.name, 'Dropped');
  assert.equal(request.weights, 'gguf_f32');
  assert.equal(asked, 1 << 20);
  const {texts} = await view.ask((calculator) => calculator.drawn);
  assert.ok(texts.some((line) => line.includes('Dropped')), texts.join('\n'));
  assert.deepEqual(view.complaints, []);
  await view.close();
});

for (const language of ['en', 'pt', 'it']) {
  test(`a pasted log sets the fields and shows the comparison (${language})`, async () => {
    const view = await browser.open(`#lang=${language}&model=qwen3-4b&gpu=geforce-rtx-4090`);
    await view.ask((calculator) => calculator.canvas.focus());
    await view.ask((calculator, text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
    }, log);
    await view.settled();
    const request = await view.ask((calculator) => calculator.request);
    assert.equal(request.model, 'llama-3.1-8b');
    assert.equal(request.context, 8192);
    assert.equal(request.framework, 'llama.cpp');
    const {texts} = await view.ask((calculator) => calculator.drawn);
    assert.ok(texts.some((line) => line.includes(word('quantity.kv_cache', language))), texts.join('\n'));
    await view.close();
  });
}
