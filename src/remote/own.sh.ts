import { minify } from './minify.ts';

/** Whether what `base.sh.ts` chose to keep runs, locks and blobs in may be used; for all that writes there. */
export const ownFunction = minify(`
# A folder in /tmp is ours alone, or is not used: whoever made it before us could read and change what we write.
kp_own() {
  [ "$kp_tmp" ] || return 0
  (umask 077; mkdir "$kp_tmp") 2>/dev/null
  [ ! -h "$kp_tmp" ] && [ -O "$kp_tmp" ]
}
`);
