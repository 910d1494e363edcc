import { part } from './support/corpus.ts';

// What it installs comes from Debian.
part('what Debian installs', ['packages']);
