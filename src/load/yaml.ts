import { InputErrors, type KpushError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import type { Origin } from '../core/origin.ts';
import { decodeText } from './text.ts';
import { documentNode } from './yaml-nodes.ts';
import { parseSyntax } from './yaml-syntax.ts';

export interface YamlOptions {
  /** Name shown in origins. */
  file: string;
  /** Decrypts `!vault` texts. Absent: they are faults, thrown where the value is used. */
  vault?: (text: string, origin: Origin) => string;
  /** Takes duplicate keys as warnings (`--compat ansible`, the last one wins). Absent: they are errors. */
  onDuplicate?: (warning: KpushError) => void;
}

/**
 * The one document of a YAML 1.1 file as a Node; an empty file is a null. Throws an input error (InputErrors when
 * several keys are duplicate) with file, line and column.
 */
export function parseYaml(content: Buffer | string, options: YamlOptions): Node {
  const text = decodeText(typeof content === 'string' ? Buffer.from(content) : content, options.file);
  const duplicates: KpushError[] = [];
  const duplicate = options.onDuplicate ?? ((error: KpushError) => duplicates.push(error));
  const node = documentNode(parseSyntax(text, options.file), text, { vault: options.vault, duplicate });
  if (duplicates.length === 1) throw duplicates[0];
  if (duplicates.length) throw new InputErrors(duplicates);
  return node;
}
