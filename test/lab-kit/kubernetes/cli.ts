import { kubernetesBuild, patchedVersion, version } from './build.ts';
import { labImages } from './images.ts';

/** `npm run lab -- kubernetes`: builds what is not cached and shows where it is. */
export async function kubernetes() {
  const build = await kubernetesBuild((line) => console.error(`lab: ${line}`));
  await labImages(build);
  for (const of of [version, patchedVersion])
    console.log(`${of}  ${build.program('kubelet', of).replace(/\/kubelet$/, '')}`);
}
