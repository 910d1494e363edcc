import { question } from './compare.ts';
import { corpus, corpusVars } from './corpus.ts';
import { ensureAnsible, Oracle } from './oracle.ts';
import { record } from './recorded.ts';

/** Asks the oracle about the whole corpus and writes its answers down: `node --import tsx test/conformance/expressions/record.ts`. */
ensureAnsible();
const oracle = new Oracle();
const cases = corpus();
const answers = await oracle.askAll(cases.map((item) => question({ ...item, vars: corpusVars() })));
oracle.close();
record(cases, answers);
