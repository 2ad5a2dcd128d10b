import {
  type Call,
  type CallerSettings,
  type CallOptions,
  createCall,
  type DataOf,
  type InputOf,
  type OperationId,
  type QueryOf,
  type WriteOptions,
} from './caller.ts'
import { Changes, type ListsSince, type SweptRecord } from './changes.ts'
import { EventFeed, type FeedOptions } from './feed.ts'
import type { EventType } from './generated/declarations.ts'
import { type FiltersOf, type ItemOf, type ListId, type Pages, pagesOf } from './pages.ts'
import { SteadySender } from './steady-sender.ts'
import { createUploader } from './upload.ts'

/** The lists that tell what changed since a watermark, each with the list of what was deleted or, where there is none, the event of it. */
export const sweptLists = {
  students: { present: 'listStudents', deleted: 'listDeletedStudents', deletedEvent: null },
  applications: { present: 'listApplications', deleted: 'listDeletedApplications', deletedEvent: null },
  payments: { present: 'listPayments', deleted: 'listDeletedPayments', deletedEvent: null },
  programs: { present: 'listPrograms', deleted: null, deletedEvent: 'program.deleted' },
  courses: { present: 'listCourses', deleted: null, deletedEvent: 'course.deleted' },
  documents: { present: 'listDocuments', deleted: 'listDeletedDocuments', deletedEvent: null },
  documentRequests: { present: 'listDocumentRequests', deleted: null, deletedEvent: null },
  formTemplates: { present: 'listFormTemplates', deleted: null, deletedEvent: null },
  formSubmissions: { present: 'listFormSubmissions', deleted: null, deletedEvent: null },
} as const satisfies Record<string, { present: ListId; deleted: ListId | null; deletedEvent: EventType | null }>

export type SweptResource = keyof typeof sweptLists

/** A record of a list that tells what changed. */
export type RecordOf<Resource extends SweptResource> = ItemOf<(typeof sweptLists)[Resource]['present']> & SweptRecord

/** The Client API of a service, with one token. What an operation does and takes is said in the reference, at `/docs` of the service. */
export type Client = ReturnType<typeof createClient>

/** A client of a service. Nothing is sent before it is used. */
export function createClient(settings: CallerSettings) {
  const { url } = settings
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(
      `url is ${JSON.stringify(url)}, which is no address of a service, such as https://matricula.example`,
    )
  }
  const sender = new SteadySender(settings)
  const call = createCall(settings, sender)
  const { list, swept, read, create, update, upsert, batch } = shapesOf(call)
  const feed = (options: FeedOptions, wait: number) =>
    new EventFeed(call, { ...(settings.signal && { signal: settings.signal }), ...options }, wait)
  return {
    /** Calls any operation by its id, for what the others leave out, such as the `ETag` of a record. */
    call,

    /** What the token is and what it may do. */
    me: async (options: CallOptions = {}) => (await call('getTokenContext', options)).body.data,

    students: {
      ...swept('students'),
      deleted: list('listDeletedStudents'),
      get: read('getStudent'),
      create: create('createStudent'),
      update: update('updateStudent'),
      upsert: upsert('upsertStudentByExternalId'),
      batch: batch('batchStudents'),
    },

    applications: {
      ...swept('applications'),
      deleted: list('listDeletedApplications'),
      get: read('getApplication'),
      create: create('createApplication'),
      update: update('updateApplication'),
      upsert: upsert('upsertApplicationByExternalId'),
      batch: batch('batchApplications'),
      linkContact: async (id: string, body: InputOf<'linkApplicationContact'>, options: WriteOptions = {}) =>
        (await call('linkApplicationContact', { path: { id }, body, ...options })).body.data,
      updateContact: async (
        id: string,
        linkId: string,
        body: InputOf<'updateApplicationContact'>,
        options: WriteOptions = {},
      ) => (await call('updateApplicationContact', { path: { id, linkId }, body, ...options })).body.data,
      unlinkContact: async (id: string, linkId: string, options: WriteOptions = {}) =>
        (await call('unlinkApplicationContact', { path: { id, linkId }, ...options })).body.data,
    },

    pipelineStatuses: { list: async () => (await call('listPipelineStatuses', {})).body.data },

    payments: {
      ...swept('payments'),
      deleted: list('listDeletedPayments'),
      get: read('getPayment'),
      create: create('createPayment'),
      update: update('updatePayment'),
      upsert: upsert('upsertPaymentByExternalId'),
      batch: batch('batchPayments'),
    },

    billing: {
      accounts: list('listBillingAccounts'),
      account: read('getBillingAccount'),
      createAccount: create('createBillingAccount'),
      updateAccount: update('updateBillingAccount'),
      upsertAccount: upsert('upsertBillingAccountByExternalId'),
      receipts: list('listReceipts'),
      receipt: read('getReceipt'),
      createReceipt: create('createReceipt'),
      payouts: list('listPayouts'),
      payout: read('getPayout'),
      createPayout: create('createPayout'),
      dunningRuns: list('listDunningRuns'),
      dunningRun: read('getDunningRun'),
      bankStatements: list('listBankStatements'),
      bankStatement: read('getBankStatement'),
      directDebits: list('listDirectDebits'),
      directDebit: read('getDirectDebit'),
      createDirectDebit: create('createDirectDebit'),
    },

    programs: { ...swept('programs'), get: read('getProgram') },

    courses: { ...swept('courses'), get: read('getCourse') },

    documents: {
      ...swept('documents'),
      deleted: list('listDeletedDocuments'),
      get: read('getDocument'),
      update: update('updateDocument'),
      upload: createUploader(call, sender, settings.fetch ?? globalThis.fetch),
      /** An address that hands out the file for a few minutes. */
      download: async (id: string, query: QueryOf<'downloadDocument'> = {}, options: CallOptions = {}) =>
        (await call('downloadDocument', { path: { id }, query, ...options })).body.data,
      link: async (id: string, body: InputOf<'linkDocument'>, options: WriteOptions = {}) =>
        (await call('linkDocument', { path: { id }, body, isRepeatable: true, ...options })).body.data,
    },

    documentTypes: { list: async () => (await call('listDocumentTypes', {})).body.data },

    requirementProfiles: { list: async () => (await call('listRequirementProfiles', {})).body.data },

    requirements: {
      /** What is asked of one student or application, and what is missing. */
      of: async (query: QueryOf<'getRequirements'>, options: CallOptions = {}) =>
        (await call('getRequirements', { query, ...options })).body.data,
    },

    documentRequests: {
      ...swept('documentRequests'),
      get: read('getDocumentRequest'),
      create: create('createDocumentRequest'),
      update: update('updateDocumentRequest'),
    },

    formTemplates: swept('formTemplates'),

    formSubmissions: swept('formSubmissions'),

    events: {
      /** What has happened so far. */
      list: (options: FeedOptions = {}) => feed(options, 0),
      /** What has happened, and what happens as soon as it does, until the signal says so. */
      follow: (options: FeedOptions = {}) => feed(options, 30),
      /** The position of now. */
      latest: async (options: CallOptions = {}) =>
        (await call('listEvents', { query: { after: 'latest' }, ...options })).body.next,
    },

    webhooks: {
      list: async (options: CallOptions = {}) => (await call('listWebhooks', options)).body.data,
      get: read('getWebhook'),
      /** The answer has the secret for `verifyWebhook`, this one time. */
      create: create('createWebhook'),
      update: update('updateWebhook'),
      delete: async (id: string, options: WriteOptions = {}): Promise<void> => {
        await call('deleteWebhook', { path: { id }, ...options })
      },
      rotateSecret: async (id: string, body: InputOf<'rotateWebhookSecret'> = {}, options: WriteOptions = {}) =>
        (await call('rotateWebhookSecret', { path: { id }, body, ...options })).body.data,
      test: async (id: string, options: WriteOptions = {}) =>
        (await call('testWebhook', { path: { id }, ...options })).body.data,
      deliveries: (id: string, filters: Partial<FiltersOf<'listDeliveries'>> = {}, options: CallOptions = {}) =>
        pagesOf(call, 'listDeliveries', filters, { path: { id }, ...options }),
      redeliver: async (id: string, body: InputOf<'redeliver'>, options: WriteOptions = {}) =>
        (await call('redeliver', { path: { id }, body, ...options })).body.data,
    },

    audit: { list: list('listAuditEntries') },
    disclosures: { list: list('listDisclosures') },
  }
}

type One = Exclude<Extract<OperationId, `get${string}`>, 'getTokenContext' | 'getRequirements'>
type Creation = Extract<OperationId, `create${string}`>
type Update = Exclude<Extract<OperationId, `update${string}`>, 'updateApplicationContact'>
type Upsert = Extract<OperationId, `upsert${string}`>
type Batch = Extract<OperationId, `batch${string}`>

/** The forms that operations have in common. Their types are those of the operation; inside, it may be any of them. */
function shapesOf(call: Call) {
  const send = async <Id extends OperationId>(id: Id, input: object): Promise<DataOf<Id>> =>
    ((await call(id, input as never)).body as { data: DataOf<Id> }).data

  const list =
    <Id extends ListId>(id: Id) =>
    (filters: Partial<FiltersOf<Id>> = {}, options: CallOptions = {}): Pages<ItemOf<Id>> =>
      pagesOf(call, id, filters, options)

  return {
    list,

    swept: <Resource extends SweptResource>(resource: Resource) => ({
      list: list<(typeof sweptLists)[Resource]['present']>(sweptLists[resource].present),
      /** What changed since a watermark, and what was deleted; everything where there is none yet. */
      since: (watermark: string | null, options: CallOptions = {}): Changes<RecordOf<Resource>> =>
        new Changes(listsSince(call, resource, watermark, options)),
    }),

    read:
      <Id extends One>(id: Id) =>
      (recordId: string, options: CallOptions = {}): Promise<DataOf<Id>> =>
        send(id, { path: { id: recordId }, ...options }),

    create:
      <Id extends Creation>(id: Id) =>
      (body: InputOf<Id>, options: WriteOptions = {}): Promise<DataOf<Id>> =>
        send(id, { body, ...options }),

    update:
      <Id extends Update>(id: Id) =>
      (recordId: string, body: InputOf<Id>, options: WriteOptions = {}): Promise<DataOf<Id>> =>
        send(id, { path: { id: recordId }, body, ...options }),

    upsert:
      <Id extends Upsert>(id: Id) =>
      (externalId: string, body: InputOf<Id>, options: WriteOptions = {}): Promise<DataOf<Id>> =>
        send(id, { path: { externalId }, body, ...options }),

    batch:
      <Id extends Batch>(id: Id) =>
      (
        items: InputOf<Id>['items'],
        options: WriteOptions & { readonly atomic?: boolean } = {},
      ): Promise<DataOf<Id>> => {
        const { atomic = false, ...rest } = options
        return send(id, { body: { atomic, items }, ...rest })
      },
  }
}

/** The list of what changed since a watermark, and that of what was deleted since. At a first reading nothing was. */
export function listsSince<Resource extends SweptResource>(
  call: Call,
  resource: Resource,
  watermark: string | null,
  options: CallOptions,
): ListsSince<RecordOf<Resource>> {
  const { present, deleted } = sweptLists[resource]
  const since = { ...(watermark !== null && { updatedSince: watermark }) }
  return {
    present: pagesOf<ListId>(call, present, since as never, options) as Pages<unknown> as Pages<RecordOf<Resource>>,
    deleted: watermark === null || deleted === null ? null : pagesOf(call, deleted, since, options),
  }
}
