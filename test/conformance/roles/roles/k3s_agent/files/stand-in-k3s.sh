#!/bin/sh
# A stand-in for k3s: it writes what the roles wait for, and nothing else.
case $1 in
  server)
    d=/var/lib/rancher/k3s/server
    mkdir -p "$d"
    [ -s "$d/node-token" ] || { umask 077; echo "K10stand-in::server:${K3S_TOKEN:-generated}" >"$d/node-token"; }
    mkdir -p /etc/rancher/k3s
    printf 'server: https://127.0.0.1:6443\n' >/etc/rancher/k3s/k3s.yaml
    chmod 600 /etc/rancher/k3s/k3s.yaml
    exec sleep infinity ;;
  agent)
    mkdir -p /var/lib/rancher/k3s/agent
    printf '%s %s\n' "$K3S_URL" "$K3S_TOKEN" >/var/lib/rancher/k3s/agent/joined
    exec sleep infinity ;;
  --version) echo 'k3s version v1.30.1+stand-in' ;;
esac
