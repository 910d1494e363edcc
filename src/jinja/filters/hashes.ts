import { createHash, getHashes } from 'node:crypto';
import { hashPassword } from '../crypto/password.ts';
import { pyStr } from '../python/repr.ts';
import { given, intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, typeError, type Value } from './types.ts';

const sha1 = filter('', 'The SHA-1 of the text, in hexadecimal digits.', (value) => digest('sha1', pyStr(value)));

export const hashFilters: FilterTable = {
  hash: filter('hashtype?', 'A hash of the text, in hexadecimal digits.', (value, [type = 'sha1']) =>
    digest(stringOf(type, 'hashtype'), stringOf(value)),
  ),
  checksum: sha1,
  sha1,
  md5: filter('', 'The MD5 of the text, in hexadecimal digits.', (value) => digest('md5', pyStr(value))),
  password_hash: filter(
    'hashtype?, salt?, salt_size?, rounds?, ident?',
    'The hash of a password for /etc/shadow.',
    (value, args, context) => {
      const [type = 'sha512', salt, saltSize, rounds, ident] = args;
      return hashPassword(stringOf(value, 'a password'), stringOf(type, 'hashtype'), {
        salt: given(salt) ? stringOf(salt, 'salt') : undefined,
        saltSize: given(saltSize) ? intOf(saltSize, 'salt_size') : undefined,
        rounds: given(rounds) ? intOf(rounds, 'rounds') : undefined,
        ident: given(ident) ? stringOf(ident, 'ident') : undefined,
        random: context.env.randomBytes,
      });
    },
  ),
  b64encode: filter('encoding?', 'The text in Base64.', (value, [encoding = 'utf-8']) =>
    Buffer.from(pyStr(value), encodingOf(encoding)).toString('base64'),
  ),
  b64decode: filter('encoding?', 'The text that is written in Base64.', (value, [encoding = 'utf-8']) =>
    decoded(stringOf(value), encodingOf(encoding)),
  ),
  to_uuid: filter('namespace?', 'A UUID that always belongs to this text.', (value, [namespace = ansibleNamespace]) =>
    uuid5(stringOf(namespace, 'namespace'), pyStr(value)),
  ),
};

function digest(type: string, source: string): string {
  const name = type
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^sha-(?=\d{1,3}$)/, 'sha');
  if (!getHashes().includes(name)) throw typeError(`unsupported hash type ${type}`);
  return createHash(name).update(source).digest('hex');
}

function encodingOf(value: Value): BufferEncoding {
  const name = stringOf(value, 'encoding').toLowerCase().replace(/[-_]/g, '');
  const known: Record<string, BufferEncoding> = {
    utf8: 'utf8',
    utf16le: 'utf16le',
    latin1: 'latin1',
    iso88591: 'latin1',
    ascii: 'ascii',
  };
  const encoding = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!encoding) throw typeError(`unknown encoding: ${stringOf(value)}`);
  return encoding;
}

/** Python ignores foreign characters but wants the padding. */
function decoded(source: string, encoding: BufferEncoding): string {
  const [plain = ''] = source.replace(/[^A-Za-z0-9+/=]/g, '').split('=');
  const padding = /=*$/.exec(source.replace(/[^A-Za-z0-9+/=]/g, ''))![0].length;
  if (plain.length % 4 === 1 || (plain.length % 4 > 0 && padding < 4 - (plain.length % 4)))
    throw typeError('b64decode: incorrect padding');
  const bytes = Buffer.from(plain, 'base64');
  if (encoding !== 'utf8') return bytes.toString(encoding);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const ansibleNamespace = '361E6D51-FAEC-444A-9079-341386DA8E2E';

function uuid5(namespace: string, name: string): string {
  const digits = namespace.replace(/^urn:uuid:|[{}-]/gi, '');
  if (!/^[\da-fA-F]{32}$/.test(digits)) throw typeError(`Invalid value '${namespace}' for 'namespace'`);
  const bytes = createHash('sha1').update(Buffer.from(digits, 'hex')).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
