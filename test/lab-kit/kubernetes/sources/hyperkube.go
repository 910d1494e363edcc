// One binary that is kubelet, kubectl or kube-proxy by the name it is called with, as hyperkube was up to 1.16.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/logs"
	kubectl "k8s.io/kubectl/pkg/cmd"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
	"kubelet":    kubelet.NewKubeletCommand,
	"kubectl":    kubectl.NewDefaultKubectlCommand,
	"kube-proxy": proxy.NewProxyCommand,
	"proxy":      proxy.NewProxyCommand,
}

func main() {
	name := filepath.Base(os.Args[0])
	if _, known := commands[name]; !known && len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "hyperkube: unknown command %q\n", name)
		os.Exit(1)
	}
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
