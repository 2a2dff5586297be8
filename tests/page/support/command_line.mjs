// The native command line, whose answers the page must agree with.
import {execFileSync} from 'node:child_process';

const vram = process.env.VRAM ?? 'build/native/vram';

/** The answer to [key, value] pairs as the address holds them. Fails when the program is missing. */
export function answerOf(pairs) {
  const words = pairs.map(([key, value]) => `${key}=${value}`);
  return JSON.parse(execFileSync(vram, ['estimate', ...words, '--json'], {encoding: 'utf8'}));
}
