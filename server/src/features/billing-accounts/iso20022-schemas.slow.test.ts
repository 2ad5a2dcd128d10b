import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { camt, camtEntry } from './bank-statements/formats/formats.fixture.ts'
import { type Collection, painVersions, writePain } from './direct-debits/pain.ts'

const github = 'https://raw.githubusercontent.com'
const painSchemas = `${github}/php-sepa-xml/php-sepa-xml/5bca797ea27007beef6130fddc68f8af2c693aa3/doc/ISO20022/pain/008/001`
const camtSchemas = `${github}/genkgo/camt/c99e4fe37347cd6d0daf9dc211186aa28794e60f/assets`

/** Where the schemas of ISO 20022 are, for machines without the internet: a folder with a file for each, by its name. */
const schemaFolder = process.env.ISO20022_SCHEMAS
const folder = await mkdtemp(join(tmpdir(), 'matricula-schemas-'))

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The file of a schema, or why there is none. */
async function findSchema(message: string): Promise<{ readonly file: string } | { readonly missing: string }> {
  if (!isInstalled('xmllint')) return { missing: 'xmllint is not installed (apt-get install libxml2-utils)' }
  const file = join(folder, `${message}.xsd`)
  const source = message.startsWith('pain') ? painSchemas : camtSchemas
  try {
    const text =
      schemaFolder === undefined
        ? await (await fetch(`${source}/${message}.xsd`, { signal: AbortSignal.timeout(20_000) })).text()
        : await readFile(join(schemaFolder, `${message}.xsd`), 'utf8')
    await writeFile(file, text)
    return { file }
  } catch {
    return { missing: `the schema cannot be fetched: put ${message}.xsd into a folder and name it in ISO20022_SCHEMAS` }
  }
}

/** Asserts that a document is valid by the schema of its message. */
async function requireValid(message: string, schema: string, xml: string): Promise<void> {
  const file = join(folder, `${message}.xml`)
  await writeFile(file, xml)
  await promisify(execFile)('xmllint', ['--noout', '--schema', schema, file]).catch(({ stderr }) => assert.fail(stderr))
}

const collection: Collection = {
  endToEndId: 'DD-01985b2e5a0070008000000000000401',
  sequence: 'FRST',
  amount: 1250.5,
  currency: 'EUR',
  mandateId: "M-1/O'Neil",
  signedAt: '2026-01-02',
  debtorName: 'Família Müller & Søn <Ł>',
  debtorIban: 'DE89370400440532013000',
  text: 'EDU-FEE-2026-00001',
}

for (const painVersion of painVersions) {
  const schema = await findSchema(painVersion)
  const skip = 'missing' in schema && schema.missing
  test(`writePain: a file of ${painVersion} is valid by its schema, with a BIC and without`, { skip }, async () => {
    if ('missing' in schema) return
    for (const bic of ['SOGEDEFF', null]) {
      const creditor = {
        name: 'Lycée',
        creditorId: 'DE98ZZZ09999999999',
        iban: 'DE75512108001245126199',
        bic,
        painVersion,
      }
      const xml = writePain({
        messageId: '01985b2e5a0070008000000000000400',
        createdAt: '2026-11-01T08:09:10.123Z',
        collectionDate: '2026-11-16',
        creditor,
        collections: [collection, { ...collection, endToEndId: 'DD-2', sequence: 'RCUR' }],
      })
      await requireValid(painVersion, schema.file, xml)
    }
  })
}

for (const [message, version] of [
  ['053', '02'],
  ['053', '04'],
  ['053', '08'],
  ['054', '08'],
] as const) {
  const name = `camt.${message}.001.${version}`
  const schema = await findSchema(name)
  const skip = 'missing' in schema && schema.missing
  test(`what the reader of bank statements is tested with is valid by the schema of ${name}`, { skip }, async () => {
    if ('missing' in schema) return
    const entries = [camtEntry({ version }), camtEntry({ version, sign: 'DBIT', bankReference: 'BANK-2' })]
    await requireValid(name, schema.file, camt({ message, version, entries }))
  })
}
