import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { type Result, result, TaskFailure } from '../../core/result.ts';
import type { Step, StepOutcome } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { fileKey, type PresentFile } from '../../world/file.ts';
import { fileFields } from '../../world/file-fields.ts';
import {
  type UnarchivedFact,
  type UnarchiveQuery,
  unarchived,
  unarchivedCall,
  unarchivedKey,
} from '../../world/unarchived.ts';
import { unarchivedLibrary } from '../../world/unarchived-test.ts';
import { which, whichKey } from '../../world/which.ts';
import { downloadScript } from './download.ts';
import { shownUrl } from './get-url-step.ts';
import { followed, type Located } from './links.ts';
import { hostPath, join, pathKeys } from './paths.ts';
import { filePayload, payloadFields } from './payload.ts';
import { umask } from './place.ts';
import { afterAttributes } from './results.ts';
import type { UnarchiveParams } from './unarchive-params.ts';
import { extractScript, handlerName, removal } from './unarchive-script.ts';

/** Questions about an archive that stands on the host. */
export function hostKeys(given: UnarchiveParams, dest: string, ctx: ModuleContext): FactKey[] {
  if (isUrl(given)) return [whichKey('curl'), whichKey('wget')];
  if (!given.remote_src) return [];
  return pathKeys(ctx, given.src, (src) => [fileKey(src), unarchivedKey(queryOf(given, src, dest))]);
}

/** The host compares and unpacks: what will be there is not known. */
export function planOnHost(given: UnarchiveParams, dest: Located, world: WorldView, ctx: ModuleContext): Plan {
  const values: Record<string, Value> = {
    dest: dest.path,
    src: given.src,
    handler: handlerName(given.src, undefined),
    ...fileFields(dest.path, dest.fact),
  };
  if (!given.remote_src) return sent(given, dest, values, ctx);
  if (isUrl(given)) return fetchedFirst(given, dest, values, world, ctx);
  const src = hostPath(world, ctx, given.src);
  const source = followed(world, src);
  if (!source.fact.exists) throw new TaskFailure(`Source '${src}' does not exist`);
  const fact = unarchived(world, queryOf(given, src, dest.path));
  if (fact?.state === 'damaged') throw new TaskFailure(`Source '${src}' is damaged: it cannot be read to its end`);
  const files: Record<string, Value> = given.list_files ? { files: fact ? fact.names : later(given) } : {};
  if (fact?.state === 'same') return { steps: [], result: result(false, { ...values, ...files }) };
  const step = unpackStep(given, src, dest, '', false);
  const root = fact?.names.some((name) => /^(\.\/)+$/.test(name)) && dest.fact.exists;
  const itself = root ? fileFields(dest.path, afterAttributes(dest.path, dest.fact as PresentFile, given, world)) : {};
  return { steps: [step], result: result(changedBy(given, fact), { ...values, ...itself, ...files }) };
}

/** The result as the step told it: `kpush: changed` or `kpush: same`, and names behind `kpush-file:`. */
export function completeUnarchive(given: UnarchiveParams, predicted: Result, outcomes: StepOutcome[]): Result {
  const stdout = outcomes.map((outcome) => outcome.stdout).join('');
  const verdict = /^kpush: (changed|same)$/m.exec(stdout)?.[1];
  if (verdict === undefined) return predicted;
  const names = [...stdout.matchAll(/^kpush-file:(.*)$/gm)].map(([, name]) => name!);
  const values = new Map(predicted.values);
  if (given.list_files) values.set('files', names);
  return { ...predicted, changed: verdict === 'changed', values };
}

function queryOf(given: UnarchiveParams, src: string, dest: string): UnarchiveQuery {
  const { extra_opts: options, exclude, include, mode, owner, group } = given;
  return { src, dest, options, exclude, include, wanted: { mode, owner, group } };
}

function changedBy(given: UnarchiveParams, fact: UnarchivedFact | undefined): true | Unknown {
  return fact?.state === 'differs' || fact?.state === 'attributes' ? true : later(given);
}

function isUrl(given: UnarchiveParams): boolean {
  return given.remote_src && given.src.includes('://');
}

function sent(given: UnarchiveParams, dest: Located, values: Record<string, Value>, ctx: ModuleContext): Plan {
  const payload = filePayload(ctx.files.find('files', given.src));
  const temp = join(dest.path, `.kpush-${ctx.random(8)}.tmp`);
  const steps: Step[] = [
    {
      title: `send ${given.src}`,
      run: { kind: 'put', path: temp, content: payload.content, mode: 0o600 },
      effects: [{ type: 'file.put', path: temp, kind: 'file', mode: 0o600, ...payloadFields(payload), nlink: 1 }],
    },
    unpackStep(given, temp, dest, '', true),
  ];
  return { steps, result: result(later(given), withFiles(given, values)) };
}

function fetchedFirst(
  given: UnarchiveParams,
  dest: Located,
  values: Record<string, Value>,
  world: WorldView,
  ctx: ModuleContext,
): Plan {
  if (which(world, 'curl') === '' && which(world, 'wget') === '')
    throw new TaskFailure('neither curl nor wget is installed', {}, 'install one of them in an earlier task');
  const temp = join(dest.path, `.kpush-${ctx.random(8)}.tmp`);
  const fetch = downloadScript({
    url: given.src,
    headers: {},
    timeout: 10,
    validateCerts: given.validate_certs,
    useProxy: true,
    agent: 'ansible-httpget',
  });
  const step = unpackStep(given, temp, dest, `umask 077\nt=${quote(temp)}\n${removal(temp)}${fetch}umask 022\n`, true);
  return { steps: [step], result: result(later(given), withFiles(given, values)) };
}

function withFiles(given: UnarchiveParams, values: Record<string, Value>): Record<string, Value> {
  return given.list_files ? { ...values, files: later(given) } : values;
}

function later(given: UnarchiveParams): Unknown {
  return new Unknown(`unpacking of ${shownUrl(given.src)}`);
}

/** Compares once more, right before it would unpack. */
function unpackStep(given: UnarchiveParams, src: string, dest: Located, before: string, remove: boolean): Step {
  const shown = shownUrl(given.src);
  return {
    title: `unpack ${shown} into ${dest.path}`,
    run: { kind: 'sh', script: before + compareScript(given, src, dest.path, remove) },
    umask,
    effects: [{ type: 'opaque', why: `unpacking of ${shown}` }],
    diff: [{ kind: 'fields', subject: dest.path, fields: [{ name: 'content', before: null, after: `of ${shown}` }] }],
  };
}

function compareScript(given: UnarchiveParams, src: string, dest: string, remove: boolean): string {
  const list = `printf '%s\\n' "$o" | sed -e 1d -e 's/^/kpush-file:/'\n`;
  return `${remove ? removal(src) : ''}${unarchivedLibrary}
o=$(${unarchivedCall(queryOf(given, src, dest))})
case $o in
x*) echo 'the archive is damaged: it cannot be read to its end' >&2; exit 1 ;;
=*) c=same ;; *) c=changed
${extractScript(given, src, dest)};; esac
${given.list_files ? list : ''}printf 'kpush: %s\\n' $c
`;
}
