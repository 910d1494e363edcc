/** What the language must have: modules with parameters (aliases after a bar count as one), as measured in public playbooks. */
export const mustModules: Readonly<Record<string, string>> = {
  file: 'path|dest|name state src mode owner group recurse force follow access_time modification_time',
  copy: 'src dest content mode owner group backup force remote_src validate directory_mode follow',
  template: 'src dest mode owner group backup force validate trim_blocks lstrip_blocks newline_sequence',
  command: 'cmd argv chdir creates removes stdin',
  shell: 'cmd executable',
  raw: 'executable',
  debug: 'msg var verbosity',
  assert: 'that msg|fail_msg success_msg quiet',
  fail: 'msg',
  include_tasks: 'file apply',
  include_role: 'name tasks_from vars_from defaults_from handlers_from apply public',
  import_role: 'name tasks_from vars_from defaults_from handlers_from',
  include_vars: 'file name dir',
  setup: 'filter gather_subset',
  stat: 'path follow get_checksum checksum_algorithm|checksum get_mime|mime get_attributes|attributes',
  systemd: 'name state enabled masked daemon_reload daemon_reexec scope no_block',
  service: 'name state enabled',
  apt: 'name|pkg state update_cache install_recommends purge autoremove autoclean default_release dpkg_options force_apt_get allow_downgrade lock_timeout only_upgrade',
  package: 'name state',
  lineinfile:
    'path|dest|name line regexp|search_string state insertafter insertbefore create backrefs firstmatch backup validate mode owner group',
  blockinfile: 'path|dest block|content marker marker_begin marker_end insertafter insertbefore state create backup',
  replace: 'path|dest|name regexp replace after before backup validate',
  get_url: 'url dest checksum mode owner group force timeout headers url_username url_password validate_certs',
  unarchive: 'src dest remote_src creates extra_opts exclude include mode owner group list_files',
  slurp: 'src|path',
  fetch: 'src dest flat fail_on_missing',
  find: 'paths|path patterns file_type recurse depth hidden contains use_regex excludes age size',
  user: 'name uid group groups append shell home create_home system comment password state remove force update_password password_lock',
  group: 'name gid state system',
  wait_for: 'host port path state timeout delay sleep search_regex',
  sysctl: 'name value state reload sysctl_file ignoreerrors',
  mount: 'path|name src fstype opts state',
};

export const mustKeywords =
  'name when register tags loop with_items with_list with_dict with_fileglob with_first_found loop_control changed_when failed_when notify listen retries delay until run_once delegate_to ignore_errors ignore_unreachable become become_user vars args environment check_mode diff no_log connection any_errors_fatal throttle timeout block rescue always'.split(
    ' ',
  );
