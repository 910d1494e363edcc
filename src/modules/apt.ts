import { defineModule } from './define.ts';
import type { AptParams } from './lib/apt-params.ts';
import { aptKeys, planApt } from './lib/apt-plan.ts';
import { completeApt } from './lib/apt-result.ts';

export const aptModule = defineModule({
  name: 'apt',
  doc: {
    summary: 'Installs, upgrades and removes Debian packages',
    notes: [
      'Asks dpkg what is there and runs apt-get only for what is missing: where nothing is, also `update_cache` loads nothing, and no mirror is needed.',
      'Waits for whoever holds the locks (`lock_timeout`), repairs an interrupted dpkg, loads the indexes anew before it tries again what could not be fetched, and is never cut off in the middle.',
      'After an installation files, units and users that were not there are unknown until it ran.',
    ],
    examples: [
      '- apt: {name: [socat, conntrack, "iptables>=1.4.21"], update_cache: true}',
      '- apt: {name: kubelet=1.20.2-00, state: present, allow_downgrade: true}',
      '',
    ].join('\n'),
    returns: {
      cache_updated: 'whether the indexes were loaded',
      cache_update_time: 'when they were, in seconds since the epoch',
      stdout: 'of apt-get',
      stderr: 'of apt-get',
    },
  },
  params: {
    name: {
      type: 'list',
      elements: 'str',
      operand: true,
      doc: 'Packages: NAME, NAME=VERSION (with patterns), NAME>=VERSION, NAME:ARCH, NAME/RELEASE, patterns of names',
      aliases: ['package', 'pkg'],
    },
    state: {
      type: 'str',
      doc: 'What they shall be',
      choices: ['absent', 'build-dep', 'fixed', 'latest', 'present'],
      default: 'present',
    },
    update_cache: { type: 'bool', doc: 'Load the indexes before installing', aliases: ['update-cache'] },
    update_cache_retries: { type: 'int', doc: 'How often that is tried', default: 5 },
    update_cache_retry_max_delay: { type: 'int', doc: 'Longest pause between, in seconds', default: 12 },
    cache_valid_time: { type: 'int', doc: 'Seconds for which loaded indexes are good enough', default: 0 },
    purge: { type: 'bool', doc: 'Remove config files too', default: false },
    deb: { type: 'path', doc: 'A package file on the host' },
    default_release: { type: 'str', operand: true, doc: 'Release to prefer', aliases: ['default-release'] },
    install_recommends: {
      type: 'bool',
      doc: 'Also what is recommended; default: as the host says',
      aliases: ['install-recommends'],
    },
    force: { type: 'bool', doc: 'Force yes, dangerous', default: false },
    upgrade: { type: 'str', doc: 'Upgrade everything', choices: ['dist', 'full', 'no', 'safe', 'yes'], default: 'no' },
    dpkg_options: { type: 'str', doc: 'Options for dpkg, parted by commas', default: 'force-confdef,force-confold' },
    autoremove: { type: 'bool', doc: 'Remove what nothing needs any more', default: false },
    autoclean: { type: 'bool', doc: 'Remove package files that cannot be had any more', default: false },
    clean: { type: 'bool', doc: 'Remove all package files', default: false },
    fail_on_autoremove: { type: 'bool', doc: 'Fail rather than remove anything', default: false },
    policy_rc_d: { type: 'int', doc: 'What policy-rc.d answers meanwhile; 101 starts nothing' },
    only_upgrade: { type: 'bool', doc: 'Only packages that are installed', default: false },
    force_apt_get: { type: 'bool', doc: 'Accepted; kpush knows no other', default: false },
    allow_unauthenticated: {
      type: 'bool',
      doc: 'Install what is not signed',
      default: false,
      aliases: ['allow-unauthenticated'],
    },
    allow_downgrade: {
      type: 'bool',
      doc: 'Install an older version over a newer one',
      default: false,
      aliases: ['allow-downgrade', 'allow_downgrades', 'allow-downgrades'],
    },
    allow_change_held_packages: { type: 'bool', doc: 'Change packages that are held', default: false },
    lock_timeout: { type: 'int', doc: 'Seconds to wait for the locks', default: 300 },
    tries: { type: 'int', doc: 'kpush: how often what could not be fetched is tried', default: 3 },
    delay: { type: 'int', doc: 'kpush: seconds between tries', default: 10 },
  },
  rules: {
    exclusive: [['deb', 'name', 'upgrade']],
    oneOf: [['autoremove', 'deb', 'name', 'update_cache', 'cache_valid_time', 'upgrade', 'clean', 'autoclean']],
  },
  facts: (params) => aptKeys(params as AptParams),
  plan: (params, world, ctx) => planApt(params as AptParams, world, ctx),
  complete: (_params, predicted, outcomes) => completeApt(predicted, outcomes),
});
