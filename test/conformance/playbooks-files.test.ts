import { part } from './support/corpus.ts';

part('files', ['copy', 'edit', 'file', 'stat']);
