import { setFlagsFromString } from 'node:v8'
import { endWhenStopped, watchReader, watchSignals } from './app/shutdown.ts'

// By itself V8 lets garbage grow to three times what is alive: a long import would take a third more memory.
setFlagsFromString('--heap-growing-percent=100')
// Signals are watched before the rest is loaded, which takes its time.
watchSignals()
watchReader()
const { runCommand } = await import('./commands/matricula.ts')
endWhenStopped()
await runCommand()
