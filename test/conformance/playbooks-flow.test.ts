import { part } from './support/corpus.ts';

part('the flow', ['blocks', 'handlers', 'includes', 'loops', 'vars', 'facts', 'template']);
