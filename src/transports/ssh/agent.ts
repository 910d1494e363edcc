import ssh2, {
  type BaseAgent,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';

/**
 * An agent of which only some keys are offered, those of the identity files first. ssh2 offers all of them in the
 * agent's order, and a server ends the connection after MaxAuthTries.
 */
export class FilteredAgent extends ssh2.BaseAgent {
  /** Base64 of the keys that were offered, whatever the server said of them. */
  readonly offered = new Set<string>();
  private readonly inner: BaseAgent;
  private readonly wanted: string[];
  private readonly only: boolean;
  private readonly limit: number;
  private readonly notes: string[];

  constructor(socket: string, wanted: string[], only: boolean, limit: number, notes: string[]) {
    super();
    this.inner = ssh2.createAgent(socket);
    this.wanted = wanted;
    this.only = only;
    this.limit = limit;
    this.notes = notes;
  }

  override getIdentities(callback: IdentityCallback<ParsedKey>): void {
    this.inner.getIdentities((error, keys) => {
      // An agent that does not answer is no reason to fail: files and passwords come after it.
      if (error || !keys) this.notes.push(`agent: ${error?.message ?? 'no answer'}`);
      callback(null, this.choose((keys ?? []) as ParsedKey[]));
    });
  }

  override sign(
    key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    this.inner.sign(key, data, options as SigningRequestOptions, callback);
  }

  private choose(keys: ParsedKey[]): ParsedKey[] {
    const rank = (key: ParsedKey) => {
      const at = this.wanted.indexOf(key.getPublicSSH().toString('base64'));
      return at < 0 ? Number.POSITIVE_INFINITY : at;
    };
    const usable = this.only ? keys.filter((key) => Number.isFinite(rank(key))) : keys;
    const sorted = [...usable].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    if (sorted.length > this.limit) this.notes.push(`agent: ${sorted.length} keys, only ${this.limit} offered`);
    const chosen = sorted.slice(0, this.limit);
    for (const key of chosen) this.offered.add(key.getPublicSSH().toString('base64'));
    return chosen;
  }
}
