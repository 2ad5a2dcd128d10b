import { type BinaryLike, randomBytes, type ScryptOptions, scrypt, scryptSync } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { type Options as Argon2Options, hash, hashSync } from '@node-rs/argon2'
import { passwordCost } from '../../server/dist/identity/users/index.js'
import type { BenchService } from './services/bench-service.ts'

const password = 'correct horse battery staple'
const former = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
const scryptLater = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** What OWASP names as the least of each algorithm, what passwords were stored with before, and what they are now. */
const costs: readonly (readonly [string, () => unknown])[] = [
  ...[[17, 1] as const, [16, 2] as const, [15, 3] as const, [14, 5] as const].map(([logN, p]) => {
    const options = { N: 2 ** logN, r: 8, p, maxmem: 2 ** 28 }
    return [`scrypt N=2^${logN} r=8 p=${p}`, () => scryptSync(password, randomBytes(16), 32, options)] as const
  }),
  ...[
    { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    { memoryCost: 47_104, timeCost: 1, parallelism: 1 },
    passwordCost,
  ].map((options) => [getName(options), () => hashSync(password, options)] as const),
]

function getName({ memoryCost = 0, timeCost, parallelism }: Argon2Options): string {
  return `Argon2id m=${memoryCost / 1024} MiB t=${timeCost} p=${parallelism}`
}

/**
 * Prints what a password costs by algorithm, how reading files and looking up names fares beside several at once, and how
 * long a log-in takes while sixty clients try unknown users.
 */
export async function printPasswords(service: BenchService): Promise<void> {
  for (const [name, work] of costs) print(name, `${median(11, work).toFixed(0)} ms of one processor`)
  print('beside so many at once:', 'files and names, p50 / p99 in ms')
  await printBesides('nothing', 0, async () => {})
  for (const atOnce of [1, 2, 4]) await printBesides(getName(passwordCost), atOnce, () => hash(password, passwordCost))
  for (const atOnce of [2, 4]) {
    await printBesides('scrypt N=2^17 r=8 p=1', atOnce, () => scryptLater(password, randomBytes(16), 32, former))
  }
  await printLogIns(service)
}

/** The median of the processor's time, in milliseconds. */
function median(times: number, work: () => unknown): number {
  const taken = Array.from({ length: times }, () => {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  })
  return quantile(taken, 0.5)
}

async function printBesides(name: string, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  const seconds = 4
  const end = performance.now() + seconds * 1000
  let done = 0
  const busy = Array.from({ length: atOnce }, async () => {
    for (; performance.now() < end; done += 1) await work()
  })
  const [files, names] = [[] as number[], [] as number[]]
  while (performance.now() < end) {
    files.push(await timed(() => readFile(new URL(import.meta.url))))
    names.push(await timed(() => lookup('localhost')))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(busy)
  const spread = (times: number[]) => `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)}`
  const rate = `${(done / seconds).toFixed(0)} a second`
  print(
    atOnce === 0 ? `  ${name}` : `  ${atOnce} of ${name}`,
    `files ${spread(files)}, names ${spread(names)}, ${rate}`,
  )
}

interface Attack {
  readonly what: string
  readonly slug: string
  readonly addresses: number
}

async function printLogIns(service: BenchService): Promise<void> {
  const [own, other] = ['log-ins', 'attacked']
  for (const slug of [own, other]) await service.command('tenant', 'create', '--slug', slug, '--name', slug)
  const user = ['--tenant', own, '--email', 'ada@school.example', '--name', 'Ada Byron']
  const made = await service.command('user', 'create', ...user)
  const logIn = async (slug: string, address: string, usr: string, pwd: string) => {
    const response = await fetch(`${service.address}/t/${slug}/api/method/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ usr, pwd }),
    })
    await response.arrayBuffer()
    return response.status
  }
  const attacks: Attack[] = [
    { what: 'nothing', slug: own, addresses: 0 },
    { what: 'sixty clients of 8 addresses at another institution', slug: other, addresses: 8 },
    { what: 'sixty clients of 8 addresses at the same institution', slug: own, addresses: 8 },
    { what: 'sixty clients of 60 addresses at the same institution', slug: own, addresses: 60 },
  ]
  print('a log-in beside:', 'p50 / longest in ms')
  for (const [round, { what, slug, addresses }] of attacks.entries()) {
    let isOver = false
    const clients = Array.from({ length: addresses === 0 ? 0 : 60 }, async (_, client) => {
      const address = `198.51.${round}.${client % addresses}`
      for (let each = 0; !isOver; each += 1) await logIn(slug, address, `nobody-${client}-${each}@b.example`, 'a guess')
    })
    if (addresses > 0) await new Promise((resolve) => setTimeout(resolve, 1000))
    const times: number[] = []
    for (let each = 0; each < 9; each += 1) {
      times.push(
        await timed(async () => {
          const status = await logIn(own, '192.0.2.1', 'ada@school.example', made.password)
          if (status !== 200) throw new Error(`a right log-in was answered with ${status}`)
        }),
      )
    }
    isOver = true
    await Promise.all(clients)
    print(`  ${what}`, `${quantile(times, 0.5).toFixed(0)} / ${Math.max(...times).toFixed(0)}`)
  }
}

function print(what: string, outcome: string): void {
  process.stdout.write(`${what.padEnd(58)}${outcome}\n`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function quantile(times: readonly number[], share: number): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
}
