import { pluralOf } from '@matricula/contract/navigation'
import { labelsOf, recordTypes, standardFields } from '@matricula/contract/record-types'
import { type Catalogue, readCatalogue, root } from './catalogue.ts'
import { type CatalogueModule, formatters, header, namesLiteral, templates, toLiteral } from './literal.ts'

/** The languages of the console, and what its modules call them. */
const consoleLanguages = { en: 'english', es: 'spanish', pt: 'portuguese' } as const

type Names = Readonly<Record<string, string>>

/** The catalogues of single screens, and the modules that they become, with the name that each exports. */
const screenCatalogues = {
  administration: ['screens/administration/administration-messages', 'administrationMessages'],
  application: ['screens/admissions/application-messages', 'applicationMessages'],
  attendance: ['screens/attendance/attendance-messages', 'attendanceMessages'],
  board: ['screens/admissions/board-messages', 'boardMessages'],
  cards: ['screens/report-cards/card-messages', 'cardMessages'],
  collecting: ['screens/collecting/collecting-messages', 'collectingMessages'],
  fees: ['screens/fees/fee-messages', 'feeMessages'],
  grades: ['screens/grades/grade-messages', 'gradeMessages'],
  groups: ['screens/groups/group-messages', 'groupMessages'],
  home: ['screens/home/home-messages', 'homeMessages'],
  imports: ['screens/imports/import-messages', 'importMessages'],
  preview: ['documents/preview-messages', 'previewMessages'],
  requests: ['screens/requests/request-messages', 'requestMessages'],
  rollover: ['screens/settings/rollover-messages', 'rolloverMessages'],
  settings: ['screens/settings/setting-messages', 'settingMessages'],
  timetable: ['screens/timetable/timetable-messages', 'timetableMessages'],
  split: ['records/page/split-messages', 'splitMessages'],
} as const

function consoleModule(language: keyof typeof consoleLanguages): CatalogueModule {
  const english = readCatalogue('console/messages/console', 'en')
  const own = readCatalogue('console/messages/console', language)
  // In English the service's own text is shown; other languages load what the service says after the page.
  const faults = { ...(own.faults as Catalogue), known: {} }
  const literal = toLiteral({ ...own, faults }, { source: english })
  const name = consoleLanguages[language]
  const content =
    language === 'en'
      ? `/** The messages of the console in English. */\nexport const english = ${literal}

/** The messages of a language. */
export type Messages = typeof english
`
      : `export const ${name}: Messages = ${literal}\n`
  return {
    location: new URL(`console/src/messages/${name}.ts`, root),
    content: `${header(`console/messages/console.${language}.json`)}${
      language === 'en' ? '' : "import type { Messages } from './english.ts'\n\n"
    }${formatters(language, literal)}\n${content}`,
  }
}

/** What the service says, by code, in a language. */
function errorModule(language: 'es' | 'pt'): CatalogueModule {
  const name = consoleLanguages[language]
  const literal = namesLiteral(readCatalogue('console/messages/errors', language) as Names)
  return {
    location: new URL(`console/src/messages/${name}-errors.ts`, root),
    content: `${header(`console/messages/errors.${language}.json`)}export const ${name}Errors: Readonly<Record<string, string>> = ${literal}\n`,
  }
}

function screenModule(catalogue: keyof typeof screenCatalogues): CatalogueModule {
  const [path, name] = screenCatalogues[catalogue]
  const up = '../'.repeat(path.split('/').length - 1)
  const file = `console/messages/${catalogue}`
  const english = readCatalogue(file, 'en')
  const variants = Object.keys(consoleLanguages).map((language) => {
    const literal = toLiteral(readCatalogue(file, language), { source: english, templateKeys: templates[catalogue] })
    const own = literal
      .replaceAll('number.format(', `${language}Number.format(`)
      .replaceAll('plural.select(', `${language}Plural.select(`)
    const head = formatters(language, literal)
      .replace('const number', `const ${language}Number`)
      .replace('const plural', `const ${language}Plural`)
    return `${head}const ${language}${language === 'en' ? '' : ': ScreenMessages'} = ${own}\n`
  })
  return {
    location: new URL(`console/src/${path}.ts`, root),
    content: `${header(`${file}.*.json`)}import type { Language } from '${up}messages/messages.tsx'

${variants.join('\n')}
type ScreenMessages = typeof en

/** The messages of the ${catalogue} screen, by language. */
export const ${name}: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }\n`,
  }
}

/**
 * Labels of fields and options that screens show without having loaded the record type: those of the profile, of the fee desk and of the
 * history of applications.
 */
const shownWithoutType: ReadonlySet<string> = new Set([
  ...['Active', 'Inactive', 'Graduated', 'Withdrawn', 'Suspended', 'Present', 'Absent', 'Leave'],
  ...['Open', 'Completed', 'Overdue', 'Cancelled'],
  ...['Program', 'Date of Birth', 'Address', 'Email Address', 'Mobile', 'Fees'],
  ...recordTypes.filter(({ name }) => name === 'Student Applicant').flatMap((type) => [...labelsOf(type)]),
  ...Object.values(standardFields).map(({ label }) => label),
])

/** Labels that come with the record type that they belong to. */
function listLabelsOfTypes(): ReadonlySet<string> {
  const labels = new Set(recordTypes.flatMap((type) => [...labelsOf(type)]))
  for (const { name } of recordTypes) labels.delete(name)
  for (const label of shownWithoutType) labels.delete(label)
  return labels
}

/** The names of one kind in a language, without those that the console finds by itself. */
function readNames(kind: 'names' | 'plurals' | 'purposes', language: string): Names {
  const names = readCatalogue(`console/messages/${kind}`, language) as Names
  if (language !== 'en') {
    const withTypes = listLabelsOfTypes()
    return Object.fromEntries(Object.entries(names).filter(([label]) => kind !== 'names' || !withTypes.has(label)))
  }
  const usual = (key: string) => (kind === 'plurals' ? pluralOf(key) : key)
  return Object.fromEntries(Object.entries(names).filter(([key, name]) => name !== usual(key)))
}

function nameModule(kind: 'names' | 'plurals' | 'purposes', language: keyof typeof consoleLanguages): CatalogueModule {
  const name = consoleLanguages[language]
  const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  const declare = (of: typeof kind, exported: string) =>
    `export const ${name}${exported}: Readonly<Record<string, string>> = ${namesLiteral(readNames(of, language))}\n`
  const plurals = kind === 'names' && language === 'en' ? `\n${declare('plurals', 'Plurals')}` : ''
  return {
    location: new URL(`console/src/messages/${name}-${kind}.ts`, root),
    content: `${header(`console/messages/${kind}.${language}.json`)}${declare(kind, title)}${plurals}`,
  }
}

/** Every module that is made of the catalogues of the console. */
export function consoleModules(): CatalogueModule[] {
  const languages = Object.keys(consoleLanguages) as (keyof typeof consoleLanguages)[]
  const screens = Object.keys(screenCatalogues) as (keyof typeof screenCatalogues)[]
  return [
    ...languages.map(consoleModule),
    ...screens.map(screenModule),
    ...languages.map((language) => nameModule('names', language)),
    ...(['es', 'pt'] as const).flatMap((language) => [
      nameModule('plurals', language),
      nameModule('purposes', language),
      errorModule(language),
    ]),
  ]
}
