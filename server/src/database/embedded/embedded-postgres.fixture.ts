// A process that the tests can kill: uses the embedded database of a data folder until SIGTERM.
// Arguments: the data folder, and "service" or "command". Prints one line of JSON.
import { EmbeddedPostgresError, startEmbeddedPostgres } from './embedded-postgres.ts'

const [dataDir = '', purpose = ''] = process.argv.slice(2)
const messages: string[] = []
const log = { info: (text: string) => messages.push(text), warn: (text: string) => messages.push(`warning: ${text}`) }

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  const begun = performance.now()
  const database = await startEmbeddedPostgres({ dataDir, purpose: purpose === 'service' ? 'service' : 'command', log })
  const keepRunning = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', async () => {
    await database.stop()
    clearInterval(keepRunning)
  })
  print({ connection: database.connection, milliseconds: performance.now() - begun, messages })
} catch (error) {
  print({ error: (error as Error).message, expected: error instanceof EmbeddedPostgresError, messages })
  process.exitCode = 1
}
