import { clientApi } from '../client-api/index.ts'
import { consoleApi } from '../console/index.ts'
import { type DoorKind, type Operation, problemsOf } from '../operation.ts'
import type { ProblemCode } from '../problems.ts'
import type { JsonObject } from '../schema.ts'
import { conventions } from './conventions.ts'
import { headerComponents } from './headers.ts'
import { operationObject } from './operations.ts'
import { csrfToken, headerParameters } from './parameters.ts'
import { problemExample } from './problem-examples.ts'
import { ProblemSchema } from './problem-schema.ts'
import { PublishedSchemas } from './schemas.ts'
import { webhookAnswers, webhookHeaders, webhooksObject } from './webhooks.ts'

const tags = {
  Token: 'The calling token: what it is and what it may do.',
  Students: 'The people who study, with their guardians and other contacts.',
  Admissions: 'Applications for admission on their way through the tenant’s pipeline, and the people linked to them.',
  Payments: 'What students have paid or owe.',
  Billing: 'Who pays, what came in, what is open: accounts, obligations and receipts.',
  Programs: 'Academic programs. They are managed on the Resource API and read here.',
  Courses: 'Courses and the programs that they belong to. They are managed on the Resource API and read here.',
  Vault: 'The document vault: documents of students and applications, and the files that were handed in.',
  Webhooks: 'Addresses that events are delivered to, and how that goes.',
  Events: 'What happens in the tenant, for readers that follow along.',
  Audit: 'Who did what and when, and what was rejected.',
  Forms: 'Form templates of the tenant and what people have submitted with them.',
} as const

const consoleTags = {
  Session: 'Who is logged in, and what that person may do.',
  Search: 'People and things by what is typed.',
  Timeline: 'What was done with a record, field by field.',
  Live: 'That something happened, for pages that are open.',
  'Saved views': 'Saved views of lists.',
  Preferences: 'How somebody wants the console to be.',
  Profile: 'What is asked of a student on the phone, in one call.',
  'Fee desk': 'Where a family pays: who pays for whom, what is open, and the money that is taken.',
  Figures: 'Attendance, collections and enrolment, as far as somebody may read what they count.',
  'Grade sheets': 'The scores of a group in an assessment, cell by cell.',
  'Own timetable': 'The lessons of a teacher by week.',
  'Report cards': 'The report cards of a group: who lacks what, and all of them as one document.',
  'Roll calls': 'Who is there in a lesson, or in a group on a day.',
  People: 'Who may be there twice, and people who are two: a possible duplicate is shown, and a wrong merge is undone.',
  Board: 'The admission pipeline as columns of cards.',
  'Review queue': 'Documents that wait to be reviewed, and who looks at which.',
  'Requests to families': 'Who would be asked for which documents, and reminders.',
  'Bulk jobs': 'What is done with many records at once.',
  Imports: 'Files of records: uploaded, checked, imported and undone.',
  Administration: 'Who logs in, tokens of the Client API, and how the service fares.',
  Access: 'What roles may do at this institution.',
  Settings: 'How the institution works: compared and applied as a whole.',
} as const

/** What of the contract's document depends on the deployment. */
export interface OpenApiOptions {
  /** Base of the service's addresses, without a slash at its end. */
  readonly publicUrl: string
}

/** The Client API as an OpenAPI 3.1 document, made from the declarations and nothing else. */
export function buildOpenApi({ publicUrl }: OpenApiOptions): JsonObject {
  const schemas = new PublishedSchemas()
  const operations: [string, Operation][] = Object.entries(clientApi)
  const paths = pathsOf(operations, schemas, 'token')
  const webhooks = webhooksObject(schemas)
  schemas.publish(ProblemSchema, 'answer')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Matricula Client API',
      version: '1.0.0',
      summary: 'Students, admissions, payments, programs, courses and documents of an institution.',
      description: conventions(publicUrl),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This deployment.' }],
    tags: tagsOf(operations, tags),
    paths,
    webhooks,
    components: {
      schemas: byName(schemas.components),
      parameters: { ...headerParameters, ...webhookHeaders },
      responses: webhookAnswers,
      headers: headerComponents,
      examples: problemExamples(operations, publicUrl, 'token'),
      securitySchemes: {
        bearerToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A service token of one tenant: `mtc_` and 49 letters and digits. It is shown once, when it is made.',
        },
      },
    },
  }
}

/**
 * The operations of the console's own as an OpenAPI 3.1 document. Those of the Client API are mounted beside them as
 * they are.
 */
export function buildConsoleOpenApi({ publicUrl }: OpenApiOptions): JsonObject {
  const schemas = new PublishedSchemas()
  const operations: [string, Operation][] = Object.entries(consoleApi)
  const paths = pathsOf(operations, schemas, 'session')
  schemas.publish(ProblemSchema, 'answer')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Matricula console operations',
      version: '1.0.0',
      summary: 'What the staff console asks for beside the Client API and the Resource API.',
      description: 'Versioned with the console: programs of others use the Client API or the Resource API.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: `${publicUrl}/t/{slug}/console/v1`,
        description: 'An institution of this deployment.',
        variables: { slug: { default: 'grand-bend', description: 'The short name of the institution.' } },
      },
    ],
    tags: tagsOf(operations, consoleTags),
    paths,
    components: {
      schemas: byName(schemas.components),
      parameters: { ...headerParameters, ...csrfToken },
      headers: headerComponents,
      examples: problemExamples(operations, publicUrl, 'session'),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sid',
          description: 'The session of a user who is logged in, as `POST /api/method/login` begins it.',
        },
      },
    },
  }
}

function pathsOf(operations: readonly [string, Operation][], schemas: PublishedSchemas, door: DoorKind): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [id, operation] of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationObject(id, operation, schemas, door)
    paths[operation.path] = path
  }
  return paths
}

function tagsOf(operations: readonly [string, Operation][], tags: Readonly<Record<string, string>>): JsonObject[] {
  const names = new Set(operations.map(([, { tag }]) => tag))
  return [...names].map((name) => {
    const description = tags[name]
    if (description === undefined) throw new Error(`the tag ${name} has no description`)
    return { name, description }
  })
}

function problemExamples(operations: readonly [string, Operation][], publicUrl: string, door: DoorKind): JsonObject {
  const codes = new Set<ProblemCode>(operations.flatMap(([, operation]) => problemsOf(operation, door)))
  const entries = [...codes].sort().map((code) => {
    const value = problemExample(code, publicUrl)
    return [code, { summary: value.title as string, value }]
  })
  return Object.fromEntries(entries)
}

function byName(components: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)))
}
