import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seedVariable } from './property-seed.ts'
import { testFiles } from './test-files.ts'

const usage = 'npm run properties -- [--minutes 10] [--seed n] [part of a file name …]'

/**
 * Tries the properties of the tests with values that nobody tried before, again and again. What fails is printed with its
 * seed, path and counterexample: put that into the `examples` of its property. With a seed it tries that one, once.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
    allowPositionals: true,
  })
  const minutes = Number(values.minutes)
  const files = await filesWithProperties(positionals)
  if (files.length === 0 || !(minutes > 0)) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  const end = Date.now() + minutes * 60_000
  let failures = 0
  for (let round = 1; round === 1 || Date.now() < end; round += 1) {
    const seed = values.seed ?? String(randomInt(2 ** 31))
    const begun = Date.now()
    const { code, printed } = await runTests(files, seed)
    if (code !== 0) {
      failures += 1
      process.stdout.write(`${printed}\n`)
    }
    const seconds = Math.round((Date.now() - begun) / 1000)
    const outcome = code === 0 ? 'nothing failed' : 'FAILED: the output above has the counterexample'
    process.stdout.write(`round ${round}, --seed ${seed}, ${files.length} files, ${seconds} s: ${outcome}\n`)
    if (values.seed !== undefined) break
  }
  return failures === 0 ? 0 : 1
}

/** The compiled tests that have properties, of those whose names hold one of the parts. */
async function filesWithProperties(parts: readonly string[]): Promise<string[]> {
  const chosen = (await testFiles()).filter(
    ({ source, compiled }) =>
      (parts.length === 0 || parts.some((part) => compiled.includes(part))) &&
      readFileSync(source, 'utf8').includes('fc.assert'),
  )
  return chosen.map(({ compiled }) => compiled)
}

function runTests(files: readonly string[], seed: string): Promise<{ code: number; printed: string }> {
  const program = fileURLToPath(new URL('run-tests.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [seedVariable]: seed },
  })
  const printed: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? 1, printed: Buffer.concat(printed).toString() }))
  })
}

process.exitCode = await main()
