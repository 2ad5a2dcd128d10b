import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Caller } from '../../server/dist/testing/fixtures/client.js'
import { announced } from '../../server/dist/testing/fixtures/factories.js'
import type { BenchService } from './services/bench-service.ts'
import { type Load, putLoad } from './services/load.ts'

const program = fileURLToPath(new URL('../../server/bin/matricula.js', import.meta.url))
const documents = 1000
const documentBytes = 50_000

/**
 * Prints how large a backup is beside what pg_dump's custom format needs, how fast the service answers meanwhile, and how long backup,
 * verification and restore take in how much memory. `npm run bench -- backup 1000000`; `BENCH_DATABASE_URL` names an empty database of a
 * server that the installed pg_dump can read, for the comparison.
 */
export async function printBackup(bench: BenchService): Promise<void> {
  const payments = Number(process.argv[3] ?? 200_000)
  const { token } = await bench.fill('backup', Math.ceil(payments / 20), payments)
  await addDocuments(new Caller(bench.address, token))
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-backup-'))
  await chmod(folder, 0o755)
  try {
    const file = join(folder, 'everything.backup')
    const load: Load = { method: 'GET', path: '/v1/payments?limit=20', headers: { authorization: `Bearer ${token}` } }
    await putLoad(bench.address, load, 3, 16)
    const alone = await putLoad(bench.address, load, 6, 16)
    const backup = watch(['backup', file, '--with-secret-key'], { DATA_DIR: bench.dataDir })
    let seconds = 0
    let answers = 0
    while (backup.isRunning()) {
      answers += (await putLoad(bench.address, load, 1, 16)).answers
      seconds += 1
    }
    const { report, ...cost } = await backup.end
    const { rows, files, fileBytes } = report.backup
    print(`${payments} payments, ${rows} rows, ${files} files of ${mebibytes(fileBytes)}`)
    print(
      `backup ${describe(cost)}: ${mebibytes(report.backup.bytes)}, of which rows ${mebibytes(report.backup.bytes - fileBytes)}`,
    )
    const meanwhile = answers / seconds
    const ratio = (meanwhile / alone.perSecond).toFixed(2)
    print(
      `answers a second ${alone.perSecond.toFixed(0)} alone, ${meanwhile.toFixed(0)} meanwhile: ${ratio} (wanted 0.5)`,
    )
    print(`verify ${describe(await watch(['backup', 'verify', file], {}).end)}`)
    print(
      `restore, compared row by row and file by file, ${describe(await watch(['restore', file], { DATA_DIR: join(folder, 'data') }).end)}`,
    )
    await compare(file, folder, report.backup.bytes - fileBytes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compare(file: string, folder: string, bytes: number): Promise<void> {
  const address = process.env.BENCH_DATABASE_URL
  if (address === undefined) return print('pg_dump not compared: BENCH_DATABASE_URL names no database')
  const dump = join(folder, 'everything.dump')
  const key = (await readFile(join(folder, 'data/secret-key'), 'utf8')).trim()
  const location = { DATABASE_URL: address, SECRET_KEY: key, DATA_DIR: join(folder, 'other') }
  print(`restore there ${describe(await watch(['restore', file], location).end)}`)
  const begun = performance.now()
  await promisify(execFile)('pg_dump', ['-Fc', '-f', dump, address])
  const { size } = await stat(dump)
  const took = ((performance.now() - begun) / 1000).toFixed(1)
  print(`pg_dump -Fc ${took} s: ${mebibytes(size)}; backup ÷ pg_dump ${(bytes / size).toFixed(2)} (wanted 1.3 at most)`)
}

interface Cost {
  readonly seconds: number
  /** The most resident memory of the process, in MiB. */
  readonly most: number
}

/** Runs a command by itself and watches its memory. */
function watch(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const begun = performance.now()
  const env = { ...process.env, ...environment }
  const child: ChildProcess = spawn(process.execPath, [program, ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let max = 0
  child.stdout?.on('data', (piece: Buffer) => (said += piece))
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    max = Math.max(max, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 100)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const end = new Promise<Cost & { report: any }>((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(timer)
      if (code !== 0) return reject(new Error(`${args[0]} ended with ${code}: ${said}`))
      resolve({ seconds: (performance.now() - begun) / 1000, most: max, report: JSON.parse(said) })
    })
  })
  return { end, isRunning: () => child.exitCode === null && child.signalCode === null }
}

/** Documents with files that nothing makes smaller, as scans are. */
async function addDocuments(api: Caller): Promise<void> {
  let made = 0
  const make = async () => {
    while (made < documents) {
      made += 1
      const bytes = aScan(made)
      const intent = await api.post('/vault/documents/upload-intents', {
        documentTypeKey: 'birth_certificate',
        ...announced(bytes),
      })
      if (intent.status !== 201) throw new Error(intent.text)
      const { document, version, upload } = intent.body.data
      const sent = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes })
      if (!sent.ok) throw new Error(await sent.text())
      const path = `/vault/documents/${document.id}/versions/${version.id}/complete`
      const completed = await api.send('POST', path, undefined)
      if (completed.status !== 200) throw new Error(completed.text)
    }
  }
  await Promise.all([make(), make(), make(), make()])
}

function aScan(number: number): Buffer {
  const noise = Buffer.alloc(documentBytes)
  let state = number
  for (let at = 0; at < noise.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    noise.writeUInt32LE(state, at)
  }
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), noise, Buffer.from('\n%%EOF\n')])
}

const describe = ({ seconds, most: max }: Cost) => `${seconds.toFixed(1)} s, at most ${max.toFixed(0)} MiB resident`
const mebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`
const print = (line: string): void => void process.stdout.write(`${line}\n`)
