/** One declared parameter: checking, `kpush doc` and the editor schema are all made from it. */
export interface ParamSpec {
  type: 'str' | 'bool' | 'int' | 'float' | 'list' | 'dict' | 'path' | 'raw' | 'mode' | 'version' | 'bytes';
  doc: string;
  /** Type of list items. Default `raw`. */
  elements?: 'str' | 'int' | 'dict' | 'path' | 'raw';
  choices?: readonly (string | boolean | number)[];
  default?: unknown;
  required?: boolean;
  aliases?: readonly string[];
  /** Value never shown in logs, diffs or events. */
  secret?: boolean;
  /** Commands of the host get it as an argument of its own: what begins with `-` is refused, as of every path. */
  operand?: boolean;
  /** The module can plan with this parameter unknown (for example a file's content). */
  unknownOk?: boolean;
}

export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

/** The plain JavaScript types that coercion gives: str/path string, mode number | string, dict plain object, bytes number. */
type TypeOf<P extends ParamSpec> = P['type'] extends 'str' | 'path' | 'version'
  ? string
  : P['type'] extends 'bool'
    ? boolean
    : P['type'] extends 'int' | 'float' | 'bytes'
      ? number
      : P['type'] extends 'mode'
        ? number | string
        : P['type'] extends 'list'
          ? P['elements'] extends 'str' | 'path'
            ? string[]
            : P['elements'] extends 'int'
              ? number[]
              : unknown[]
          : P['type'] extends 'dict'
            ? Record<string, unknown>
            : unknown;

/** Parameters after coercion: required ones and ones with defaults are there, the rest may be undefined. */
export type Params<S extends ParamSpecs> = {
  [K in keyof S]: S[K] extends { required: true }
    ? TypeOf<S[K]>
    : S[K] extends { default: unknown }
      ? TypeOf<S[K]>
      : TypeOf<S[K]> | undefined;
};
