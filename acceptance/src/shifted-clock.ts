import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Loaded into a service by `--import`: its clock is as many milliseconds off as a file in its data folder says.

const file = join(process.env.DATA_DIR ?? '.', 'clock-shift')
const now = Date.now.bind(Date)
let shift = 0

setInterval(() => {
  try {
    shift = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    shift = 0
  }
}, 100).unref()

Date.now = () => now() + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now() + shift] : args, newTarget),
})
