const kubectl = "write 'command: kubectl apply -f FILE', with 'unless: kubectl diff -f FILE'";
const openssl = "write 'command: openssl …' with 'creates:', or let the cluster's CA sign with 'kube_certificate:'";
const otherPackages = "kpush knows apt and dnf: write 'command:' with 'unless:' for other package managers";
const windows = 'kpush speaks to hosts with a POSIX shell only';
const vaults = "keep secrets in files of 'ansible-vault', or read them with 'lookup('pipe', …)' or 'vars_prompt:'";

/** What to write in place of parts of Ansible's language that kpush does not have, by kind and name. */
export const nearestWays: Readonly<Record<string, string>> = {
  'module ansible.posix.firewalld': firewall('firewall-cmd --query-port=6443/tcp', 'firewall-cmd --permanent …'),
  'module firewalld': firewall('firewall-cmd --query-port=6443/tcp', 'firewall-cmd --permanent …'),
  'module ufw': firewall("ufw status | grep -q '6443/tcp'", 'ufw allow 6443/tcp'),
  'module synchronize': "copy a tree with 'copy: {src: folder/, dest: …}', or an archive with 'unarchive:'",
  'module kubernetes.core.k8s': kubectl,
  'module kube': kubectl,
  'module k8s': kubectl,
  'module kubernetes.core.helm': "write 'command: helm upgrade --install NAME CHART', with 'unless: helm status NAME'",
  'module npm': "write 'command: npm install …' with 'creates:'",
  'module gem': "write 'command: gem install …' with 'unless: gem list -i NAME'",
  'module docker_container': "write a unit with 'systemd_unit:' that runs the container, or 'command: docker run …'",
  'module docker_image': "write 'command: docker pull IMAGE' with 'unless: docker image inspect IMAGE'",
  'module docker_login': "write 'command: docker login …' with 'no_log: true'",
  'module openssl_privatekey': openssl,
  'module openssl_csr': openssl,
  'module x509_certificate': openssl,
  'module expect': "give the answers with 'stdin:' of 'command:'",
  'module async_status': "give the task 'async:' and a 'poll:' above 0: kpush waits for it",
  'module lvol': "write 'command: lvcreate …' with 'unless: lvs VG/LV'",
  'module lvg': "write 'command: vgcreate …' with 'unless: vgs VG'",
  'module filesystem': "write 'command: mkfs.ext4 DEVICE' with 'unless: blkid DEVICE'",
  'module parted': "write 'command: parted -s …' with 'unless: test -b PARTITION'",
  'module zypper': otherPackages,
  'module pacman': otherPackages,
  'module apk': otherPackages,
  'module homebrew': otherPackages,
  'module include_vars_dir': "write 'include_vars: {dir: …}'",
  'module win_command': windows,
  'module win_shell': windows,
  'module win_copy': windows,
  'module win_file': windows,
  'module win_service': windows,
  'lookup url': "read it with 'uri: {url: …, return_content: true}', 'delegate_to: localhost' and 'register:'",
  'lookup config': 'write the value of the setting as a variable',
  'lookup filetree': "copy a tree with 'copy: {src: folder/, dest: …}', or loop over 'fileglob'",
  'lookup dig': "write 'command: getent hosts NAME' with 'delegate_to: localhost' and 'register:'",
  'lookup hashi_vault': vaults,
  'lookup aws_secret': vaults,
  'lookup kubernetes.core.k8s': "write 'command: kubectl get … -o json', and use 'from_json' on its stdout",
  'lookup redis': vaults,
  'filter xml': "write 'command: xmllint --xpath …' and use its stdout",
};

function firewall(question: string, command: string): string {
  return `write 'command: ${command}' with 'unless: ${question}'`;
}
