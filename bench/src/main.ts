import { printAudit } from './audit.ts'
import { printBackup } from './backup.ts'
import { printBilling } from './billing.ts'
import { printBulk } from './bulk.ts'
import { printConsole } from './console/console.ts'
import { printFirstLoad } from './console/first-load.ts'
import { printNameSearch } from './console/name-search.ts'
import { printReportCards } from './console/report-cards.ts'
import { printRollCall } from './console/roll-call.ts'
import { printData } from './data.ts'
import { printDeliveries } from './deliveries.ts'
import { printDisclosures } from './disclosures.ts'
import { printFees } from './fees.ts'
import { printFloor } from './floor.ts'
import { printLargest } from './largest.ts'
import { printNeighbour } from './neighbour.ts'
import { printPasswords } from './passwords.ts'
import { printCluster } from './processes/cluster.ts'
import { printLasting } from './processes/lasting.ts'
import { printRolling } from './processes/rolling.ts'
import { printWorkers } from './processes/workers.ts'
import { printCpu, printRatios } from './ratios.ts'
import { printRecords } from './records.ts'
import { printScale } from './scale.ts'
import { type BenchService, startBenchService } from './services/bench-service.ts'
import { printStress } from './stress/print-stress.ts'
import { printSyncRaces } from './sweep.ts'

const benchmarks = {
  audit: printAudit,
  backup: printBackup,
  billing: printBilling,
  bulk: printBulk,
  console: printConsole,
  cpu: printCpu,
  data: printData,
  deliveries: printDeliveries,
  disclosures: printDisclosures,
  fees: printFees,
  'first-load': printFirstLoad,
  floor: printFloor,
  largest: printLargest,
  lasting: printLasting,
  'name-search': printNameSearch,
  neighbour: printNeighbour,
  passwords: printPasswords,
  ratios: printRatios,
  records: printRecords,
  'report-cards': printReportCards,
  'roll-call': printRollCall,
  rolling: printRolling,
  scale: printScale,
  sweep: printSyncRaces,
  stress: printStress,
  workers: printWorkers,
}

/** Those that start all that they need. */
const alone = { cluster: printCluster }

const wanted = process.argv[2] ?? 'ratios'
if (wanted in alone) {
  await alone[wanted as keyof typeof alone]()
  process.exit()
}
if (!(wanted in benchmarks)) {
  process.stderr.write(
    `usage: npm run bench -- ${[...Object.keys(alone), ...Object.keys(benchmarks)].sort().join(' | ')}\n`,
  )
  process.exit(2)
}
// Those that start further services leave them the connections.
const isOfSeveral = ['rolling', 'sweep', 'workers'].includes(wanted)
const service = await startBenchService(isOfSeveral ? { DATABASE_CONNECTIONS: '12' } : {})
try {
  const run: (service: BenchService) => Promise<void> = benchmarks[wanted as keyof typeof benchmarks]
  await run(service)
} finally {
  await service.stop()
}
