// The native command line, whose answers the page must agree with.
import {execFileSync} from 'node:child_process';

const vram = process.env.VRAM ?? 'build/native/vram';

/** The answer to [key, value] pairs as the address holds them. Fails when the program is missing. */
export function answerOf(pairs) {
  const words = pairs.map(([key, value]) => `${key}=${value}`);
  return JSON.parse(execFileSync(vram, ['estimate', ...words, '--json'], {encoding: 'utf8'}));
}

/** The answers to requests, in order. */
export function answersTo(requests) {
  const input = requests.map((request) => JSON.stringify(request)).join('\n');
  const output = execFileSync(vram, ['estimate', '--lines'], {encoding: 'utf8', input, maxBuffer: 2 ** 28});
  return output.trim().split('\n').map((line) => JSON.parse(line));
}
