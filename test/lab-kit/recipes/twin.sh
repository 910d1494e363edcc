# Run inside a base: adds what ansible-playbook needs on a managed host.
apt-get -qq update
apt-get -qq install --no-install-recommends python3 python3-apt
python3 -c 'import apt'
