import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { ignoreSignals, watchSignals } from './stopping.ts'

// Signals are watched before the rest is loaded, which takes its time.
if (cluster.isWorker) ignoreSignals()
else watchSignals()
// What lives long is looked through once it has grown by three quarters: later, and garbage would be more than half of the memory.
setFlagsFromString('--heap-growing-percent=75')
const { main } = await import('./serve.ts')
await main()
