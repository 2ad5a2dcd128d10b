/** What a disclosure is about, from the narrowest to the widest. */
export const fieldGroups = [
  'identity',
  'contact',
  'admissions',
  'academic',
  'attendance',
  'financial',
  'health',
  'documents',
  'history',
  'everything',
] as const

export type FieldGroup = (typeof fieldGroups)[number]

/** Where a record was read. */
export const disclosureSurfaces = [
  'client_api',
  'resource_api',
  'console',
  'mcp',
  'export',
  'download',
  'command_line',
] as const

export type DisclosureSurface = (typeof disclosureSurfaces)[number]

/** What an operation discloses of people. */
export interface Disclosed {
  readonly recordType: string
  readonly fieldGroup: FieldGroup
  /** The members of a record that name it and the people it is about; a path goes into arrays. */
  readonly ids: readonly string[]
  /** Parameters of the path or the query that do, where the answer does not. */
  readonly parameters?: readonly string[]
  /** Where it is not that of the mounting. */
  readonly surface?: DisclosureSurface
}

/** Parameters whose texts say who somebody is: a disclosure tells that they were used, and not what was typed. */
export const withheldFilters: ReadonlySet<string> = new Set(['email', 'q', 'search'])

const student = { recordType: 'student', fieldGroup: 'identity', ids: ['id'] } as const
const application = { recordType: 'admission_application', fieldGroup: 'admissions', ids: ['id', 'studentId'] } as const
const payment = { recordType: 'payment', fieldGroup: 'financial', ids: ['id', 'studentId'] } as const
const account = { recordType: 'billing_account', fieldGroup: 'financial', ids: ['id', 'shares.studentId'] } as const
const receipt = { recordType: 'receipt', fieldGroup: 'financial', ids: ['id', 'accountId'] } as const
const payout = { recordType: 'payout', fieldGroup: 'financial', ids: ['id', 'accountId'] } as const
const directDebit = { recordType: 'direct_debit', fieldGroup: 'financial', ids: ['id', 'debits.accountId'] } as const
const document = { recordType: 'vault_document', fieldGroup: 'documents', ids: ['id', 'links.entityId'] } as const
const request = { recordType: 'vault_request', fieldGroup: 'documents', ids: ['id', 'entityId'] } as const

/**
 * What each operation that reads discloses of people, by its id; null where it answers nothing about a person, or no
 * more than that a record was changed or deleted. A test asks for every operation with GET.
 */
export const disclosedByOperations: Readonly<Record<string, Disclosed | null>> = {
  listStudents: student,
  getStudent: student,
  listApplications: application,
  getApplication: application,
  listPayments: payment,
  getPayment: payment,
  listBillingAccounts: account,
  getBillingAccount: account,
  listObligations: { recordType: 'obligation', fieldGroup: 'financial', ids: ['paymentId', 'studentId'] },
  listReceipts: receipt,
  getReceipt: receipt,
  listPayouts: payout,
  getPayout: payout,
  getBillingDocument: { recordType: 'billing_document', fieldGroup: 'financial', ids: ['accountId'] },
  listDirectDebits: directDebit,
  getDirectDebit: directDebit,
  getStatement: { recordType: 'statement', fieldGroup: 'financial', ids: [], parameters: ['id'] },
  listDunningRuns: { recordType: 'dunning_run', fieldGroup: 'financial', ids: ['id', 'notices.accountId'] },
  getDunningRun: { recordType: 'dunning_run', fieldGroup: 'financial', ids: ['id', 'notices.accountId'] },
  getDunningNotice: { recordType: 'dunning_notice', fieldGroup: 'financial', ids: ['id', 'accountId'] },
  getBillingTimeline: { recordType: 'timeline', fieldGroup: 'financial', ids: ['id'], parameters: ['id'] },
  listAgeing: { recordType: 'ageing', fieldGroup: 'financial', ids: ['id'] },
  listBankStatements: null,
  getBankStatement: null,
  listBankStatementLines: {
    recordType: 'bank_statement_line',
    fieldGroup: 'financial',
    ids: ['id', 'proposals.accountId'],
    parameters: ['id'],
  },
  getJournal: { recordType: 'journal', fieldGroup: 'financial', ids: [] },
  listDocuments: document,
  getDocument: document,
  downloadDocument: { ...document, ids: [], parameters: ['id'], surface: 'download' },
  getRequirements: { recordType: 'requirements', fieldGroup: 'documents', ids: ['entityId'] },
  listDocumentRequests: request,
  getDocumentRequest: request,
  listFormSubmissions: { recordType: 'form_submission', fieldGroup: 'admissions', ids: ['id', 'entityId'] },
  listAuditEntries: { recordType: 'audit_entry', fieldGroup: 'history', ids: ['entityId'] },
  search: { recordType: 'search_result', fieldGroup: 'identity', ids: ['id', 'name'] },
  readTimeline: { recordType: 'timeline', fieldGroup: 'history', ids: [], parameters: ['id', 'name'] },
  readStudentProfile: { recordType: 'student', fieldGroup: 'academic', ids: ['id', 'name'] },
  readBoard: { ...application, ids: ['columns.cards.id'] },
  findFamilies: { recordType: 'search_result', fieldGroup: 'identity', ids: ['id'] },
  readJointReceipt: { ...receipt, ids: ['receipts.id', 'receipts.accountId'] },
  readFamily: { recordType: 'family', fieldGroup: 'financial', ids: ['accounts.id', 'students.id'] },
  // Rows of a file that somebody of the staff uploaded are no records.
  listImports: null,
  getImport: null,
  readRefusedRows: null,
  readGradeSheet: {
    recordType: 'Assessment Result',
    fieldGroup: 'academic',
    ids: ['students.student', 'students.result'],
  },
  listRollCalls: null,
  readOwnTimetable: null,
  readRollCall: {
    recordType: 'Student Attendance',
    fieldGroup: 'attendance',
    ids: ['students.student', 'students.attendance'],
  },
  readReportCardsOfGroup: { recordType: 'Assessment Result', fieldGroup: 'academic', ids: ['students.student'] },
  getReportCardPrint: null,
  downloadReportCardPrint: {
    recordType: 'report_card',
    fieldGroup: 'academic',
    ids: ['students'],
    surface: 'download',
  },
  listReviewQueue: { ...document, ids: ['document.id', 'document.links.entityId'] },
  listPossibleDuplicates: {
    recordType: 'contact',
    fieldGroup: 'contact',
    ids: ['contactId', 'guardian'],
    parameters: ['applicationId'],
  },
  readPersonLinks: { recordType: 'contact', fieldGroup: 'contact', ids: ['contactId', 'guardian', 'links.entityId'] },
  getTokenContext: null,
  listDeletedStudents: null,
  listPipelineStatuses: null,
  listDeletedApplications: null,
  listDeletedPayments: null,
  listPrograms: null,
  getProgram: null,
  listCourses: null,
  getCourse: null,
  listDeletedDocuments: null,
  listDocumentTypes: null,
  listRequirementProfiles: null,
  listFormTemplates: null,
  listEvents: null,
  listWebhooks: null,
  getWebhook: null,
  listDeliveries: null,
  listDisclosures: null,
  getBoot: null,
  followLive: null,
  listSavedViews: null,
  readPreferences: null,
  listAccessRules: null,
  listStaffUsers: null,
  listApiTokens: null,
  readServiceState: null,
  readSettings: null,
  listBulkJobs: null,
  getBulkJob: null,
  listBulkChanges: null,
  listBulkFaults: null,
  readFunnel: null,
  readFigures: null,
}

/**
 * The record types of the Resource API that are about people whom the institution teaches, and what they say of them.
 */
export const fieldGroupsOfRecords: Readonly<Record<string, FieldGroup>> = {
  Student: 'identity',
  Guardian: 'contact',
  'Student Applicant': 'admissions',
  'Assessment Result': 'academic',
  'Issued Report Card': 'academic',
  'Mark Correction': 'academic',
  'Transfer Credit': 'academic',
  'Waiting List Entry': 'academic',
  'Course Enrollment': 'academic',
  'Enrollment History': 'academic',
  'Program Enrollment': 'academic',
  'Student Promotion': 'academic',
  'Quiz Activity': 'academic',
  'Student Group': 'academic',
  'Student Report Generation Tool': 'academic',
  'Student Attendance': 'attendance',
  'Student Leave Application': 'attendance',
  'Student Log': 'health',
  Fees: 'financial',
  'Payment Record': 'financial',
  Customer: 'financial',
  'Sales Invoice': 'financial',
  'Payment Entry': 'financial',
  File: 'documents',
  Comment: 'history',
  ToDo: 'history',
}

/** The record types that are people themselves: what links to one of them is about that person. */
export const peopleAmongRecords: ReadonlySet<string> = new Set(['Student', 'Guardian', 'Student Applicant'])
