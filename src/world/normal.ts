/** Without `//`, `/./` and a trailing slash; `..` stays, since only the host knows where it leads. */
export function normal(path: string): string {
  if (!path.includes('//') && !path.includes('/.') && !path.endsWith('/')) return path === '' ? '/' : path;
  const clean = path
    .replace(/\/+/g, '/')
    .replace(/(\/\.)+(?=\/|$)/g, '')
    .replace(/(?<=.)\/$/, '');
  return clean === '' ? '/' : clean;
}
