import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService } from 'yaml-language-server';

export interface Flag {
  /** From 1. */
  line: number;
  message: string;
}

/** What an editor shows of a text that has this schema, as JSON: yaml-language-server's own diagnostics. */
export function editor(json: string): (text: string) => Promise<Flag[]> {
  const service = getLanguageService({
    schemaRequestService: async (uri) => {
      throw new Error(`${uri}: an editor would go to the network for this`);
    },
    workspaceContext: { resolveRelativePath: (path) => path },
  });
  const schema: unknown = JSON.parse(json); // the service changes it in place
  service.configure({ validate: true, schemas: [{ uri: 'memory:schema', fileMatch: ['*'], schema }] });
  let edition = 0;
  return async (text) => {
    const found = await service.doValidation(TextDocument.create(`file:///${edition++}.yml`, 'yaml', 1, text), false);
    return found.map(({ range, message }) => ({ line: range.start.line + 1, message }));
  };
}
