import { kubernetesBuild, patchedVersion, version } from './build.ts';

/** `npm run lab -- kubernetes`: builds what is not cached and shows where it is. */
export async function kubernetes() {
  const build = await kubernetesBuild((line) => console.error(`lab: ${line}`));
  for (const of of [version, patchedVersion])
    console.log(`${of}  ${build.program('kubelet', of).replace(/\/kubelet$/, '')}`);
}
