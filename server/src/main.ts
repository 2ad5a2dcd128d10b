import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { ignoreSignals, watchSignals } from './app/shutdown.ts'

// Signals are watched before the rest is loaded, which takes its time.
if (cluster.isWorker) ignoreSignals()
else watchSignals()
// What lives long is looked through once it has grown by two fifths: by default it would be when it has grown to a multiple.
setFlagsFromString('--heap-growing-percent=40')
// What is young is looked through by the thread that made it: helpers wait for processors that the database has.
setFlagsFromString('--no-parallel-scavenge')
const { main } = await import('./app/serve.ts')
await main()
