import { readdirSync } from 'node:fs'

/** A document of the repository that is served as a page. */
export interface ServedDocument {
  /** Its path in the repository. */
  readonly file: string
  readonly address: string
  readonly title: string
  /** Its purpose, in a line. */
  readonly summary: string
}

const guide = (name: string, title: string, summary: string, file = `docs/${name}.md`): ServedDocument => ({
  file,
  address: `/docs/guides/${name}`,
  title,
  summary,
})

/** The guides in reading order. */
export const guides: readonly ServedDocument[] = [
  guide('first-sync', 'First sync', 'A copy of the records that stays in step: curl, TypeScript, Python.'),
  guide('writing', 'Writing safely', 'Idempotency, retries, and changes that overwrite nothing.'),
  guide('uploads', 'Uploads', 'A document in three steps: announce, send, complete.'),
  guide('system-of-record', 'System of record', 'Who may write what, and what happens to the other side.'),
  guide(
    'errors',
    'Errors',
    'What a refusal says, and who has to act: your program, you, the institution, the operator.',
  ),
  guide('client', 'TypeScript client', 'How @matricula/client behaves: lists, writes, retries, files.'),
  guide('disclosures', 'Disclosures', 'Who read the records of a person, and through which integration.'),
  guide('event-feed', 'Event feed', 'Following what happens, by pages, by waiting, or as a stream.'),
  guide('webhooks', 'Webhooks', 'Being told as it happens, and verifying who tells it.'),
  guide('mirroring', 'Mirroring', 'A copy that loses nothing, in one call.'),
  guide('oneroster', 'OneRoster', 'Google Classroom, Microsoft, Moodle and ClassLink: what to enter where.'),
  guide('google-classroom', 'Google Classroom', 'What to enter there, and how to try it first.'),
  guide('school-data-sync', 'Microsoft School Data Sync', 'What to enter there, and how to try it first.'),
  guide('moodle', 'Moodle', 'What to enter in its OneRoster plugin, and how to try it first.'),
  guide('classlink', 'ClassLink', 'Clients that sign by OAuth 1.0a: what to enter, and how to try it first.'),
  guide('ed-fi', 'Ed-Fi', 'Students, contacts, enrolments and attendance for agencies and warehouses.'),
  guide('frappe-clients', 'From Frappe', 'Clients written for Frappe Education, and what differs.'),
  guide('attendance', 'Attendance', 'Who is in a group on a day, codes, totals of days, leave and waiting lists.'),
  guide('student-portal', 'Student portal', 'Serving a build of the portal of Frappe Education.'),
  guide('marks', 'Marks and report cards', 'Posting marks, correcting them, report cards and transcripts.'),
  guide('assistants', 'Assistants', 'Questions of the staff, answered over the Model Context Protocol.'),
  guide('first-day', 'An institution’s first day', 'From a service that runs to the first record, in order.'),
  guide('importing', 'Importing and exporting', 'Records from spreadsheets and back, with every fault named.'),
  guide('production', 'In production', 'From an empty machine to TLS, backups and somebody who watches.'),
  guide('configuring', 'Configuring', 'How an institution works, in one file.'),
  guide(
    'permissions',
    'Permissions',
    'Which role may do what, by record type, method, report and operation.',
    'docs/reference/permissions.md',
  ),
  guide('billing', 'Billing accounts', 'Who pays, what came in, what is open, and the books.'),
  guide('card-payments', 'Card payments', 'What an institution needs to take cards.'),
  guide(
    'backup',
    'Backup and restore',
    'Everything in one file, made while the service answers, compared when it comes back.',
  ),
  guide('translating', 'Translating', 'The message catalogues of the console, for translators and Weblate.'),
  guide('names-money-time', 'Names, money and time', 'Which currencies and time zones there are, and what is rounded.'),
  guide('growing', 'Growing', 'Processes, services and machines, and when to add which.'),
  guide('citus', 'Citus', 'More tenants than one database machine carries.'),
  guide(
    'staff-console',
    'The staff console',
    'For people who work in it: lists, records, admissions, keys.',
    'docs/staff/console.md',
  ),
  guide(
    'signing-in',
    'Signing in',
    'For everybody: log-ins with other accounts, and where you are logged in.',
    'docs/staff/signing-in.md',
  ),
  guide(
    'staff-teacher',
    'Teachers',
    'Your day in the console: your lesson, marks and report cards, on the phone first.',
    'docs/staff/teacher.md',
  ),
  guide(
    'staff-teacher-es',
    'Docentes',
    'Su día en la consola: la clase, las notas y los boletines, primero en el teléfono.',
    'docs/staff/teacher.es.md',
  ),
  guide(
    'staff-teacher-pt',
    'Professores',
    'O seu dia na consola: a aula, as notas e os boletins, primeiro no telefone.',
    'docs/staff/teacher.pt.md',
  ),
  guide(
    'staff-bursar',
    'Bursars',
    'Money at the desk, reminders, bank statements and direct debits.',
    'docs/staff/bursar.md',
  ),
  guide(
    'staff-bursar-es',
    'Tesorería',
    'Dinero en la ventanilla, recordatorios, extractos y adeudos directos.',
    'docs/staff/bursar.es.md',
  ),
  guide(
    'staff-bursar-pt',
    'Tesouraria',
    'Dinheiro no balcão, lembretes, extratos e débitos diretos.',
    'docs/staff/bursar.pt.md',
  ),
  guide(
    'staff-registrar',
    'Registrars',
    'Students, groups, timetable, promotion and the change of year.',
    'docs/staff/registrar.md',
  ),
  guide(
    'staff-registrar-es',
    'Secretaría académica',
    'Estudiantes, grupos, horario, promoción y cambio de año.',
    'docs/staff/registrar.es.md',
  ),
  guide(
    'staff-registrar-pt',
    'Secretaria académica',
    'Estudantes, grupos, horário, promoção e virada do ano.',
    'docs/staff/registrar.pt.md',
  ),
  guide(
    'staff-admissions',
    'Admissions officers',
    'From the form to the decision: the board, documents and families.',
    'docs/staff/admissions.md',
  ),
  guide(
    'staff-admissions-es',
    'Admisión',
    'Del formulario a la decisión: el tablero, los documentos y las familias.',
    'docs/staff/admissions.es.md',
  ),
  guide(
    'staff-admissions-pt',
    'Admissão',
    'Do formulário à decisão: o quadro, os documentos e as famílias.',
    'docs/staff/admissions.pt.md',
  ),
  guide(
    'staff-administrator',
    'Administrators',
    'Settings, users, tokens, imports and the audit, without a shell.',
    'docs/staff/administrator.md',
  ),
  guide(
    'staff-administrator-es',
    'Administración',
    'Ajustes, usuarios, claves, importaciones y auditoría, sin línea de comandos.',
    'docs/staff/administrator.es.md',
  ),
  guide(
    'staff-administrator-pt',
    'Administração',
    'Configurações, usuários, chaves, importações e auditoria, sem linha de comando.',
    'docs/staff/administrator.pt.md',
  ),
]

const decision = (name: string): ServedDocument => ({
  file: `docs/adr/${name}.md`,
  address: `/docs/decisions/${name}`,
  title: `Decision ${Number(name.slice(0, 4))}: ${name.slice(5).replaceAll('-', ' ')}`,
  summary: 'Why it is built so.',
})

/** Every document that has a page: the guides, what they refer to, and the changelog. */
export const servedDocuments: readonly ServedDocument[] = [
  ...guides,
  guide('backup-format', 'The file of a backup', 'Its frames, for programs of your own.'),
  guide(
    'client-readme',
    '@matricula/client',
    'A first program of ten lines, and what the client has.',
    'sdk/README.md',
  ),
  guide(
    'accounting-bridge',
    'Example: accounting bridge',
    'A ledger of what is paid.',
    'examples/accounting-bridge/README.md',
  ),
  guide(
    'sync-district',
    'Example: a school district',
    'A whole sync of real files.',
    'examples/sync-district/README.md',
  ),
  guide(
    'district-data',
    'Data of the school district',
    'What is in the files.',
    'examples/sync-district/data/README.md',
  ),
  { file: 'docs/adr/README.md', address: '/docs/decisions', title: 'Decisions', summary: 'Why it is built so.' },
  ...decisions().map(decision),
  { file: 'CHANGELOG.md', address: '/docs/changelog', title: 'Changelog', summary: 'What changed in which version.' },
]

/** Files that guides refer to and that are served as they are. */
export const servedFiles: readonly { readonly file: string; readonly address: string; readonly mediaType: string }[] = [
  {
    file: 'docs/examples/institution.yaml',
    address: '/docs/examples/institution.yaml',
    mediaType: 'text/plain; charset=utf-8',
  },
  ...pictures().map((name) => ({
    file: `docs/staff/pictures/${name}`,
    address: `/docs/guides/pictures/${name}`,
    mediaType: 'image/png',
  })),
]

/** The URL path of a file of the repository, or null where it is not served. */
export function addressOfFile(file: string): string | null {
  return [...servedDocuments, ...servedFiles].find((served) => served.file === file)?.address ?? null
}

function decisions(): string[] {
  const folder = new URL('../../../docs/adr/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .map((name) => name.slice(0, -3))
    .sort()
}

function pictures(): string[] {
  const folder = new URL('../../../docs/staff/pictures/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.png'))
    .sort()
}
