import { quote } from '../core/quote.ts';
import { pathText } from './compile-argv.ts';

/**
 * A blob's path as a shell word. Absolute and `~/…` paths are themselves; a relative one lies in the user's store,
 * which only the host can name: /var/lib/kpush/blobs for root, ~/.cache/kpush/blobs for others.
 */
export function blobWord(path: string): string {
  return /^[/~]/.test(path) ? pathText(path) : `"$(kp_store)"/${quote(path)}`;
}

/** The function that `blobWord` calls. Who has no home of his own keeps them where his runs are. */
export const storeFunction =
  'kp_store() { if [ -O /proc/1 ]; then echo /var/lib/kpush/blobs; elif [ -w "$HOME" ]; then echo "$HOME/.cache/kpush/blobs"; ' +
  'else echo "/tmp/kpush-$(id -u)/blobs"; fi; }\n';
