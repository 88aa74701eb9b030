// Preloaded into a service of a process of its own: it lives so many milliseconds ahead of its machine, and each SIGUSR2
// brings it further. Due times and leases go by the database's clock, which stays.
import { aheadVariable, grainVariable, stepMs } from "./deployment-clock.ts";

const now = Date.now.bind(Date);
let aheadMs = Number(process.env[aheadVariable] ?? 0);
const grainMs = Number(process.env[grainVariable] ?? 1);
Date.now = () => Math.floor((now() + aheadMs) / grainMs) * grainMs;
process.on("SIGUSR2", () => {
  aheadMs += stepMs;
});
