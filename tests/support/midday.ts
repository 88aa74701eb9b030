const hoursAhead = 12 - new Date().getUTCHours();

/** A time zone in which it is about midday now: of a company there no day ends while a file runs, whenever that is. */
export const middayZone = `Etc/GMT${hoursAhead > 0 ? "-" : "+"}${Math.abs(hoursAhead)}`;
