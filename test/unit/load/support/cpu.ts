/** Milliseconds of processor time that `run` takes: other processes on the machine do not count. */
export function cpuMs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
