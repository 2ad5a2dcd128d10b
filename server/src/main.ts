import cluster from 'node:cluster'
import { ignoreSignals, watchSignals } from './stopping.ts'

// Signals are watched before the rest is loaded, which takes its time.
if (cluster.isWorker) ignoreSignals()
else watchSignals()
const { main } = await import('./serve.ts')
await main()
