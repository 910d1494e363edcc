import { inputError } from '../core/errors.ts';
import type { Origin } from '../core/origin.ts';

/** As ssh refuses names it is given: they come to stand in the shell text of ProxyCommand and Match exec. */
const notInAddress = /^-|[\s\u0000-\u001f\u007f'"`$\\;&<>|(){}]/;
const notInUser = /^-|[\u0000-\u001f\u007f'"`;&<>|(){}]|\s-|\\$/;

/** An empty one would be this machine. */
export function checkAddress(name: string, origin?: Origin): void {
  if (name !== '' && !notInAddress.test(name)) return;
  throw inputError(`${JSON.stringify(name)} cannot be the address of a host`, {
    origin,
    expected: 'a name or address',
  });
}

export function checkUser(name: string, origin?: Origin): void {
  if (!notInUser.test(name)) return;
  throw inputError(`${JSON.stringify(name)} cannot be a user to log in as`, { origin, expected: 'the name of a user' });
}

export function checkPort(port: number, origin?: Origin): void {
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return;
  throw inputError(`${port} cannot be a port`, { origin, expected: 'a number from 1 to 65535' });
}
