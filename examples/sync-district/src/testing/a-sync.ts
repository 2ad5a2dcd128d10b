import type { ChildProcess } from 'node:child_process'
import type { TestService, TestTenant } from '../../../../server/dist/testing/fixtures/test-service.js'
import { district } from './files.ts'
import { type Ended, runProgram } from './program.ts'

/** A tenant with a token and a key, and runs of the program with both. */
export interface Sync {
  readonly tenant: TestTenant
  readonly key: string
  run(folder?: string, ...args: string[]): Promise<Ended>
  /** Ends the program with a signal as soon as it tells that it has come so far. */
  runUntil(folder: string, line: string, signal: NodeJS.Signals): Promise<Ended>
}

export async function aSync(service: TestService): Promise<Sync> {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ name: 'sync' })
  const roles = ['Academics User', 'Education Manager']
  const { secret: key } = await tenant.token({ kind: 'resource', name: 'sync', roles })
  const environment = { MATRICULA_TOKEN: secret, MATRICULA_KEY: key }
  const argsFor = (folder: string) => ['--url', service.address, '--data', folder]
  return {
    tenant,
    key,
    run: (folder = district, ...args) => runProgram({ args: [...argsFor(folder), ...args], environment }),
    runUntil: (folder, line, signal) => {
      const onLine = (reported: string, program: ChildProcess) => {
        if (reported === line) program.kill(signal)
      }
      return runProgram({ args: argsFor(folder), environment, onLine })
    },
  }
}
