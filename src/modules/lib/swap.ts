import type { ModuleContext } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { dirname, join } from './paths.ts';

/**
 * Shell text that makes something under a sibling name and renames it over `path`. `make` gets that name, quoted; a
 * leftover of it is swept away by the next atomic write beside it.
 * `-T`: a directory, or a link to one, is never moved into.
 */
export function swapIn(path: string, make: (temp: string) => string, ctx: ModuleContext): string {
  const temp = quote(join(dirname(path), `.kpush-${ctx.random(8)}.tmp`));
  return `${make(temp)} && mv -fT ${temp} ${quote(path)} || { kp_rc=$?; rm -f ${temp}; exit $kp_rc; }`;
}
