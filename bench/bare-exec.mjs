// One bare ssh2 connection with one exec on it, for the floors: what no tool can do without.
import { Client } from 'ssh2';

/**
 * Resolves when the command has ended, with its exit code and the connection, still open. `options`: those of ssh2.
 * `feed` writes its input.
 */
export function bareExec(options, command, feed) {
  return new Promise((resolve, reject) => {
    const client = new Client();
    let code;
    client.on('error', reject);
    client.on('ready', () =>
      client.exec(command, (error, channel) => {
        if (error) return reject(error);
        channel.resume();
        channel.stderr.resume();
        feed?.(channel).catch(reject);
        channel.on('exit', (status) => {
          code = status;
        });
        channel.on('close', () => resolve({ client, code }));
      }),
    );
    client.connect(options);
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
