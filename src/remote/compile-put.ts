import { quote } from '../core/quote.ts';
import type { Content, PutRun } from '../core/steps.ts';
import { blobWord } from './blob-store.ts';
import type { Compiled } from './compile.ts';
import { putLibrary } from './put.sh.ts';
import { splitWords } from './words.ts';

/** More goes ahead as a blob: a literal is parsed by the host's shell. */
export const maxInline = 256 * 1024;

/**
 * A write runs in the living shell, which has the functions. With a validate command it runs in a group of its own,
 * since that command is the user's, and brings the functions along.
 */
export function putText(put: PutRun): Compiled {
  const steps = [`kp_new_file ${quote(put.path)}`, contentText(put.content), ...validateText(put), placeText(put)];
  const script = `${steps.join('\n')}\n`;
  if (put.validate === undefined) return { script, inShell: true };
  return { script: `kp_n=\${kp_k##*/} kp_m=$$validate0000000000000000\n${putLibrary}${script}` };
}

function contentText(content: Content): string {
  if (content.kind === 'blob') return `kp_blob ${blobWord(content.path)}`;
  if (content.kind === 'host') return `kp_copy ${quote(content.path)}`;
  const data = content.kind === 'text' ? content.text : content.data;
  const limit = content.kind === 'text' ? maxInline : Math.ceil((maxInline * 4) / 3) + 4;
  if (Buffer.byteLength(data) > limit) throw new Error(`more than ${maxInline} bytes must be staged first`);
  return `${content.kind === 'text' ? 'kp_text' : 'kp_base64'} ${quote(data)}`;
}

function placeText({ path, mode, owner, group, backup, unsafeWrites }: PutRun): string {
  const who = group === undefined ? (owner ?? '') : `${owner ?? ''}:${group}`;
  const args = [path, `0${mode.toString(8)}`, who, backup ?? '', unsafeWrites ? 'u' : ''];
  return `kp_place ${args.map(quote).join(' ')}`;
}

/** As Ansible: split into words, no shell; `%s` anywhere in a word is the temp file. */
function validateText({ validate }: PutRun): string[] {
  if (validate === undefined) return [];
  if (!validate.includes('%s')) throw new Error(`validate must contain %s: ${validate}`);
  const words = splitWords(validate).map((word) => word.split('%s').map(quote).join('"$kp_t"'));
  return [`${words.join(' ')} </dev/null || kp_die ${quote(`validate failed: ${validate}`)}`];
}
