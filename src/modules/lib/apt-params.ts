/** Parameters of apt after coercion. */
export interface AptParams {
  name?: string[] | undefined;
  state: 'absent' | 'build-dep' | 'fixed' | 'latest' | 'present';
  update_cache?: boolean | undefined;
  update_cache_retries: number;
  update_cache_retry_max_delay: number;
  cache_valid_time: number;
  purge: boolean;
  deb?: string | undefined;
  default_release?: string | undefined;
  install_recommends?: boolean | undefined;
  force: boolean;
  upgrade: 'dist' | 'full' | 'no' | 'safe' | 'yes';
  dpkg_options: string;
  autoremove: boolean;
  autoclean: boolean;
  clean: boolean;
  fail_on_autoremove: boolean;
  policy_rc_d?: number | undefined;
  only_upgrade: boolean;
  allow_unauthenticated: boolean;
  allow_downgrade: boolean;
  allow_change_held_packages: boolean;
  lock_timeout: number;
  tries: number;
  delay: number;
}

/** `name: []` and `name: ''` ask for nothing. `*` with `latest` stands for an upgrade. */
export function namesOf(params: AptParams): string[] {
  return (params.name ?? []).map((name) => name.trim()).filter((name) => name !== '' && name !== '*');
}

export function upgradesAll(params: AptParams): boolean {
  return (
    params.upgrade !== 'no' || (params.state === 'latest' && (params.name ?? []).some((name) => name.trim() === '*'))
  );
}
