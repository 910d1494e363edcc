/** What a cluster says it wants of a component, by name; undefined and null: nothing. */
export type Settings = Readonly<Record<string, Setting | undefined>>;
export type Setting = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>;

/**
 * One flag or one field of a configuration file, through the releases. A change of its name or place is two rows.
 * The value is a constant (`is`) or a setting (`from`, dotted for a part of one); a row without a value is left out.
 */
export interface Row {
  /** Without dashes, or a dotted path in the configuration file. */
  name: string;
  in: 'flag' | 'file';
  from?: string;
  is?: Setting;
  /** A field of the file that must be a number, though a template may have made a text of it. */
  as?: 'number';
  /** Written once per item instead of joined by commas. */
  repeated?: boolean;
  /** Only where these settings have these values. */
  when?: Readonly<Record<string, Setting>>;
  /** First minor release that takes it, first that does not. */
  since?: string;
  until?: string;
  /** Which upstream release brought, changed or removed it; `-` where it has been there since 1.10. */
  source: string;
}

/** A flag that is gone, so that a user who asks for it is told why. */
export interface Ended {
  flag: string;
  /** First minor release without it. */
  at: string;
  instead: string;
}

export interface Component {
  rows: readonly Row[];
  /** Ended flags that no row mentions. */
  ended: readonly Ended[];
  /** API version and kind of the configuration file. */
  file?: { apiVersion: string; kind: string };
}
