import { BoundedCache } from './cache.ts';
import { type Origin, TemplateError } from './errors.ts';
import { parseLiteral } from './python/literal.ts';
import type { Expression, Template } from './syntax/ast.ts';
import { expressionMutates } from './syntax/names.ts';
import { type ParseOptions, parseExpressionText, parseTemplateText, yamlStringOptions } from './syntax/parse.ts';

export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  newlineSequence?: '\n' | '\r\n' | '\r';
}

/** An expression with what its evaluation needs to know. Immutable; shared by all evaluations. */
export interface ParsedExpression {
  source: string;
  origin?: string;
  root: Expression;
  /** It calls a method that changes a list or dict. */
  mutates: boolean;
}

const expressions = new BoundedCache<ParsedExpression>(20_000);
const templates = new BoundedCache<Template>(20_000);

/** Parses one expression, the inside of `{{ }}`. Throws a TemplateError of kind `syntax`. */
export function parseExpression(source: string, origin?: Origin): ParsedExpression {
  return cachedExpression(source, origin, true);
}

/** Parses a bare condition: `a if b else c` is refused, as Ansible does. */
export function parseCondition(source: string, origin?: Origin): ParsedExpression {
  return cachedExpression(source, origin, false);
}

function cachedExpression(source: string, origin: Origin | undefined, withConditional: boolean): ParsedExpression {
  return expressions.get(`${withConditional} ${place(origin)}${source}`, () => {
    const root = parseExpressionText(source, origin, withConditional);
    return { source, origin: origin?.name, root, mutates: expressionMutates(root) };
  });
}

/** Parses a template file; an Ansible header line `#jinja2: key:value, …` overrides the options. */
export function parseTemplate(source: string, options: TemplateOptions = {}, origin?: Origin): Template {
  const base = { ...yamlStringOptions, ...withoutUndefined(options), outputEscapes: true };
  return cachedTemplate(source, base, origin);
}

/** Parses a string of a YAML file. */
export function parseYamlString(source: string, origin?: Origin): Template {
  return cachedTemplate(source, yamlStringOptions, origin);
}

function cachedTemplate(source: string, options: ParseOptions, origin: Origin | undefined): Template {
  const { trimBlocks, lstripBlocks, newlineSequence, outputEscapes } = options;
  const key = `${trimBlocks} ${lstripBlocks} ${outputEscapes} ${JSON.stringify(newlineSequence)} ${place(origin)}`;
  return templates.get(key + source, () => parseWithHeader(source, options, origin));
}

function place(origin: Origin | undefined): string {
  return origin ? `${origin.name}\n${origin.line} ${origin.column}\n` : '';
}

const header = '#jinja2:';

function parseWithHeader(source: string, options: ParseOptions, origin: Origin | undefined): Template {
  if (!source.startsWith(header)) return parseTemplateText(source, options, origin);
  const end = source.indexOf('\n');
  const line = source.slice(header.length, end < 0 ? undefined : end);
  const overridden = { ...options, ...readHeader(line, origin) };
  const below = origin && { ...origin, line: (origin.line ?? 1) + 1, column: 1 };
  return parseTemplateText(end < 0 ? '' : source.slice(end + 1), overridden, below ?? { name: 'template', line: 2 });
}

const headerKeys: Record<string, keyof ParseOptions> = {
  trim_blocks: 'trimBlocks',
  lstrip_blocks: 'lstripBlocks',
  newline_sequence: 'newlineSequence',
};

function readHeader(line: string, origin: Origin | undefined): Partial<ParseOptions> {
  const fail = (message: string) => new TemplateError('syntax', message, { origin: origin?.name, line: 1, column: 1 });
  const pairs = line.split(',').map((pair) => {
    const [, key = '', text = ''] = /^\s*(\w+)\s*:(.*)$/.exec(pair) ?? [];
    const option = Object.hasOwn(headerKeys, key) ? headerKeys[key] : undefined;
    if (!option)
      throw fail(
        `the header #jinja2: has no option '${key || pair.trim()}'; it takes ${Object.keys(headerKeys).join(', ')}`,
      );
    const value = parseLiteral(text.trim());
    if (value === undefined) throw fail(`'${text.trim()}' is no Python literal`);
    return [option, value];
  });
  return Object.fromEntries(pairs);
}

function withoutUndefined(options: TemplateOptions): TemplateOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
