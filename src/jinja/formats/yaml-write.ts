import type { Value } from '../values.ts';
import { YamlLines } from './yaml-lines.ts';
import { type NodeOptions, nameAnchors, type YamlNode, yamlNodes } from './yaml-nodes.ts';
import { analyzeScalar, chooseStyle, type ScalarPlace } from './yaml-scalar.ts';

export interface YamlOptions extends NodeOptions {
  indent: number;
  width: number;
  explicitStart: boolean;
  explicitEnd: boolean;
}

export const defaultYaml: YamlOptions = {
  sortKeys: true,
  indent: 2,
  width: 80,
  explicitStart: false,
  explicitEnd: false,
};

/** yaml.dump() as PyYAML does it with libyaml, byte for byte. Throws for what YAML cannot say. */
export function writeYaml(value: Value, options: YamlOptions): string {
  const root = yamlNodes(value, options);
  nameAnchors(root);
  return new Emitter(options).document(root);
}

interface Place {
  /** The node is the value of a block mapping's key. */
  inMapping?: boolean;
  isKey?: boolean;
}

class Emitter {
  private readonly lines: YamlLines;
  private readonly step: number;
  private readonly written = new Set<YamlNode>();
  private flowLevel = 0;

  constructor(private readonly options: YamlOptions) {
    this.step = options.indent >= 2 && options.indent <= 9 ? options.indent : 2;
    this.lines = new YamlLines(options.width >= 0 && options.width <= this.step * 2 ? 80 : widthOf(options.width));
  }

  document(root: YamlNode): string {
    if (this.options.explicitStart) this.lines.indicator('---', true);
    if (this.options.explicitStart && root.kind !== 'scalar' && !this.isFlow(root)) this.lines.writeIndent();
    this.node(root, {});
    this.lines.writeIndent();
    if (this.options.explicitEnd) {
      this.lines.indicator('...', true);
      this.lines.writeIndent();
    }
    return this.lines.text;
  }

  private node(node: YamlNode, place: Place): void {
    if (this.alias(node)) return;
    if (node.kind === 'scalar') this.scalar(node, place);
    else if (this.isFlow(node)) this.flow(node);
    else if (node.kind === 'sequence') this.blockSequence(node, place);
    else this.blockMapping(node);
  }

  /** Writes `*id001` for a node that was written before, `&id001` in front of one that comes again. */
  private alias(node: YamlNode): boolean {
    if (!node.anchor) return false;
    const again = this.written.has(node);
    this.written.add(node);
    this.lines.indicator(`${again ? '*' : '&'}${node.anchor}`, true);
    return again;
  }

  private isFlow(node: YamlNode & { kind: 'sequence' | 'mapping' }): boolean {
    return this.flowLevel > 0 || node.flow || isEmpty(node);
  }

  private scalar(node: YamlNode & { kind: 'scalar' }, { isKey = false }: Place): void {
    const place: ScalarPlace = { inFlow: this.flowLevel > 0, isKey };
    const style = chooseStyle(node.text, analyzeScalar(node.text), node.isString, place);
    this.indented(true, false, () => {
      if (style === 'plain') this.lines.plain(node.text, place.inFlow, !isKey);
      else if (style === 'single') this.lines.single(node.text, !isKey);
      else this.lines.double(node.text, !isKey);
    });
  }

  private indented(flow: boolean, indentless: boolean, write: () => void): void {
    const outer = this.lines.indent;
    if (outer < 0) this.lines.indent = flow ? this.step : 0;
    else if (!indentless) this.lines.indent = outer + this.step;
    write();
    this.lines.indent = outer;
  }

  private blockSequence(node: YamlNode & { kind: 'sequence' }, { inMapping = false }: Place): void {
    this.indented(false, inMapping && !this.lines.isIndention, () => {
      for (const item of node.items) {
        this.lines.writeIndent();
        this.lines.indicator('-', true, false, true);
        this.node(item, {});
      }
    });
  }

  private blockMapping(node: YamlNode & { kind: 'mapping' }): void {
    this.indented(false, false, () => {
      for (const [key, value] of node.entries) {
        this.lines.writeIndent();
        if (isSimpleKey(key)) {
          this.node(key, { isKey: true });
          this.lines.indicator(':', false);
        } else {
          this.lines.indicator('?', true, false, true);
          this.node(key, { inMapping: true });
          this.lines.writeIndent();
          this.lines.indicator(':', true, false, true);
        }
        this.node(value, { inMapping: true });
      }
    });
  }

  private flow(node: YamlNode & { kind: 'sequence' | 'mapping' }): void {
    const [open, close] = node.kind === 'sequence' ? ['[', ']'] : ['{', '}'];
    this.lines.indicator(open!, true, true);
    this.flowLevel++;
    this.indented(true, false, () => {
      const parts = node.kind === 'sequence' ? node.items : node.entries;
      for (const [i, part] of parts.entries()) {
        if (i > 0) this.lines.indicator(',', false);
        if (this.lines.beyondWidth) this.lines.writeIndent();
        if (Array.isArray(part)) this.flowEntry(part);
        else this.node(part, {});
      }
    });
    this.flowLevel--;
    this.lines.indicator(close!, false);
  }

  private flowEntry([key, value]: [YamlNode, YamlNode]): void {
    if (isSimpleKey(key)) {
      this.node(key, { isKey: true });
      this.lines.indicator(':', false);
    } else {
      this.lines.indicator('?', true);
      this.node(key, {});
      if (this.lines.beyondWidth) this.lines.writeIndent();
      this.lines.indicator(':', true);
    }
    this.node(value, {});
  }
}

function widthOf(width: number): number {
  return width < 0 ? Infinity : width;
}

function isEmpty(node: YamlNode): boolean {
  return (
    (node.kind === 'sequence' && node.items.length === 0) || (node.kind === 'mapping' && node.entries.length === 0)
  );
}

/** libyaml counts bytes of UTF-8. */
function isSimpleKey(node: YamlNode): boolean {
  if (node.kind !== 'scalar') return isEmpty(node);
  return !analyzeScalar(node.text).multiline && Buffer.byteLength(node.text) + (node.anchor?.length ?? 0) <= 128;
}
