// The quick checks, side by side where one does not need the other. Tells of what failed, and of little else.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const knip = `${root}tooling/node_modules/.bin/knip`
const begun = Date.now()

/** Runs a program, which npm finds by its name, and gives what it printed where it failed, else null. */
function failureOf(program, ...words) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = []
    child.stdout.on('data', (part) => printed.push(part))
    child.stderr.on('data', (part) => printed.push(part))
    child.once('close', (code) => resolve(code === 0 ? null : Buffer.concat(printed).toString()))
  })
}

const parts = [
  ['format and lint', () => failureOf('biome', 'check', '--colors=off', '.')],
  [
    'types, the console’s build and weight, pure tests',
    async () =>
      (await failureOf('node', 'server/bin/compile.js')) ??
      (await failureOf('npm', 'run', 'build', '-w', '@matricula/console', '--silent')) ??
      (await failureOf('node', 'server/bin/console-budget.js')) ??
      (await failureOf('node', 'server/dist/testing/runner/run-tests.js', '--pure')),
  ],
  ...(existsSync(knip) ? [['nothing unused', () => failureOf(knip, '--no-progress', '--no-config-hints')]] : []),
]

if (!existsSync(knip)) process.stdout.write('check: whether something is unused is skipped without npm run tooling\n')

const failed = await Promise.all(
  parts.map(async ([name, run]) => {
    const printed = await run()
    if (printed !== null) process.stdout.write(`✖ ${name}\n${printed}\n`)
    return printed === null ? [] : [name]
  }),
)
const names = failed.flat()
const seconds = ((Date.now() - begun) / 1000).toFixed(1)
process.stdout.write(
  names.length === 0 ? `check: all is well, ${seconds} s\n` : `check: failed in ${names.join(', ')}\n`,
)
process.exitCode = names.length === 0 ? 0 : 1
