import { TemplateError } from '../../../src/jinja/errors.ts';
import { parseExpressionText, parseTemplateText, yamlStringOptions } from '../../../src/jinja/syntax/parse.ts';
import { shape, type Target } from '../support/target.ts';

/** The lexer and parser of templates: whole ones, as files have them and as YAML strings, and bare conditions. */
export const target: Target = {
  words: [
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      '{%-',
      '-%}',
      '{{-',
      '-}}',
      '+%}',
      ' if ',
      ' else ',
      ' for ',
      ' in ',
      ' is not ',
    ],
    ...[
      'endif',
      'endfor',
      'set ',
      'raw',
      'endraw',
      'macro m(',
      'call',
      'filter ',
      'block ',
      'include ',
      'import ',
      'with',
    ],
    ...[
      '|',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.',
      ',',
      ':',
      '~',
      '**',
      '//',
      '==',
      'not ',
      '-',
      '"',
      "'",
      '\\',
      '\\u',
      '\\N{',
    ],
    ...['1e999', '0x', '1_', '.5', '1.', '#jinja2: trim_blocks: False\n', '\n'],
  ],
  run(input) {
    const source = input.toString('utf8');
    const origin = { name: 'f', line: 1, column: 1 };
    // A template's lines end as they may; an expression has none.
    const lines = source.replace(/\r\n?/g, '\n').split('\n');
    return [
      () =>
        `${parseTemplateText(source, { ...yamlStringOptions, lstripBlocks: true, outputEscapes: true }, origin).body.length}`,
      () => `${parseTemplateText(source, yamlStringOptions, origin).body.length}`,
      () => parseExpressionText(source, origin).kind,
    ]
      .map((read, at) => parsed(read, at < 2 ? lines : source.split('\n')))
      .join(' ');
  },
};

function parsed(read: () => string, lines: string[]): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    checkPlace(error, lines);
    return shape(error.message);
  }
}

function checkPlace({ message, line, column }: TemplateError, lines: string[]): void {
  const at = line === undefined ? undefined : lines[line - 1];
  if (at === undefined || column === undefined || column < 1 || column > at.length + 1)
    throw new Error(`'${message}' is said to be at ${line}:${column}, where there is nothing`);
}
