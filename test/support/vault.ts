import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** A text as ansible-vault encrypts it (format 1.1), for tests; kpush itself only opens vaults. */
export function encryptVault(text: string, password: string): string {
  const salt = randomBytes(32);
  const keys = pbkdf2Sync(password, salt, 10_000, 80, 'sha256');
  const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, 32), keys.subarray(64));
  const sealed = Buffer.concat([cipher.update(padded(text)), cipher.final()]);
  const mac = createHmac('sha256', keys.subarray(32, 64)).update(sealed).digest('hex');
  const body = Buffer.from([salt.toString('hex'), mac, sealed.toString('hex')].join('\n')).toString('hex');
  return `$ANSIBLE_VAULT;1.1;AES256\n${body.replace(/.{80}/g, '$&\n')}\n`;
}

/** PKCS#7, to whole blocks of 16 bytes. */
function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  const more = 16 - (bytes.length % 16);
  return Buffer.concat([bytes, Buffer.alloc(more, more)]);
}
