// Compiles what has changed since it was compiled last. Where TypeScript is not installed, what is there is taken as it is.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** TypeScript's own `tsc` is a program around the compiler, and leaves it running when it is ended itself. */
async function findCompiler() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
    return (await import(pathToFileURL(join(folder, 'lib/getExePath.js')).href)).default()
  } catch {
    return null
  }
}

const compiler = await findCompiler()
if (compiler !== null) {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const child = spawn(compiler, ['-b'], { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'))
  child.once('exit', (code) => process.exit(code ?? 143))
}
