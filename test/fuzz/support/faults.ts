import type { Fault } from './hunt.ts';

/** Faults that the fuzzers must find; most of them were there. */
export const faults: Readonly<Record<string, Fault & { target: string }>> = {
  'an answer that ends the run where it is none': {
    target: 'answers',
    file: 'src/world/ask.ts',
    from: '  } catch (error) {\n',
    to: '  } catch (error) {\n    throw error;\n',
  },
  'a frame parser that looks for markers in one piece only': {
    target: 'frames',
    file: 'src/remote/frames.ts',
    from: 'this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])',
    to: 'chunk',
  },
  'an image whose index leads back to itself': {
    target: 'image',
    file: 'src/payload/image-source.ts',
    from: 'if (depth === deepest)',
    to: 'if (depth === -1)',
  },
  'a range of hosts without a limit': {
    target: 'ini',
    file: 'src/resolve/host-names.ts',
    from: 'const maxHosts = 100_000;',
    to: 'const maxHosts = 100_000_000;',
  },
  'a key whose length is not checked': {
    target: 'known-hosts',
    file: 'src/transports/ssh/known-hosts.ts',
    from: 'if (blob.length < 8) return undefined;',
    to: '',
  },
  'a class that goes down, given to a regular expression': {
    target: 'patterns',
    file: 'src/core/wildcards.ts',
    from: 'return { test: (text) => matches(tokens, [...text], options.keepSlashes === true) };',
    to: 'return new RegExp(`^${pattern.replaceAll("*", ".*")}$`);',
  },
  'a tag whose place is that of its first token': {
    target: 'template',
    file: 'src/jinja/syntax/position.ts',
    from: 'const lineStart = source.lastIndexOf',
    to: 'const lineStart = 1 + source.lastIndexOf',
  },
  'a configuration that includes itself': {
    target: 'ssh-config',
    file: 'src/resolve/ssh-config/read.ts',
    from: 'if (place.depth > deepest)',
    to: 'if (place.depth < 0)',
  },
  'a size below nothing in a pax header': {
    target: 'tar',
    file: 'src/modules/lib/archive/tar.ts',
    from: '/^\\d{1,15}$/.test(text)',
    to: '/^-?\\d{1,15}$/.test(text)',
  },
  'an archive that leads out of its folder': {
    target: 'zip',
    file: 'src/modules/lib/archive/entry.ts',
    from: "names.includes('..')",
    to: "names[0] === '..'",
  },
};
