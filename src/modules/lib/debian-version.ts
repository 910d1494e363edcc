/**
 * Debian's order of versions: epoch, upstream version, revision; runs of non-digits and digits in turn. `~` sorts
 * before everything, even the end; letters before other signs. Negative, 0 or positive.
 */
export function compareDebianVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return (
    left.epoch - right.epoch || comparePart(left.upstream, right.upstream) || comparePart(left.revision, right.revision)
  );
}

function partsOf(version: string): { epoch: number; upstream: string; revision: string } {
  const colon = version.indexOf(':');
  const rest = version.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: colon < 0 ? 0 : Number(version.slice(0, colon)),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  };
}

function comparePart(a: string, b: string): number {
  let [left, right] = [a, b];
  while (left !== '' || right !== '') {
    const [words, numbers] = [/^\D*/, /^\d*/];
    const [wordLeft, wordRight] = [words.exec(left)![0], words.exec(right)![0]];
    const byWord = compareWord(wordLeft, wordRight);
    if (byWord !== 0) return byWord;
    [left, right] = [left.slice(wordLeft.length), right.slice(wordRight.length)];
    const [numberLeft, numberRight] = [numbers.exec(left)![0], numbers.exec(right)![0]];
    const byNumber = compareNumber(numberLeft, numberRight);
    if (byNumber !== 0) return byNumber;
    [left, right] = [left.slice(numberLeft.length), right.slice(numberRight.length)];
  }
  return 0;
}

function compareWord(a: string, b: string): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = order(a[i]) - order(b[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function order(sign: string | undefined): number {
  if (sign === undefined) return 0;
  if (sign === '~') return -1;
  const code = sign.charCodeAt(0);
  return /[A-Za-z]/.test(sign) ? code : code + 256;
}

/** Digits may be more than a number holds. */
function compareNumber(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}
