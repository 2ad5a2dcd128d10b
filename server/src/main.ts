import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { ignoreSignals, watchSignals } from './stopping.ts'

// Signals are watched before the rest is loaded, which takes its time.
if (cluster.isWorker) ignoreSignals()
else watchSignals()
// What lives long is looked through once it has grown by two fifths: by default it would be when it has grown to a multiple.
setFlagsFromString('--heap-growing-percent=40')
const { main } = await import('./serve.ts')
await main()
