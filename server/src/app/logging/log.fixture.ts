import { createLog } from './log.ts'

// Writes so many lines, and then ends as the second word says.
const [count, end] = process.argv.slice(2)
const log = await createLog({ logLevel: 'info', logFormat: 'json' })
const alive = setInterval(() => {}, 1000)
process.on('SIGTERM', () => process.exit(0))
for (let number = 1; number <= Number(count); number += 1) log.info({ number }, 'request')
if (end === 'warning') {
  log.warn('something is wrong')
  process.kill(process.pid, 'SIGKILL')
} else if (end === 'SIGTERM') process.kill(process.pid, 'SIGTERM')
else if (end === 'uncaught error') setImmediate(() => Promise.reject(new Error('unexpected')))
else if (end === 'nothing more') clearInterval(alive)
