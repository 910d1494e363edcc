import type { Target } from '../../core/session.ts';
import type { Connection, Transport } from '../../remote/transport.ts';
import { retrying } from '../retry.ts';
import { inTurn } from '../throttle.ts';
import { OpensshConnection } from './connection.ts';
import { startMaster } from './master.ts';
import { MuxClient } from './mux.ts';

/**
 * The system's ssh, for what ssh2 cannot do: user and host certificates, FIDO and PKCS#11 keys, GSSAPI. One `ssh -M` a
 * connection; its channels go over its control socket.
 */
export const opensshTransport: Transport = {
  connect: (target, signal) => retrying(target, signal, () => once(target, signal)),
};

async function once(target: Target, signal?: AbortSignal): Promise<Connection> {
  const master = await inTurn(target, () => startMaster(target, signal));
  try {
    return new OpensshConnection(target, master, await MuxClient.open(master.socket));
  } catch (error) {
    master.end();
    await master.closed;
    throw error;
  }
}
