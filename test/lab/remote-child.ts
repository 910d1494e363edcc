// A controller of its own, to be killed: runs one long step on the host that KPUSH_TEST names.
import { openSession } from '../../src/remote/session.ts';
import { anyTransport } from '../../src/transports/index.ts';
import { step, trip } from '../unit/remote/support.ts';
import { stubborn } from './remote-support.ts';

const { target, identity } = JSON.parse(process.env.KPUSH_TEST ?? '{}');
const session = openSession(target, { transport: anyTransport });
await session.change(trip([step('long', stubborn)], { identity }), {});
