import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../../testing/runner/free-port.ts'
import type { FileStore } from '../file-store.ts'
import { openFileStore } from '../open-file-store.ts'
import { onlyUser } from '../storage-user.fixture.ts'

/** A throw-away S3 for tests: Ceph's gateway with one daemon of each kind, in memory, on loopback. */
export interface ObjectGateway {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

const programs = ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'setpriv']

/** Why the gateway cannot be started here, or null. Debian has it as radosgw, ceph-mon, ceph-osd and ceph-common. */
export function missingGateway(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  return missing.length === 0 ? null : `${missing.join(', ')} not installed (apt-get install radosgw ceph-mon ceph-osd)`
}

const run = promisify(execFile)

/** Starts it within about ten seconds. Its processes end with this one, however that ends. */
export async function startGateway(): Promise<ObjectGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-radosgw-'))
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()]
  const clusterId = randomUUID()
  const daemonId = randomUUID()
  const file = join(folder, 'ceph.conf')
  await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))))
  await writeFile(file, configuration(folder, clusterId, monitorPort, gatewayPort))
  const ceph = (program: string, ...rest: string[]) => run(program, ['-c', file, ...rest], { timeout: 90_000 })
  const daemons: { end(): Promise<void> }[] = []
  const daemon = (program: string, ...rest: string[]) => daemons.push(startDaemon(program, ['-c', file, ...rest]))
  /** Asks the monitor, which for a moment after its beginning may refuse what it is told. */
  const askMonitor = async (...args: string[]) => {
    for (let time = 1; ; time += 1) {
      try {
        return await ceph('ceph', ...args)
      } catch (error) {
        if (time === 20) throw error
        await pause(250)
      }
    }
  }
  const stop = async () => {
    await Promise.all(daemons.map(({ end }) => end()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const map = join(folder, 'monmap')
    const address = `[v1:127.0.0.1:${monitorPort}]`
    await run('monmaptool', ['--create', '--fsid', clusterId, '--addv', 'a', address, map])
    await ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    daemon('ceph-mon', '-i', 'a', '-f')
    await askMonitor('osd', 'new', daemonId)
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', daemonId)
    await askMonitor('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=h')
    daemon('ceph-osd', '-i', '0', '-f')
    const keys = { accessKeyId: 'test', secretAccessKey: randomUUID() }
    const user = ['--uid', 'test', '--display-name', 'test']
    await ceph(
      'radosgw-admin',
      'user',
      'create',
      ...user,
      '--access-key',
      keys.accessKeyId,
      '--secret-key',
      keys.secretAccessKey,
    )
    daemon('radosgw', '-n', 'client.rgw', '-f')
    const endpoint = `http://127.0.0.1:${gatewayPort}`
    await answers(endpoint)
    return { endpoint, ...keys, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes a bucket and opens it, under a prefix, as the service does. */
export async function openBucket(gateway: ObjectGateway): Promise<FileStore> {
  return openFileStore(
    {
      storageUrl: await makeBucket(gateway),
      dataDir: '/nowhere',
      secretKey: 'x',
      publicUrl: 'http://x',
      filesKey: null,
    },
    onlyUser,
  )
}

/** Makes a bucket; returns its STORAGE_URL. Its credentials stay in the environment. */
export async function makeBucket({ endpoint, accessKeyId, secretAccessKey }: ObjectGateway): Promise<string> {
  process.env.AWS_ACCESS_KEY_ID = accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey
  const client = new S3Client({ endpoint, forcePathStyle: true, region: 'default' })
  await client.send(new CreateBucketCommand({ Bucket: 'files' }))
  client.destroy()
  return `s3://files/school?endpoint=${endpoint}&region=default`
}

function configuration(folder: string, clusterId: string, monitorPort: number, gatewayPort: number): string {
  return `[global]
fsid = ${clusterId}
mon_host = [v1:127.0.0.1:${monitorPort}]
mon_initial_members = a
public_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
mon_data = ${folder}/mon
osd_data = ${folder}/osd
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_class_update_on_start = false
osd_crush_update_on_start = false
mon_allow_pool_size_one = true
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
run_dir = ${folder}
admin_socket =
pid_file =
log_file =
log_to_stderr = false
mon_cluster_log_file =
`
}

function startDaemon(program: string, rest: string[]): { end(): Promise<void> } {
  // Should this process be killed, the kernel ends the daemon with it.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...rest], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  return {
    end: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}

async function answers(endpoint: string): Promise<void> {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    if (
      await fetch(endpoint).then(
        () => true,
        () => false,
      )
    )
      return
    await pause(100)
  }
  throw new Error('radosgw did not answer within 90 s')
}
