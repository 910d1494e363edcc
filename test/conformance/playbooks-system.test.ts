import { part } from './support/corpus.ts';

part('the system', ['system']);
