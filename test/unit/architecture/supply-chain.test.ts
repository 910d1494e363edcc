import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';

const test = suite('supply chain', { timeout: 30_000 });
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages as Record<string, Locked>;

interface Locked {
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

/** Code that packages make from text, as constants that do nothing but compute a number. */
const madeFromText = ['new Function("return 2n ** 32n")'];

test('what is shipped makes no code from text, but for constants that are listed here', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    external: ['cpu-features', '*.node'],
    define: { 'import.meta.url': '"file:///"' },
    logLevel: 'silent',
  });
  assert.equal(makersIn(outputFiles[0]!.text), madeFromText);
});

test('the search finds code that is made from text', () => {
  assert.equal(makersIn('a=eval(b);c=new Function("x","y");d=vm.runInThisContext(e)'), [
    'eval(b)',
    'new Function("x","y")',
    'vm.runInThisContext(e)',
  ]);
});

test('every package is pinned, and locked by its hash', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
  const unlocked = Object.entries(lock).filter(([path, { integrity }]) => path !== '' && !integrity);
  assert.equal(unlocked, []);
});

test('no script of a package is needed: set-up installs without them', () => {
  assert.match(readFileSync('scripts/setup.mjs', 'utf8'), '--ignore-scripts');
  assert.equal(
    Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare|publish)/.test(name)),
    [],
  );
});

test('every package that is shipped is justified', () => {
  const decisions = readFileSync('docs/decisions/0001-foundations.md', 'utf8');
  const missing = Object.keys(manifest.dependencies).filter((name) => !decisions.includes(name));
  assert.equal(missing, []);
});

test.run();

function makersIn(text: string): string[] {
  return text.match(/(new Function|(?<![\w$.])eval|(vm\.)?runIn(This|New)?Context)\([^)]*\)/g) ?? [];
}
