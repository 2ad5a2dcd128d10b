import { endWhenStopped, watchReader, watchSignals } from './app/shutdown.ts'

// Signals are watched before the rest is loaded, which takes its time.
watchSignals()
watchReader()
const { runCommand } = await import('./commands/matricula.ts')
endWhenStopped()
await runCommand()
