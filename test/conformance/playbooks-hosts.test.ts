import { part } from './support/corpus.ts';

part('hosts', ['accounts', 'command', 'net']);
