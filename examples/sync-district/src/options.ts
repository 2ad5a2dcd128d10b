import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** The halves of a run: people and money through the Client API, and teaching through the Resource and Method API. */
export type Part = 'client' | 'records'

/** What a run is told. */
export interface Options {
  readonly address: string
  readonly parts: readonly Part[]
  /** Null: the tenant is provisioned through the command line of the service. */
  readonly credentials: { readonly token: string; readonly key: string | null } | null
  readonly folder: string
  readonly tenantSlug: string
  /** Requests in flight at once, 1 to 64. */
  readonly concurrency: number
  readonly term: string
  readonly tuition: number
}

/** The program was called with words that it does not take. */
export class UsageError extends Error {}

export const usage = `Keeps a tenant in step with the files of a school district.

  npm run sync -w examples/sync-district -- [options]
  node examples/sync-district/dist/main.js [options]

  --url URL            the service; also from MATRICULA_URL (http://127.0.0.1:8080)
  --token TOKEN        a token of the Client API; also from MATRICULA_TOKEN. Without one the tenant is made
                       through npx matricula, and a token and a key for it
  --key KEY            a key of the Resource and Method API; also from MATRICULA_KEY
  --part PART          client: students, applications, payments; records: courses, sections, attendance; or both
                       (both, or client when there is a token and no key)
  --tenant SLUG        the tenant to make then (grand-bend)
  --data FOLDER        the files (those of this example)
  --term NAME          the session whose tuition is due ("2021-2022 Fall Semester")
  --tuition AMOUNT     of each student (450)
  --concurrency N      requests at once, 1 to 64 (8)
  --help

It ends with 0 when everything is in step, 1 when a row was refused or the run could not go on, 2 on wrong usage, and 130
after Ctrl-C. It can be stopped at any moment, in any way, and run again.
`

/** Reads the command line; null when it asks for help. Throws `UsageError`. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options | null {
  const values = parse(args)
  if (values.help) return null
  const token = values.token ?? (environment.MATRICULA_TOKEN || null)
  const key = values.key ?? (environment.MATRICULA_KEY || null)
  if (token === null && key !== null) throw new UsageError('--key needs --token too: it tells who the students are.')
  return {
    address: parseAddress(values.url ?? (environment.MATRICULA_URL || 'http://127.0.0.1:8080')),
    parts: parseParts(
      values.part ?? (token !== null && key === null ? 'client' : 'both'),
      token !== null && key === null,
    ),
    credentials: token === null ? null : { token, key },
    folder: values.data ?? fileURLToPath(new URL('../data/', import.meta.url)),
    tenantSlug: values.tenant,
    concurrency: parseNumber('concurrency', values.concurrency, (number) => Number.isInteger(number) && number <= 64),
    term: values.term,
    tuition: parseNumber('tuition', values.tuition, (number) => number <= 1_000_000_000_000),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        key: { type: 'string' },
        part: { type: 'string' },
        data: { type: 'string' },
        tenant: { type: 'string', default: 'grand-bend' },
        concurrency: { type: 'string', default: '8' },
        term: { type: 'string', default: '2021-2022 Fall Semester' },
        tuition: { type: 'string', default: '450' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function parseParts(word: string, isKeyMissing: boolean): Part[] {
  if (!['client', 'records', 'both'].includes(word)) throw new UsageError(`--part ${word} is not possible.`)
  const parts = word === 'both' ? (['client', 'records'] as const) : [word as Part]
  if (isKeyMissing && word !== 'client') throw new UsageError(`--part ${word} needs a --key beside the token.`)
  return [...parts]
}

function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`--url ${text} is no http(s) address.`)
  return url.href.replace(/\/+$/, '')
}

function parseNumber(name: string, text: string, isPossible: (number: number) => boolean): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (number > 0 && isPossible(number)) return number
  throw new UsageError(`--${name} ${text} is not possible.`)
}
