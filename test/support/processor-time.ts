// What a piece of work costs this process: unlike the time on the wall, it is not longer where others use the machine as well.

/** Milliseconds of processor time that this process has used so far. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
