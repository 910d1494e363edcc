import { type TestTable, test } from '../definitions.ts';
import { splitUrl } from '../filters/web.ts';
import { isTrue } from '../python/compare.ts';
import { contains } from '../python/sequence.ts';
import { rawText } from '../python/text.ts';
import { isString, type Value } from '../values.ts';

export const uriTests: TestTable = {
  uri: test('schemes?', 'It is a URI, of one of the schemes if given.', (value, [schemes]) => isUri(value, schemes)),
  url: test('schemes?', 'It is a URL, of one of the schemes if given.', (value, [schemes]) => {
    const parts = isUri(value, schemes) && isString(value) ? splitUrl(rawText(value)) : undefined;
    return parts !== undefined && (parts.get('netloc') !== '' || parts.get('scheme') === 'file');
  }),
  urn: test('', 'It is a URN.', (value) => isUri(value, ['urn'])),
};

/** To Ansible every text is a URI, with or without a scheme. */
function isUri(value: Value, schemes: Value | undefined): boolean {
  if (!isString(value)) return false;
  if (schemes === undefined || !isTrue(schemes)) return true;
  return contains(schemes, splitUrl(rawText(value)).get('scheme')!);
}
