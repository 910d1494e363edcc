/** The type that YAML 1.1 gives a plain scalar, by PyYAML's rules. */
export type ScalarType = 'str' | 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'merge' | 'value' | 'yaml';

const rules: [ScalarType, RegExp][] = [
  ['bool', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/],
  [
    'float',
    /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*)$/,
  ],
  ['float', /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/],
  [
    'int',
    /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)$/,
  ],
  ['merge', /^<<$/],
  ['null', /^(?:~|null|Null|NULL|)$/],
  [
    'timestamp',
    /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)$/,
  ],
  ['value', /^=$/],
  ['yaml', /^[!&*]$/],
];

export function scalarType(text: string): ScalarType {
  return rules.find(([, pattern]) => pattern.test(text))?.[0] ?? 'str';
}
