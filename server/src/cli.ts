import { endWhenStopped, watchSignals } from './stopping.ts'

// Signals are watched before the rest is loaded, which takes its time.
watchSignals()
const { runCommand } = await import('./commands/matricula.ts')
endWhenStopped()
await runCommand()
