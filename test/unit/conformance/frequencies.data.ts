/**
 * How often playbooks for Kubernetes nodes use what: counted over 23 public collections, 4,173 tasks. Modules: percent of
 * tasks, after redirects; those used less often than that are left out.
 */
export const moduleShares: Readonly<Record<string, number>> = {
  ...{ file: 10.7, shell: 9.5, command: 9.1, template: 8.7, set_fact: 8.1, import_tasks: 4.6, include_tasks: 4.6 },
  ...{
    copy: 4.3,
    service: 3.5,
    stat: 2.7,
    assert: 2.4,
    apt: 2.4,
    lineinfile: 2.3,
    debug: 2.1,
    fail: 1.9,
    systemd: 1.9,
  },
  ...{ kube: 1.5, get_url: 1.5, package: 1.5, dnf: 1.3, include_role: 0.7, raw: 0.7, meta: 0.6, sysctl: 0.6 },
  ...{ replace: 0.6, find: 0.6, systemd_service: 0.5, slurp: 0.5, ini_file: 0.5, include_vars: 0.5, unarchive: 0.5 },
  ...{ setup: 0.4, user: 0.4, modprobe: 0.4, uri: 0.3, apt_repository: 0.3, wait_for: 0.3, blockinfile: 0.3 },
  ...{ package_facts: 0.3, yum_repository: 0.3, mount: 0.3, reboot: 0.3, import_role: 0.3, rpm_key: 0.2, pause: 0.2 },
  ...{ service_facts: 0.2, pip: 0.2, iptables: 0.2, selinux: 0.2, yum: 0.2, fetch: 0.1, add_host: 0.1 },
  ...{ wait_for_connection: 0.1, git: 0.1, group: 0.1, apt_key: 0.1, hostname: 0.1, cron: 0.1, getent: 0.1 },
  ...{ timezone: 0.1 },
};

/** The 68 filters, the tests and the lookups that were found, the frequent ones first. */
export const usedFilters =
  `default bool length lower string int indent join to_json to_nice_yaml combine regex_replace map
  first ansible.utils.ipaddr list replace ipwrap ternary comment dict2items selectattr random trim select b64decode
  difference basename d from_json flatten dirname regex_search split unique to_yaml sort float reject from_yaml b64encode
  regex_escape intersect quote union urlsplit rejectattr type_debug json_query expanduser product regex_findall items2dict
  checksum mandatory zip format last`.split(/\s+/);

export const usedTests = `defined version version_compare succeeded success search skipped failed match string undefined
  changed mapping in false true iterable sameas regex`.split(/\s+/);

export const usedLookups = 'env template vars file varnames password first_found fileglob inventory_hostnames'.split(
  ' ',
);
