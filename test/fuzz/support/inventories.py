"""Reads inventories (JSON list of texts on standard input) as Ansible does; per text null where it refuses it."""
import json, os, resource, sys, tempfile

# A range of a billion hosts must not take the machine with it.
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

os.environ['ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED'] = '1'
os.environ['ANSIBLE_DEPRECATION_WARNINGS'] = '0'
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.utils.display import Display

Display.display = lambda *args, **kwargs: None
Display.warning = lambda *args, **kwargs: None


def read(text, folder):
    path = os.path.join(folder, 'h')
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)
    try:
        inventory = InventoryManager(loader=DataLoader(), sources=[path])
        groups = {name: sorted(host.name for host in group.get_hosts()) for name, group in inventory.groups.items()}
        return {'groups': groups, 'hosts': {host.name: variables(host) for host in inventory.get_hosts()}}
    except Exception:
        return None


def variables(host):
    return {name: value for name, value in host.vars.items() if name not in ('inventory_file', 'inventory_dir')}


with tempfile.TemporaryDirectory() as folder:
    print(json.dumps([read(text, folder) for text in json.load(sys.stdin)], default=repr))
