import { readJson } from '../formats/json-read.ts';
import { type JsonOptions, plainJson, writeJson } from '../formats/json-write.ts';
import { readYaml } from '../formats/yaml-read.ts';
import { defaultYaml, writeYaml, type YamlOptions } from '../formats/yaml-write.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, isInt, isString, typeError, type Value } from './types.ts';

type Keywords = ReadonlyMap<string, Value>;

export const serializeFilters: FilterTable = {
  to_json: filter('**options', 'JSON on one line.', (value, args) =>
    writeJson(value, jsonOptions(plainJson, args.keywords)),
  ),
  to_nice_json: filter('indent?, sort_keys?, **options', 'JSON for people, with sorted keys.', (value, args) => {
    const base = {
      ...plainJson,
      itemSeparator: ',',
      indent: indentOf(args[0] ?? 4),
      sortKeys: isTrue(args[1] ?? true),
    };
    return writeJson(value, jsonOptions(base, args.keywords));
  }),
  tojson: filter('indent?', 'JSON that is safe in HTML.', (value, [indent = null]) =>
    htmlSafe(writeJson(value, jsonOptions(htmlJson, new Map([['indent', indent]])))),
  ),
  from_json: filter('', 'The value of a JSON text.', (value) => readJson(stringOf(value))),
  to_yaml: filter('**options', 'YAML; lists and dicts of plain values stand in one line.', (value, args) =>
    writeYaml(value, yamlOptions(defaultYaml, args.keywords)),
  ),
  to_nice_yaml: filter('indent?, **options', 'YAML for people.', (value, args) => {
    const base = { ...defaultYaml, flow: false, indent: args[0] === undefined ? 4 : intOf(args[0], 'indent') };
    return writeYaml(value, yamlOptions(base, args.keywords));
  }),
  from_yaml: filter('', 'The value of a YAML text.', (value) => {
    if (!isString(value)) return value;
    const documents = readYaml(stringOf(value));
    if (documents.length > 1) throw typeError('expected a single document in the stream but found another document');
    return documents[0] ?? null;
  }),
  from_yaml_all: filter('', 'The values of all documents of a YAML text.', (value) =>
    isString(value) ? readYaml(stringOf(value)) : value,
  ),
};

const htmlJson: JsonOptions = { ...plainJson, sortKeys: true };

function htmlSafe(json: string): string {
  return json.replace(/[<>&']/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

const ignoredJson = ['vault_to_text', 'preprocess_unsafe', 'allow_nan', 'check_circular', 'skipkeys'];

function jsonOptions(base: JsonOptions, keywords: Keywords): JsonOptions {
  const options = { ...base };
  for (const [name, value] of keywords) {
    if (name === 'indent')
      Object.assign(options, { indent: indentOf(value), itemSeparator: value === null ? ', ' : ',' });
    else if (name === 'sort_keys') options.sortKeys = isTrue(value);
    else if (name === 'ensure_ascii') options.escapeNonAscii = isTrue(value);
    else if (name !== 'separators' && !ignoredJson.includes(name)) throw unknownOption('to_json', name);
  }
  const separators = keywords.get('separators');
  if (separators !== undefined) [options.itemSeparator, options.keySeparator] = pairOf(separators);
  return options;
}

function pairOf(value: Value): [string, string] {
  const [item, key] = items(value).map((part) => pyStr(part));
  if (item === undefined || key === undefined) throw typeError('separators must be a pair of strings');
  return [item, key];
}

function indentOf(value: Value): string | undefined {
  if (value === null) return undefined;
  return isInt(value) ? ' '.repeat(Math.max(0, Number(value))) : stringOf(value, 'indent');
}

function yamlOptions(base: YamlOptions, keywords: Keywords): YamlOptions {
  const options = { ...base };
  for (const [name, value] of keywords) {
    if (name === 'indent') options.indent = intOf(value, name);
    else if (name === 'width') options.width = value === null ? 80 : intOf(value, name);
    else if (name === 'sort_keys') options.sortKeys = isTrue(value);
    else if (name === 'default_flow_style') options.flow = value === null ? undefined : isTrue(value);
    else if (name === 'explicit_start') options.explicitStart = isTrue(value);
    else if (name === 'explicit_end') options.explicitEnd = isTrue(value);
    else if (name !== 'allow_unicode') throw unknownOption('to_yaml', name);
  }
  return options;
}

function unknownOption(name: string, option: string) {
  return typeError(`${name} has no option '${option}'`);
}
