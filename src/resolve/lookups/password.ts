import { dirname, resolve } from 'node:path';
import { Unknown, type Value } from '../../jinja/index.ts';
import { expandHome } from '../../load/search.ts';
import type { RandomSource } from '../random-places.ts';
import {
  askerAt,
  intOption,
  itemsOf,
  type Kwargs,
  type Lookup,
  type LookupCall,
  type LookupPlace,
  lookupError,
  term,
  textOption,
} from './place.ts';

/** Reads a password from a file of the controller; makes and keeps one where there is none. */
export const password: Lookup = (terms, kwargs, place) => {
  const all: Value[] = [];
  for (const each of terms) {
    const { path, options } = parse(term(each), kwargs);
    const found = existing(path, place) ?? created(path, options, place);
    if (found instanceof Unknown) return found;
    all.push(found);
  }
  return all;
};

/** `path length=20 chars=digits,ascii_letters`. */
function parse(text: string, kwargs: Kwargs): { path: string; options: Kwargs } {
  const words = text.split(/\s+(?=[a-z]+=)/);
  const pairs = words
    .slice(1)
    .map((word): [string, Value] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { path: words[0] ?? '', options: new Map([...kwargs, ...pairs]) };
}

function existing(path: string, { settings, point }: LookupPlace): string | undefined {
  if (path === '/dev/null') return undefined;
  const full = resolve(dirname(point.play.file), expandHome(path));
  const bytes = settings.sources.files.kind(full) === 'file' ? settings.sources.files.read(full) : undefined;
  return bytes
    ?.toString('utf8')
    .trimEnd()
    .replace(/ salt=\S*$/, '');
}

function created(path: string, options: Kwargs, place: LookupCall): string | Unknown {
  const { settings, point } = place;
  if (options.has('encrypt'))
    throw lookupError('the password lookup cannot encrypt here: use the password_hash filter on its result');
  const made = generate(intOption(options, 'length', 20), alphabet(options), place.random);
  if (path === '/dev/null') return made;
  const save = settings.lookups?.savePassword;
  if (!save) throw lookupError(`the password lookup would write ${path}, which is not allowed here`);
  return save(resolve(dirname(point.play.file), expandHome(path)), made, askerAt(place));
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const classes: Readonly<Record<string, string>> = {
  ascii_letters: letters,
  ascii_lowercase: letters.slice(0, 26),
  ascii_uppercase: letters.slice(26),
  digits: '0123456789',
  hexdigits: '0123456789abcdefABCDEF',
  punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

function alphabet(options: Kwargs): string {
  const given = options.get('chars');
  const words =
    given === undefined
      ? ['ascii_letters', 'digits', '.,:-_']
      : (itemsOf(given)?.map(term) ?? textOption(options, 'chars', '').split(/,(?!,)/));
  const chars = [
    ...new Set(words.flatMap((word) => [...(Object.hasOwn(classes, word) ? (classes[word] ?? '') : word)])),
  ].join('');
  if (chars === '') throw lookupError('the password lookup has no characters to choose from');
  return chars;
}

/** Bytes beyond the last full multiple of the alphabet are dropped, so that no character is likelier than another. */
function generate(length: number, chars: string, random: RandomSource): string {
  if (length < 1 || length > 10_000) throw lookupError('the length of a password is 1 to 10000');
  const limit = 256 - (256 % chars.length);
  let made = '';
  while (made.length < length)
    for (const byte of random(length)) if (byte < limit && made.length < length) made += chars[byte % chars.length];
  return made;
}
