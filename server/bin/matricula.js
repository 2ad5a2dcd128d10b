#!/usr/bin/env node
import { existsSync } from 'node:fs'

const entry = new URL('../dist/cli.js', import.meta.url)
if (existsSync(entry)) {
  await import(entry)
} else {
  process.stderr.write('matricula: not built yet. Run npm run build in the project folder first.\n')
  process.exit(1)
}
