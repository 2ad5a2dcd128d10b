import { parseArgs } from 'node:util'
import { proveConformance } from './conformance.ts'
import { proveKills } from './kills.ts'
import { proveOneRoster, proveOneRosterHere } from './oneroster.ts'
import { outages, proveOutage } from './outages.ts'
import { ServiceUnderProof } from './service.ts'
import { proveSoak } from './soak.ts'
import { proveYears } from './years.ts'

const usage = `usage: npm run acceptance -- PROOF

  conformance [--url ADDRESS]   the rules of the contract, against an installation, with a token of all scopes and domains in TOKEN and a
                                key of System Manager in KEY; without an address against a service that is started for it
  oneroster FOLDER [--url BASE] every answer of the OneRoster services by 1EdTech's OpenAPI documents in a folder, against an institution's
                                address with a token of all OneRoster scopes in TOKEN; without one against a service that is started for it
  kills [--times 100]           kills of service, database or both while both surfaces are written to
  outages [NAME …]              ${Object.keys(outages).join(', ')}
  years                         a school runs for two years; each figure of its pages is computed again from the records
  soak [--minutes 60]           a fixed load: do times and memory stay the same?

Each prints what it tried, and what was lost or doubled. It ends with 1 where something was, and with 2 for wrong words.
`

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`)
  process.exit(2)
}

function wordsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { url: { type: 'string' }, times: { type: 'string' }, minutes: { type: 'string' } },
    })
  } catch (error) {
    fail((error as Error).message)
  }
}

function getNumber(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise)
  if (!(number > 0)) fail(`${text} is no number above 0`)
  return number
}

async function conform(url: string | undefined): Promise<boolean> {
  if (url !== undefined) {
    const { TOKEN: token, KEY: key } = process.env
    if (token === undefined || key === undefined) fail('Put a token into TOKEN and a key into KEY.')
    return proveConformance({ address: url.replace(/(?<!\/)\/+$/, ''), token, key })
  }
  const service = await ServiceUnderProof.start()
  try {
    return await proveConformance(service.place)
  } finally {
    await service.stop()
  }
}

async function judgeOneRoster(folder: string | undefined, url: string | undefined): Promise<boolean> {
  if (folder === undefined) fail('Say which folder has the OpenAPI documents of 1EdTech.')
  if (url === undefined) return proveOneRosterHere(folder)
  const { TOKEN: token } = process.env
  if (token === undefined) fail('Put a token into TOKEN.')
  return proveOneRoster({ address: url.replace(/(?<!\/)\/+$/, ''), token }, folder)
}

async function prove(): Promise<boolean> {
  const { values, positionals } = wordsGiven()
  const [proof, ...names] = positionals
  if (proof === 'conformance') return conform(values.url)
  if (proof === 'oneroster') return judgeOneRoster(names[0], values.url)
  if (proof === 'kills') return proveKills(getNumber(values.times, 100))
  if (proof === 'soak') return proveSoak(getNumber(values.minutes, 60))
  if (proof === 'years') return proveYears()
  if (proof !== 'outages') fail(proof === undefined ? 'Say which proof.' : `There is no proof ${proof}.`)
  const unknown = names.find((name) => !(name in outages))
  if (unknown !== undefined) fail(`There is no outage ${unknown}.`)
  let isKept = true
  for (const name of names.length > 0 ? names : Object.keys(outages)) isKept = (await proveOutage(name)) && isKept
  return isKept
}

process.exitCode = (await prove()) ? 0 : 1
