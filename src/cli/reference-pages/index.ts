import { keywordsPage } from './keywords.ts';
import { modulesPage } from './modules.ts';
import { templatesPage } from './templates.ts';

/** The pages of docs/reference by file name, made from what the code declares (a test compares). */
export function referencePages(): Record<string, string> {
  return {
    'keywords.md': keywordsPage(),
    'modules.md': modulesPage(),
    'templates.md': templatesPage(),
  };
}
