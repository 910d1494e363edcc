/** What `kpush init` writes: as little as works, each line explained. */
export const inventoryStart = `# yaml-language-server: $schema=schemas/inventory.schema.json
# Which machines there are. Check it with: kpush inventory -i inventory.yaml --graph
all:
  vars:
    ansible_user: root            # who to log in as
    # ansible_become: true        # or log in as somebody else and become root
  children:
    web:
      hosts:
        web1:
          ansible_host: 192.0.2.11   # where to reach it; without it, its name
        web2:
          ansible_host: 192.0.2.12
`;

export const playbookStart = `# yaml-language-server: $schema=schemas/playbook.schema.json
# What should be true on them. See what would change:  kpush plan -i inventory.yaml site.yml
# then make it so:                                      kpush apply -i inventory.yaml site.yml
- name: A greeting on every host
  hosts: all
  serial: [1, '50%']              # one host first, then the rest by halves
  tasks:
    - name: Write the greeting
      copy:
        dest: /etc/motd
        content: "Welcome to {{ inventory_hostname }}\\n"
        mode: '0644'
  gates:                          # nothing after it starts before these pass
    - name: ssh answers
      tcp: {port: 22}
`;
