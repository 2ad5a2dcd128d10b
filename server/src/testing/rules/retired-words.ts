import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A word that the code or its texts use no more. */
interface RetiredWord {
  /** What is looked for: in identifiers a part between humps, or a whole identifier; in texts anything. */
  readonly pattern: RegExp
  /** The standard term to write in its place. */
  readonly instead: string
  /** How many uses are left. It may only become smaller; the test prints when it can. */
  readonly max: number
  /** Whole identifiers that mean something else, such as a school's room. */
  readonly except?: RegExp
}

/**
 * Parts of identifiers, in camel case, in all workspaces but the contract. Names with an underscore come from SQL or the wire and
 * are not looked at.
 */
export const retiredIdentifiers: Readonly<Record<string, RetiredWord>> = {
  room: {
    pattern: /^rooms?$/,
    instead: 'pool partition',
    max: 0,
    except:
      /^(?:[Rr]ooms?|maxRooms|roomId|aRoom|(?:require|load)Rooms?|[Rr]oom(?:Row|Name)|hasRoom(?:For)?|awaitingRoom)$/,
  },
  flight: { pattern: /^flights?$/, instead: 'pipeline batch', max: 2, except: /^inFlight$/ },
  speaking: { pattern: /^speaking$/, instead: 'session context', max: 0 },
  loan: { pattern: /^loans?$/, instead: 'lease', max: 0 },
  pulse: { pattern: /^pulse$/, instead: 'health probe', max: 0 },
  foresee: { pattern: /^foresee$/, instead: 'prefetch', max: 0 },
  doors: { pattern: /^doors$/, instead: 'authenticators', max: 0 },
  // What is still being replaced.
  answer: { pattern: /^answers?$/, instead: 'response or result; answers of forms and quizzes stay', max: 710 },
  alone: { pattern: /^alone$/, instead: 'exclusive, single', max: 119 },
  audience: { pattern: /^audience$/, instead: 'signal; the audience of a token stays', max: 23 },
  campus: { pattern: /^campus$/, instead: 'seededTenant', max: 0 },
  crowd: { pattern: /^crowd$/, instead: 'concurrency window', max: 0 },
  desk: {
    pattern: /^desk$/,
    instead: 'resourceClient; desk of Frappe and the fee desk stay',
    max: 9,
    except: /^[Dd]esk(?:Access|Exports|Reads)$|[Ff]eeDesk|[Aa]tDesk/,
  },
  doing: { pattern: /^doing$/, instead: 'batch, work', max: 22 },
  door: { pattern: /^door$/, instead: 'authenticator', max: 0 },
  fault: { pattern: /^faults?$/, instead: 'validation error', max: 523 },
  keep: {
    pattern: /^(?:keep|kept)$/,
    instead: 'cache, store, retain',
    max: 329,
    except: /^keep(?:Alive|PreviousData)$/,
  },
  lapse: { pattern: /^lapse$/, instead: 'expiry', max: 0 },
  late: {
    pattern: /^late$/,
    instead: 'recent, overdue',
    max: 2,
    except: /^(?:tooLate|minutesLate|lateMinutes|isLate|late)$/,
  },
  least: { pattern: /^least$/, instead: 'min', max: 16 },
  lend: { pattern: /^lend$/, instead: 'lease', max: 0 },
  meeting: { pattern: /^(?:meet|meetings?)$/, instead: 'group commit, batch', max: 2 },
  most: { pattern: /^most$/, instead: 'max', max: 100 },
  note: { pattern: /^(?:note|noted)$/, instead: 'record, mark; notes on records stay', max: 150 },
  of: {
    pattern: /^.+$/,
    instead: 'a verb: get, find, build, to',
    max: 986,
  },
  pace: { pattern: /^pace$/, instead: 'backpressure', max: 2 },
  paper: { pattern: /^papers?$/, instead: 'document', max: 19 },
  patience: { pattern: /^patience$/, instead: 'timeout', max: 0 },
  place: {
    pattern: /^places?$/,
    instead: 'location, target, context, position, rank',
    max: 734,
    except: /^(?:offer(?:Free)?|free)Places?$/,
  },
  presence: { pattern: /^presence$/, instead: 'service registration', max: 9 },
  putDown: {
    pattern: /^(?:down|stopping)$/,
    instead: 'shutdown, dispose',
    max: 89,
    except: /^(?:on\w+Down|Arrow\w+)$/,
  },
  refusal: {
    pattern: /^(?:refusals?|refused)$/,
    instead: 'error, problem, rejected; the refused rows of an import stay',
    max: 925,
  },
  stranger: { pattern: /^stranger$/, instead: 'otherTenant', max: 5 },
  sweep: { pattern: /^sweeps?$/, instead: 'incremental sync', max: 26 },
  tell: { pattern: /^(?:tells?|told|telling)$/, instead: 'report, return, emit', max: 739, except: /^tellsDeletions$/ },
  together: { pattern: /^together$/, instead: 'batched', max: 57 },
  turn: { pattern: /^turns?$/, instead: 'advisory lock, slot, tick', max: 200 },
  unwanted: { pattern: /^unwanted$/, instead: 'cancelled', max: 35 },
  visitor: { pattern: /^visitor$/, instead: 'pageClient', max: 10 },
  voice: { pattern: /^voice$/, instead: 'session context', max: 0 },
  walk: { pattern: /^walk$/, instead: 'cursor pagination', max: 57 },
  words: {
    pattern: /^words$/,
    instead: 'messages, arguments, sections; amounts in words stay',
    max: 85,
    except: /^amountInWords$/,
  },
}

/** English texts of the console, the pages and the command line. */
export const retiredTexts: Readonly<Record<string, RetiredWord>> = {
  paper: { pattern: /\bpapers?\b/i, instead: 'document', max: 6 },
  leaveAway: { pattern: /\bleaves? (?:\S+ ){1,3}away\b|\bleft away\b/i, instead: 'leave unset', max: 0 },
  mend: { pattern: /\bmend(?:s|ed)?\b/i, instead: 'fix', max: 0 },
  comeIntoBeing: { pattern: /\bcomes? into being\b/i, instead: 'creates', max: 0 },
  cameOfIt: { pattern: /\bcame of it\b/i, instead: 'created records', max: 0 },
  pick: { pattern: /\bpick(?:ed)?\b/i, instead: 'select, selected', max: 13 },
  turnTo: { pattern: /\bto turn to\b/i, instead: 'primary contact', max: 0 },
  handIn: { pattern: /\bhand(?:ed|s)? in\b/i, instead: 'upload', max: 0 },
  anew: { pattern: /\banew\b/i, instead: 'again', max: 1 },
  didNotWork: { pattern: /\bdid not work\b/i, instead: 'Could not save', max: 0 },
  goOn: { pattern: /\bgo(?:es)? on\b/i, instead: 'resume, continue', max: 0 },
  givenUp: { pattern: /\bgiven up\b/i, instead: 'failed, gave up', max: 1 },
  wholeRecord: { pattern: /\bwhole record\b/i, instead: 'full record', max: 0 },
  makeRecord: { pattern: /^Make (?:application|a new|an? )/, instead: 'create', max: 0 },
  pincode: { pattern: /^Pincode$/, instead: 'postal code', max: 0 },
}

/** A module apart: its identifiers, its string and template texts, and what stands between the tags of JSX. */
interface ModuleParts {
  readonly identifiers: readonly string[]
  readonly texts: readonly string[]
}

const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[A-Za-z_$][\w$]*/g

/** The parts of a TypeScript module. A plain tokenizer: what a template computes counts as its text. */
export function splitModule(source: string): ModuleParts {
  const identifiers: string[] = []
  const texts: string[] = []
  for (const [found] of source.matchAll(token)) {
    if (/^['"`]/.test(found)) texts.push(found.slice(1, -1))
    else if (!found.startsWith('/')) identifiers.push(found)
  }
  for (const [, text = ''] of source.matchAll(/>([^<>{}=;]*[a-z][^<>{}=;]*)<\//g)) texts.push(text.trim())
  return { identifiers, texts }
}

function isRetired(identifier: string, word: string, { pattern, except }: RetiredWord): boolean {
  if (identifier.includes('_') || except?.test(identifier) === true) return false
  if (word === 'of')
    return /^[a-z]\w*[a-z]Of$/.test(identifier) && !/^(?:lastI|i)ndexOf$|^(?:one|any|all|value)Of$/.test(identifier)
  return identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(' ')
    .some((part) => pattern.test(part.toLowerCase()))
}

/** A module of the repository that is looked at. */
interface Module extends ModuleParts {
  readonly file: string
}

const workspaces = ['acceptance', 'bench', 'console', 'demo', 'examples', 'mcp', 'pages', 'sdk', 'server']

/** Every module of the workspaces but the contract, in the order of their names; generated ones left out. */
export function readModules(): Module[] {
  const modules = workspaces.flatMap((workspace) =>
    readdirSync(join(root, workspace), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          /(?:^|\/)src\/.*\.tsx?$/.test(path) && !/node_modules|\/generated\/|\.d\.ts$|retired-words/.test(path),
      )
      .sort()
      .map((path) => ({
        file: `${workspace}/${path}`,
        source: readFileSync(join(root, workspace, path), 'utf8'),
      }))
      .filter(({ source }) => !source.startsWith('// Generated from '))
      .map(({ file, source }) => ({ file, ...splitModule(source) })),
  )
  return [...modules, ...readEnglishCatalogues()]
}

/** The English catalogues of messages, from which modules are generated. They have texts alone. */
function readEnglishCatalogues(): Module[] {
  const files = ['console/messages', 'pages/messages'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.en.json'))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  return files.map((file) => {
    const texts: string[] = []
    JSON.parse(readFileSync(join(root, file), 'utf8'), (_key, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
    return { file, identifiers: [], texts }
  })
}

const withTexts = /^(?:console|pages)\/(?:src|messages)\/|^server\/src\/(?:commands|http\/pages)\//
const otherLanguages = /(?:spanish|portuguese|french|\/es|\/pt|\/fr)[^/]*\.ts$|\.test\.tsx?$/

/** Where each retired word is still used, one entry a use. */
export function findRetiredWords(modules: readonly Module[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [word, retired] of Object.entries(retiredIdentifiers)) {
    const known = new Map<string, boolean>()
    const isUsed = (name: string) => {
      const result = known.get(name) ?? isRetired(name, word, retired)
      known.set(name, result)
      return result
    }
    found.set(
      word,
      modules.flatMap(({ file, identifiers }) => identifiers.filter(isUsed).map((name) => `${file}: ${name}`)),
    )
  }
  const screens = modules.filter(({ file }) => withTexts.test(file) && !otherLanguages.test(file))
  for (const [word, { pattern }] of Object.entries(retiredTexts)) {
    found.set(
      `text ${word}`,
      screens.flatMap(({ file, texts }) =>
        texts.filter((text) => pattern.test(text)).map((text) => `${file}: ${text.slice(0, 80)}`),
      ),
    )
  }
  return found
}
