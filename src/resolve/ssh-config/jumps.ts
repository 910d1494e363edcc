import { inputError } from '../../core/errors.ts';
import type { ConfigLine } from './lines.ts';

/** `none`, or hops with commas, each as `user@host:port`. The line is read raw: quotes are part of a name. */
export function jumpList(line: ConfigLine): string {
  const text = line.rest
    .replace(/^[ \t=]+/, '')
    .replace(/#.*$/, '')
    .trimEnd();
  if (text.toLowerCase() === 'none') return 'none';
  return text
    .split(',')
    .map((hop) => hopText(hop, line))
    .join(',');
}

const hopForm = /^(?:ssh:\/\/)?(?:([^@]*(?:@[^@]*)*)@)?(?:\[([^\]]+)\]|([^:[\]@]+))(?::(\d+))?\/?$/;

function hopText(written: string, { origin }: ConfigLine): string {
  const [, user, bracketed, plain, port] = hopForm.exec(written) ?? [];
  const host = bracketed ?? plain;
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  if (host === undefined || user === '' || !isPort)
    throw inputError(`proxyjump: '${written}' is no jump host`, { origin, expected: 'user@host:port' });
  return `${user === undefined ? '' : `${user}@`}${host.includes(':') ? `[${host}]` : host}${port ? `:${port}` : ''}`;
}
