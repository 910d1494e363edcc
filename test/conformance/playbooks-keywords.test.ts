import { part } from './support/corpus.ts';

// Its end is a failure.
part('keywords of plays and tasks', ['keywords']);
