import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loadMark, makeSchool } from './deeds.ts'
import { tell } from './kills.ts'
import { type Answer, NoResponse, type Place, send, v1 } from './place.ts'
import { ServiceUnderProof } from './service.ts'
import { Writers } from './writers.ts'

const run = promisify(execFile)

/** Something that happens to a service that is written to. */
interface Outage {
  /** Prepares it, and says what the service is started with; or why it cannot be tried here. */
  prepare(): Promise<{ settings: Record<string, string>; folder?: string } | string>
  /** Lets it happen and be over; returns what was seen, and whether that is what was promised. */
  happen(service: ServiceUnderProof): Promise<{ told: string; isRight: boolean }>
  putDown?(): Promise<void>
}

const diskMebibytes = 1_200
let disk = ''

/** Sends a write now and then until it is over, and tells how each went. */
async function probe(
  location: Place,
  until: () => boolean,
): Promise<{ statuses: Map<number, number>; slowest: number }> {
  const statuses = new Map<number, number>()
  let slowest = 0
  for (let number = 0; !until(); number += 1) {
    const begun = performance.now()
    const put = { method: 'PUT', body: { fullName: `Probe ${number}` } }
    const response: Answer | null = await v1(location, '/students/external/probe', put).catch((error) => {
      if (error instanceof NoResponse) return null
      throw error
    })
    slowest = Math.max(slowest, performance.now() - begun)
    const status = response?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 503 && response?.headers.get('retry-after') === null) statuses.set(-1, 1)
    await pause(20)
  }
  return { statuses, slowest }
}

function isOnly(statuses: ReadonlyMap<number, number>, ...allowed: number[]): boolean {
  return [...statuses.keys()].every((status) => allowed.includes(status))
}

const listed = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status === -1 ? '503 without Retry-After' : status}`).join(', ')

/** The process of the database and all that it has started. */
async function databaseProcesses(postmaster: number): Promise<number[]> {
  const pids = [postmaster]
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster) pids.push(Number(entry))
  }
  return pids
}

/** The outages that are tried, by what they are called on the command line. */
export const outages: Readonly<Record<string, Outage>> = {
  'stopped-database': {
    prepare: async () =>
      process.platform === 'linux' ? { settings: {} } : 'the processes of the database are found on Linux only',
    happen: async (service) => {
      const postmaster = await service.postmaster()
      // The main process first, so that it begins no others.
      process.kill(postmaster, 'SIGSTOP')
      const pids = await databaseProcesses(postmaster)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      let isOver = false
      const probing = probe(service.place, () => isOver)
      await pause(15_000)
      const ready = (await send(`${service.place.address}/readyz`)).status
      isOver = true
      const { statuses, slowest } = await probing
      for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT')
      const recovery = await service.recover()
      return {
        told: `15 s of a database that hangs: ${listed(statuses)}, slowest ${(slowest / 1000).toFixed(1)} s, /readyz ${ready}; ready again after ${(recovery / 1000).toFixed(1)} s`,
        isRight: isOnly(statuses, 503) && slowest < 6_000 && ready === 503,
      }
    },
  },

  'full-disk': {
    prepare: async () => {
      disk = await mkdtemp(join(tmpdir(), 'matricula-acceptance-disk-'))
      try {
        await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m,mode=755`, 'tmpfs', disk])
        return { settings: {}, folder: disk }
      } catch {
        await rm(disk, { recursive: true })
        return 'mounting a small disk takes root on Linux'
      }
    },
    happen: async (service) => {
      const ballast = join(disk, 'ballast')
      const { bavail, bsize } = await statfs(disk)
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
      let isOver = false
      const probing = probe(service.place, () => isOver)
      await pause(8_000)
      const read = (await v1(service.place, '/students?limit=1')).status
      isOver = true
      const { statuses } = await probing
      await rm(ballast)
      await service.recover()
      return {
        told: `8 s of a full disk: writes ${listed(statuses)}, a read ${read}`,
        isRight: isOnly(statuses, 200, 201, 503) && statuses.has(503) && read === 200,
      }
    },
    putDown: async () => {
      await run('umount', ['--lazy', disk])
      await rm(disk, { recursive: true, force: true })
    },
  },

  'clock-jumps': {
    prepare: async () => ({
      settings: { NODE_OPTIONS: `--import=${new URL('shifted-clock.js', import.meta.url).href}` },
    }),
    happen: async (service) => {
      const shift = join(service.folder, 'clock-shift')
      const seen: number[] = []
      for (const seconds of [3_600, -3_600, 86_400, 0]) {
        await writeFile(shift, String(seconds * 1000))
        await pause(2_000)
        seen.push((await v1(service.place, '/students?limit=1')).status)
      }
      await rm(shift)
      return {
        told: `the clock of the service an hour ahead, an hour behind, a day ahead: reads ${seen.join(' ')}`,
        isRight: seen.every((status) => status === 200),
      }
    },
  },

  'slow-clients': {
    prepare: async () => ({ settings: {} }),
    happen: async (service) => {
      const { hostname, port } = new URL(service.place.address)
      const sockets = Array.from({ length: 300 }, (_, index) => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        const head = `host: ${hostname}\r\nauthorization: Bearer ${service.place.token}\r\n`
        // Thirds: a head without an end, a body that trickles, and an answer that nobody takes.
        if (index % 3 !== 2) socket.resume() // what has been ended is seen by who reads
        if (index % 3 === 0) socket.write('GET /v1/students HTTP/1.1\r\n')
        if (index % 3 === 1)
          socket.write(
            `POST /v1/students HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
          )
        if (index % 3 === 2) socket.pause().write(`GET /v1/students?limit=100 HTTP/1.1\r\n${head}\r\n`)
        return socket
      })
      const trickle = setInterval(() => {
        for (const [index, socket] of sockets.entries()) if (index % 3 === 1 && socket.writable) socket.write(' ')
      }, 500)
      let isOver = false
      const probing = probe(service.place, () => isOver)
      await pause(95_000)
      isOver = true
      const { statuses, slowest } = await probing
      clearInterval(trickle)
      const open = sockets.filter(
        (socket, index) => index % 3 !== 2 && !socket.destroyed && !socket.readableEnded,
      ).length
      for (const socket of sockets) socket.destroy()
      return {
        told: `300 slow clients for 95 s: others ${listed(statuses)}, slowest ${slowest.toFixed(0)} ms; ${open} of those that send slowly are left`,
        isRight: isOnly(statuses, 200, 201) && slowest < 5_000 && open === 0,
      }
    },
  },
}

/** Tries an outage under clients that write, and compares what they were told with what is there. Prints the outcome. */
export async function proveOutage(name: string): Promise<boolean> {
  const outage = outages[name] as Outage
  const prepared = await outage.prepare()
  if (typeof prepared === 'string') {
    process.stdout.write(`${name}: skipped, ${prepared}\n`)
    return true
  }
  const service = await ServiceUnderProof.start(prepared.settings, prepared.folder)
  try {
    const school = await makeSchool(service.place)
    const mark = await loadMark(service.place, `o${Date.now().toString(36)}-`)
    const writers = new Writers(service.place, school, mark, { clientsOfEach: 1 })
    await pause(1_000)
    const { told: reported, isRight } = await outage.happen(service)
    await pause(1_000)
    const balance = await writers.stop()
    tell(balance)
    const { acknowledged, lost, doubled } = balance
    process.stdout.write(
      `${name}: ${reported}; ${acknowledged} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled${isRight ? '' : ' – NOT AS PROMISED'}\n`,
    )
    return isRight && lost.length + doubled.length === 0
  } finally {
    await service.stop()
    await outage.putDown?.()
  }
}
