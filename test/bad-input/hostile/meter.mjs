// Loaded before the program: at its end, writes what it has taken to the file that METER_FILE names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const figures = { cpuS: (userCPUTime + systemCPUTime) / 1e6, memoryMiB: maxRSS / 1024 };
  writeFileSync(process.env.METER_FILE, JSON.stringify(figures));
});
