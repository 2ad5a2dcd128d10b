import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Block } from './documents.ts'
import { until } from './service-process.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const matricula = join(root, 'server/bin/matricula.js')

/** `npx matricula` without the second that npx takes, and npm from the project's root. */
const asForReader = `
npx() { if [ "$1" = matricula ]; then shift; "${process.execPath}" "${matricula}" "$@"; else command npx "$@"; fi; }
npm() { (cd "${root}" && command npm "$@"); }
`

/** A shell into which the blocks of a document are pasted, one after the other, as a reader does. */
export interface DocumentSession {
  /** Runs a block as it stands and answers what it printed; fails where it fails. */
  run(block: Block): Promise<string>
  end(): Promise<void>
}

export interface SessionSettings {
  /** Where the service is, which documents take to be at port 8080 of this machine. */
  readonly address: string
  /** Its `PORT` is where programs of the reader listen, which documents take to be 9090. */
  readonly environment: NodeJS.ProcessEnv
  /** Does something that a program which waits for changes can see. */
  readonly makeChange: () => Promise<void>
}

/**
 * Opens a shell in a new folder that looks like the project's own, so that what documents write is written there. In it curl fails
 * where it is refused; all else is as it is for a reader.
 */
export async function openSession(folder: string, settings: SessionSettings): Promise<DocumentSession> {
  const { address, environment, makeChange } = settings
  await mkdir(folder, { recursive: true })
  for (const name of ['docs', 'examples']) await symlink(join(root, name), join(folder, name))
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\n')
  const env = { ...environment, CURL_HOME: folder, LEDGER_FOLDER: join(folder, 'ledger') }
  const shell = spawn('sh', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  shell.stdout.on('data', (part) => (said += part))
  shell.stderr.on('data', (part) => (said += part))
  let hasEnded = false
  const closed = once(shell, 'close').then(() => {
    hasEnded = true
  })
  shell.stdin.on('error', () => {}) // it has ended, which is told by what waits for it
  shell.stdin.write(asForReader)
  let number = 0

  const paste = async (text: string, mayFail = false): Promise<string> => {
    number += 1
    const begin = said.length
    const mark = `--- block ${number} is over`
    shell.stdin.write(`${mayFail ? 'set +e' : 'set -e'}\n${text}\nset +e\nprintf '\\n%s\\n' '${mark}'\n`)
    await until(
      () => hasEnded || said.includes(mark, begin),
      () => `the end of\n${text}\n${said.slice(begin)}`,
    )
    const [output = ''] = said.slice(begin).split(`\n${mark}`)
    assert.ok(said.includes(mark, begin), `this failed:\n${text}\n${output}`)
    return output
  }

  /** What is pasted to run a block: itself, or the call of the program that it is. */
  const commandOf = async ({ language, text }: Block): Promise<string> => {
    const asWritten = text
      .replaceAll('127.0.0.1:8080', address.replace('http://', ''))
      .replaceAll('127.0.0.1:9090', `127.0.0.1:${environment.PORT}`)
    if (language === 'sh') return asWritten
    const [name, command] = {
      js: ['program.mjs', `"${process.execPath}" program.mjs`],
      ts: ['program.mjs', `"${process.execPath}" program.mjs`],
      python: ['program.py', 'python3 program.py'],
      yaml: ['settings.yaml', 'npx matricula apply settings.yaml --tenant empty'],
    }[language] as [string, string]
    await writeFile(join(folder, name), asWritten)
    return command
  }

  /** Runs in a shell of its own, with what was exported so far, what would go on for ever. */
  const runUntil = async (command: string, isDone: (output: string) => Promise<boolean>, what: string) => {
    await paste('export -p > exported.sh')
    const script = `${asForReader}. ./exported.sh\n${command}`
    const running = spawn('sh', ['-ec', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const over = once(running, 'close')
    let output = ''
    running.stdout.on('data', (part) => (output += part))
    running.stderr.on('data', (part) => (output += part))
    try {
      await until(
        async () => {
          if (await isDone(output)) return true
          assert.equal(running.exitCode, null, `it ended by itself:\n${command}\n${output}`)
          await makeChange()
          return false
        },
        () => `${what} of\n${command}\n${output}`,
      )
    } finally {
      if (running.exitCode === null && running.signalCode === null) process.kill(-(running.pid as number), 'SIGKILL')
      await over
    }
    return output
  }

  const run = async (block: Block): Promise<string> => {
    const { marking } = block
    const command = await commandOf(block)
    switch (marking.kind) {
      case 'until it prints':
        return runUntil(command, async (output) => output.includes(marking.words), `"${marking.words}"`)
      case 'until there is':
        return runUntil(command, () => isThere(join(folder, marking.file)), marking.file)
      case 'is refused': {
        const output = await paste(command, true)
        assert.ok(output.includes(marking.code), `${marking.code} is not in\n${output}`)
        return output
      }
      default:
        return paste(command)
    }
  }

  return {
    run,
    end: async () => {
      shell.stdin.end()
      await closed
    },
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
