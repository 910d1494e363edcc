import { quote } from '../../core/quote.ts';
import type { Step } from '../../core/steps.ts';
import { wait } from '../../core/waits.ts';
import { type Binaries, installStep, makeStaging, stagingOf } from './binaries.ts';

/** The host fetches what it lacks; a checksum that is not given is taken from the file published beside it. */
export function downloadSteps(wanted: Binaries, url: string, reasons: Map<string, string>): Step[] {
  const staging = stagingOf(wanted.binDir);
  const names = wanted.names.filter((name) => reasons.has(name));
  const hashes = Object.fromEntries(names.map((name) => [name, { sha256: wanted.sha256[name] }]));
  const fetches = names.map((name) => fetchStep(staging, name, url.replaceAll('{name}', name), wanted.sha256[name]));
  return [makeStaging(staging), ...fetches, installStep(wanted, names, reasons, hashes)];
}

/** Each into a file of its own, judged as a whole: a broken try never leaves a part that a later one appends to. */
function fetchStep(staging: string, name: string, url: string, sha256: string | undefined): Step {
  const { interval, timeout, deadline } = wait('binaries');
  const get = `curl --fail --silent --show-error --location --retry 5 --retry-delay ${interval} --connect-timeout ${timeout} --speed-limit 1000 --speed-time ${deadline}`;
  const target = quote(`${staging}/${name}`);
  const expected =
    sha256 === undefined ? `want=$(${get} ${quote(`${url}.sha256`)})\nwant=\${want%% *}` : `want=${quote(sha256)}`;
  const script = `set -eu
${expected}
${get} --output ${target} ${quote(url)}
got=$(sha256sum ${target})
[ "\${got%% *}" = "$want" ] || { echo "${name} has the SHA-256 \${got%% *}, not $want" >&2; exit 1; }
chmod 0755 ${target}`;
  return {
    title: `fetch ${name}`,
    onFail: 'go-on',
    run: { kind: 'sh', script },
    effects: [{ type: 'file.put', path: `${staging}/${name}`, kind: 'file', mode: 0o755 }],
    timeout: 1200,
  };
}
