// One bare ssh2 connection with execs on it, for the floors: what no tool can do without.
import { Client } from 'ssh2';

/**
 * Resolves when the command has ended, with its exit code and the connection, still open. `options`: those of ssh2.
 * `feed` writes its input.
 */
export function bareExec(options, command, feed) {
  return new Promise((resolve, reject) => {
    const client = new Client();
    client.on('error', reject);
    client.on('ready', () => execOn(client, command, feed).then((code) => resolve({ client, code }), reject));
    client.connect(options);
  });
}

/** The exit code of a command on a connection that is ready. */
export function execOn(client, command, feed) {
  return new Promise((resolve, reject) => {
    let code;
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      channel.resume();
      channel.stderr.resume();
      feed?.(channel).catch(reject);
      channel.on('exit', (status) => {
        code = status;
      });
      channel.on('close', () => resolve(code));
    });
  });
}

/** Says goodbye and waits until the connection is gone. */
export function closed(client) {
  return new Promise((resolve) => {
    client.on('close', resolve);
    client.end();
  });
}

/** `HOST:PORT` as options of ssh2. */
export function rootAt(target, privateKey) {
  const at = target.lastIndexOf(':');
  return { host: target.slice(0, at), port: Number(target.slice(at + 1)), username: 'root', privateKey };
}
