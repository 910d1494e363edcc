import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { quote } from '../../core/quote.ts';
import { SessionError, type Target } from '../../core/session.ts';

/** Answers what ssh asks, over a socket that only this user can open: no secret in argv, environment or a file. */
export interface Askpass {
  /** For ssh's environment. */
  env: Record<string, string>;
  /** Questions that nobody here could answer. */
  refused: string[];
  close(): void;
}

/** Undefined: there is no secret to tell, so ssh shall not ask at all. */
export async function openAskpass(target: Target, dir: string): Promise<Askpass | undefined> {
  const answer = answers(target);
  if (!answer) return undefined;
  const refused: string[] = [];
  const socket = join(dir, 'a');
  const server = await listening(socket, (question) => {
    const text = answer(question);
    if (text === undefined) refused.push(question);
    return text;
  });
  const helper = join(dir, 'askpass');
  await writeFile(helper, `#!/bin/sh\nexec ${quote(process.execPath)} -e ${quote(client)} ${quote(socket)} "$1"\n`);
  await chmod(helper, 0o700);
  // Older than 8.4 ssh asks a helper only where there is a display; the name of one suffices.
  const env = { SSH_ASKPASS: helper, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: process.env.DISPLAY ?? ':' };
  return { env, refused, close: () => server.close() };
}

/** What ssh runs for each question: a reply of `+` and the secret, or of nothing. */
const client = `
const [socket, question] = process.argv.slice(1);
const link = require('node:net').connect(socket, () => link.end(question ?? ''));
let reply = '';
link.on('data', (chunk) => { reply += chunk; }).on('error', () => process.exit(1));
link.on('end', () => { if (reply[0] !== '+') process.exit(1); process.stdout.write(reply.slice(1) + '\\n'); });
`;

function listening(path: string, answer: (question: string) => string | undefined): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, (link) => {
      let question = '';
      link.on('error', () => {}); // ssh was ended: nobody waits for the answer
      link.on('data', (chunk) => {
        question += chunk;
      });
      link.on('end', () => {
        const text = answer(question);
        link.end(text === undefined ? '' : `+${text}`);
      });
    });
    const fail = (cause: Error) =>
      reject(new SessionError('unreachable', 'auth', `askpass: ${cause.message}`, { cause }));
    server.once('error', fail).listen(path, () => resolve(server));
    server.unref();
  });
}

/** A key's passphrase where the question names its file, else the password where it asks for one. */
function answers(target: Target): ((question: string) => string | undefined) | undefined {
  const passphrases = Object.entries(target.passphrases);
  const { password } = target;
  if (passphrases.length === 0 && password === undefined) return undefined;
  return (question) => {
    const key = /passphrase for (?:key )?'?(.+?)'?:/i.exec(question)?.[1];
    if (key !== undefined) return passphrases.find(([file]) => file === key)?.[1];
    return /passw|passcode/i.test(question) && !/new|retype/i.test(question) ? password : undefined;
  };
}
