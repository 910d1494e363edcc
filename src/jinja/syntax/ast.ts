export interface Position {
  line: number;
  column: number;
}

/** A parsed expression. Immutable; shared by all evaluations. */
export type Expression = Position &
  (
    | { kind: 'literal'; value: import('../values.ts').Value }
    | { kind: 'name'; name: string }
    | { kind: 'list'; items: Expression[] }
    | { kind: 'tuple'; items: Expression[] }
    | { kind: 'dict'; entries: [Expression, Expression][] }
    | { kind: 'attribute'; target: Expression; name: string }
    | { kind: 'item'; target: Expression; key: Expression }
    | { kind: 'slice'; start?: Expression; stop?: Expression; step?: Expression }
    | { kind: 'call'; callee: Expression; call: Arguments }
    | { kind: 'filter'; name: string; target: Expression; call: Arguments }
    | { kind: 'test'; name: string; target: Expression; call: Arguments }
    | { kind: 'unary'; operator: '+' | '-'; operand: Expression }
    | { kind: 'not'; operand: Expression }
    | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
    | { kind: 'concat'; parts: Expression[] }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
    | { kind: 'compare'; first: Expression; rest: { operator: CompareOperator; operand: Expression }[] }
    | { kind: 'conditional'; test: Expression; yes: Expression; no?: Expression }
  );

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export interface Arguments {
  args: Expression[];
  kwargs: { name: string; value: Expression }[];
  /** `*args` and `**kwargs` of a call. */
  spread?: Expression;
  keywordSpread?: Expression;
}

/** What a loop, `set` or macro parameter binds: one name or a pattern of them; `attribute` is `namespace.x`. */
export type Target = Position &
  (
    | { kind: 'name'; name: string }
    | { kind: 'pattern'; items: Target[] }
    | { kind: 'attribute'; target: string; name: string }
  );

export interface Macro {
  name: string;
  parameters: { name: string; default?: Expression }[];
  body: Statement[];
  /** Whether the body reads `varargs`, `kwargs` or `caller`: only then may a call pass them. */
  reads: { varargs: boolean; kwargs: boolean; caller: boolean };
}

export type Statement = Position &
  (
    | { kind: 'text'; text: string }
    | { kind: 'output'; expression: Expression }
    | { kind: 'if'; branches: { test: Expression; body: Statement[] }[]; otherwise: Statement[] }
    | {
        kind: 'for';
        target: Target;
        items: Expression;
        filter?: Expression;
        recursive: boolean;
        body: Statement[];
        otherwise: Statement[];
      }
    | { kind: 'set'; target: Target; value: Expression }
    | { kind: 'set-block'; target: Target; filters: FilterCall[]; body: Statement[] }
    | { kind: 'macro'; macro: Macro }
    | { kind: 'call-block'; call: Expression & { kind: 'call' }; macro: Macro }
    | { kind: 'filter-block'; filters: FilterCall[]; body: Statement[] }
    | { kind: 'with'; bindings: { target: Target; value: Expression }[]; body: Statement[] }
    | { kind: 'do'; expression: Expression }
    | { kind: 'break' | 'continue' }
  );

export type FilterCall = Position & { name: string; call: Arguments };

/** A parsed template. Immutable; shared by all renderings. */
export interface Template {
  source: string;
  origin?: string;
  body: Statement[];
  /** Newlines at the end of the source: rendering must not lose any. */
  trailingNewlines: number;
  newlineSequence: string;
  /** It calls a method that changes a list or dict, so variables must be copied before it touches them. */
  mutates: boolean;
}
