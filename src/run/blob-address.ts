import type { Evaluator } from '../core/evaluator.ts';
import type { EventBody } from '../core/events.ts';
import type { Play } from '../core/play.ts';
import { TemplateError } from '../jinja/index.ts';
import { playPoint } from '../resolve/waves.ts';

const name = 'kpush_blob_address';

/** Where a host serves big files to others, by its variable; one that cannot be read is told, and serves nothing. */
export function blobAddress(
  evaluator: Evaluator,
  play: Play,
  host: string,
  emit: (event: EventBody) => void,
): string | undefined {
  try {
    const value = evaluator.variable(name, { ...playPoint(play), host });
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    emit({ type: 'warning', host, message: `${host}: ${name} is not used: ${error.message}` });
    return undefined;
  }
}
