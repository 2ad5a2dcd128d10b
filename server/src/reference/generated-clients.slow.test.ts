import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { findTooling, skipWithout } from '../testing/fixtures/tooling.ts'

const tooling = findTooling()
const skip = skipWithout(tooling)
const service = skip === false ? await startTestService() : null
const run = promisify(execFile)

/** A program in the types of each client: what it asks must compile, and what would be wrong must not. */
const program = `
import { BillingService, FaultLocation, OpenAPI, PaymentsService, StudentsService, type Webhook } from './codegen/index'
import { client } from './heyapi/client.gen'
import { batchStudents, listStudents } from './heyapi/sdk.gen'
import type { components } from './types'

export const nothing: Webhook['disabledReason'] = null
export const none: components['schemas']['Webhook']['disabledReason'] = null
export const where: FaultLocation = FaultLocation.BODY
export const item: components['schemas']['BatchStudentsItem'] = { externalId: 'S-1', fullName: 'Ada Byron' }
// @ts-expect-error A batch has the fields of its upsert.
export const wrong: components['schemas']['BatchStudentsItem'] = { externalId: 'S-1', fullNme: 'Ada Byron' }

async function main(base: string, token: string) {
  OpenAPI.BASE = base
  OpenAPI.TOKEN = token
  const { data: student } = await StudentsService.createStudent('generated-1', { fullName: 'Ada Byron', externalId: 'S-1' })
  const { data: payment } = await PaymentsService.createPayment('generated-2', {
    studentId: student.id,
    amount: 12.5,
    currency: 'USD',
    description: 'Tuition',
    dueDate: '2026-09-01',
  })
  const accounts = await BillingService.listBillingAccounts()
  client.setConfig({ baseUrl: base, auth: token })
  const batch = await batchStudents({
    headers: { 'Idempotency-Key': 'generated-3' },
    body: { items: [{ externalId: 'S-2', fullName: 'Bo Diddley' }] },
  })
  const listed = await listStudents({ query: { limit: 5 } })
  console.log(JSON.stringify({
    student: student.fullName,
    amount: payment.amount,
    accounts: accounts.data.length,
    batch: batch.data?.data.map(({ outcome }) => outcome),
    students: listed.data?.data.map(({ fullName }) => fullName).sort(),
  }))
}

declare const process: { argv: string[] }
void main(process.argv[2] as string, process.argv[3] as string)
`

const compilerOptions = {
  target: 'es2022',
  module: 'commonjs',
  moduleResolution: 'node10',
  ignoreDeprecations: '5.0',
  strict: true,
  skipLibCheck: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  outDir: 'out',
}

test('clients that three generators write from the document compile, and call the service', { skip }, async () => {
  if (tooling === null || service === null) return
  const { secret } = await (await service.tenant()).token()
  const folder = await mkdtemp(join(tmpdir(), 'matricula-clients-'))
  try {
    const document = join(folder, 'openapi.json')
    await writeFile(document, await (await fetch(`${service.address}/v1/openapi.json`)).text())
    await mkdir(join(folder, 'codegen'))
    const generate = (command: string, ...given: string[]) => run(tooling.getCommand(command), given, { cwd: folder })
    await generate('openapi', '--input', document, '--output', 'codegen', '--client', 'fetch')
    await generate('openapi-ts', '--input', document, '--output', 'heyapi', '--no-log-file')
    await generate('openapi-typescript', document, '--output', 'types.d.ts')
    await writeFile(join(folder, 'program.ts'), program)
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['program.ts', 'types.d.ts'] }),
    )
    const compiled = await run(tooling.getCommand('tsc'), ['-p', folder]).catch((error) => error)
    assert.equal(compiled.stdout, '')
    const { stdout } = await run(process.execPath, [join(folder, 'out/program.js'), `${service.address}/v1`, secret])
    assert.deepEqual(JSON.parse(stdout), {
      student: 'Ada Byron',
      amount: 12.5,
      accounts: 1,
      batch: ['created'],
      students: ['Ada Byron', 'Bo Diddley'],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
