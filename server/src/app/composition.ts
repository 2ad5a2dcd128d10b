import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type BackupState, backupStateStatement, observeBackups } from '../backup/index.ts'
import { DisclosureLog, SyncWatermark } from '../changes/index.ts'
import { RateLimiter, RequestCounts } from '../concurrency/index.ts'
import type { Database } from '../database/index.ts'
import { SeriesNames } from '../entities/index.ts'
import { accountPages } from '../features/account-pages/index.ts'
import { administrationRoutes } from '../features/administration/index.ts'
import { admissionRoutes, boardRoutes, peopleRoutes } from '../features/admissions/index.ts'
import { gradeSheetRoutes } from '../features/assessment/index.ts'
import { rollCallRoutes } from '../features/attendance/index.ts'
import { auditRoutes, timelineRoutes } from '../features/audit/index.ts'
import { addCardWebhook, CardGateway, cardPaymentsJob } from '../features/billing/index.ts'
import {
  billingRoutes,
  chargeOlderJob,
  dunningMailComposer,
  paymentFollower,
} from '../features/billing-accounts/index.ts'
import { BulkRunner, bulkJobsJob, bulkRoutes } from '../features/bulk-jobs/index.ts'
import { settingsRoutes } from '../features/configuration/index.ts'
import { consoleRoutes } from '../features/console/index.ts'
import { courseRoutes } from '../features/courses/index.ts'
import { disclosureRoutes, forgetDisclosuresJob } from '../features/disclosures/index.ts'
import {
  cleanUpUploadsJob,
  documentRoutes,
  expireDocumentsJob,
  recordRejectedUpload,
  reviewRoutes,
  type VaultFiles,
} from '../features/documents/index.ts'
import { EventWatch, eventRoutes, forgetEventsJob, liveRoutes } from '../features/events/index.ts'
import { feeDeskRoutes } from '../features/fee-desk/index.ts'
import { figureRoutes } from '../features/figures/index.ts'
import { cleanUpStoredFilesJob } from '../features/files/index.ts'
import {
  cleanUpFormFilesJob,
  deleteExpiredDraftsJob,
  draftMailComposer,
  formPages,
  formReceiptComposer,
  formRoutes,
} from '../features/forms/index.ts'
import { offerMailComposers, waitingListJob } from '../features/groups/index.ts'
import { analyticsFilesJob, ImportRunner, importJobsJob, importRoutes } from '../features/imports/index.ts'
import { addOneRoster, forgetRosterTracesJob } from '../features/oneroster/index.ts'
import { overdueJob, paymentRoutes } from '../features/payments/index.ts'
import { addPortalFiles, type PortalBuild, portalPages } from '../features/portal/index.ts'
import { preferenceRoutes } from '../features/preferences/index.ts'
import { programRoutes } from '../features/programs/index.ts'
import { CardPrinter, cardPrintRoutes, cardPrintsJob } from '../features/report-card/index.ts'
import { requestPages, requestReceiptComposer } from '../features/request-pages/index.ts'
import {
  consoleRequestRoutes,
  expireRequestsJob,
  RequestLinks,
  requestDocumentsOf,
  requestMailComposer,
  requestRoutes,
} from '../features/requests/index.ts'
import { requirementRoutes } from '../features/requirements/index.ts'
import { savedViewRoutes } from '../features/saved-views/index.ts'
import { searchEntriesJob, searchRoutes } from '../features/search/index.ts'
import { profileRoutes } from '../features/student-profile/index.ts'
import { studentRoutes } from '../features/students/index.ts'
import { ownTimetableRoutes } from '../features/timetable/index.ts'
import { tokenRoutes } from '../features/token/index.ts'
import {
  type DeliverySettings,
  deleteDeliveriesJob,
  deliverySender,
  observeWebhooks,
  webhookMailComposer,
  webhookRoutes,
} from '../features/webhooks/index.ts'
import type { RequestTimeouts, Route } from '../http/index.ts'
import {
  addHealthRoutes,
  clientEnvelope,
  createHttpServer,
  errorFacts,
  observeDatabase,
  observeJobs,
  observeServer,
  sessionAuthenticator,
  TenantShares,
  tokenAuthenticator,
} from '../http/index.ts'
import { addConsolePages, readConsoleBuild } from '../http/pages/console/index.ts'
import { addPageAssets, addPublicPages } from '../http/pages/public/index.ts'
import { IssuerClient } from '../identity/identity-providers/index.ts'
import { Authenticator, SecretSeal } from '../identity/index.ts'
import {
  addressMailComposers,
  forgetSessionsJob,
  PasswordHasher,
  passwordMailComposers,
  signInMailComposers,
} from '../identity/users/index.ts'
import type { Job } from '../jobs/index.ts'
import { retentionJob } from '../jobs/index.ts'
import { forgetDeletedRecordsJob } from '../listing/index.ts'
import { type Mailer, mailJob } from '../mail/index.ts'
import { AddressGuard } from '../outbound-http/index.ts'
import { clearRemovedFieldsJob } from '../record-engine/index.ts'
import { addReferenceRoutes, asksForPage, sendUnknownPage } from '../reference/index.ts'
import { addProtocolRoutes, addRecordReferenceRoutes, sessionMethods } from '../resource-api/index.ts'
import { addFileRoutes } from '../storage/index.ts'
import { CachedCustomFields } from '../tenancy/custom-fields/index.ts'
import { TenantAddresses } from '../tenancy/index.ts'
import type { Config } from './config.ts'
import { recordRegistry } from './record-definitions.ts'
import { recordsOver } from './resource-api.ts'

/** Every operation of the Client API except the introspection of the token. */
function routesOver(files: VaultFiles, config: AppConfig, database: Database, watch: EventWatch): Route[] {
  const platform = { names: new SeriesNames(database), publicUrl: config.publicUrl }
  const webhooks = { sender: deliverySender(config), seal: new SecretSeal(config.secretKey) }
  return [
    ...studentRoutes(platform),
    ...admissionRoutes(platform),
    ...paymentRoutes(paymentFollower, platform),
    ...billingRoutes(platform, config.mail !== null),
    ...programRoutes,
    ...courseRoutes,
    ...documentRoutes(files),
    ...requirementRoutes,
    ...requestRoutes(new RequestLinks(config)),
    ...formRoutes(config.publicUrl),
    ...auditRoutes,
    ...disclosureRoutes,
    ...eventRoutes(watch),
    ...webhookRoutes(webhooks),
  ]
}

/** When full backups were made. */
async function readBackups(database: Database): Promise<BackupState | null> {
  const [state] = await database.readGlobal<BackupState>(backupStateStatement)
  return state ?? null
}

/** The operations of the console, for people only. */
function routesOfPeople(
  watch: EventWatch,
  runner: BulkRunner,
  printer: CardPrinter,
  { store }: VaultFiles,
  imports: ImportRunner,
  sendsMail: boolean,
  secretKey: string,
): Route[] {
  return [
    ...consoleRoutes(recordRegistry),
    ...settingsRoutes({ registry: recordRegistry, secretKey }),
    ...administrationRoutes({ areSent: sendsMail }, readBackups),
    ...searchRoutes(recordRegistry),
    ...timelineRoutes(recordRegistry),
    ...boardRoutes,
    ...peopleRoutes,
    ...profileRoutes(recordRegistry),
    ...feeDeskRoutes,
    ...figureRoutes(recordRegistry),
    ...gradeSheetRoutes(recordRegistry),
    ...rollCallRoutes(recordRegistry),
    ...ownTimetableRoutes(recordRegistry),
    ...cardPrintRoutes(recordRegistry, printer),
    ...bulkRoutes(recordRegistry, runner),
    ...importRoutes({ registry: recordRegistry, store }, imports),
    ...reviewRoutes,
    ...consoleRequestRoutes(recordRegistry, runner),
    ...liveRoutes(watch, recordRegistry),
    ...savedViewRoutes,
    ...preferenceRoutes,
  ]
}

/** Everything that the service does by itself. Without a mailer no mail is sent, and the log says so. */
export function jobsOver(
  files: VaultFiles,
  mailer: Mailer | null,
  config: Pick<AppConfig, 'secretKey' | 'publicUrl' | 'cardGatewayUrl'> &
    Pick<Config, 'mailKeepDays'> &
    Partial<Pick<Config, 'analytics'>>,
  log: Logger,
): Job[] {
  const composers = {
    document_request: requestMailComposer(new RequestLinks(config)),
    ...passwordMailComposers(config),
    ...signInMailComposers(config),
    ...addressMailComposers,
    ...offerMailComposers,
    dunning_notice: dunningMailComposer,
    webhook_disabled: webhookMailComposer,
    request_receipt: requestReceiptComposer,
    form_receipt: formReceiptComposer,
    form_draft: draftMailComposer(config),
  }
  return [
    overdueJob,
    chargeOlderJob,
    expireDocumentsJob,
    expireRequestsJob,
    cleanUpUploadsJob(files),
    cleanUpFormFilesJob,
    deleteExpiredDraftsJob,
    cleanUpStoredFilesJob(files),
    forgetSessionsJob,
    retentionJob(config),
    forgetDisclosuresJob,
    forgetEventsJob,
    searchEntriesJob,
    deleteDeliveriesJob,
    forgetDeletedRecordsJob,
    forgetRosterTracesJob,
    clearRemovedFieldsJob,
    mailJob(mailer, composers, log),
    waitingListJob({ registry: recordRegistry, sendsMail: mailer !== null }),
    bulkJobsJob(
      (database) =>
        new BulkRunner({
          database,
          registry: recordRegistry,
          seal: new SecretSeal(config.secretKey),
          sendsMail: mailer !== null,
          askOne: requestDocumentsOf,
          report: (error) => log.error({ error: errorFacts(error) }, 'bulk job failed'),
        }),
    ),
    ...(config.analytics == null ? [] : [analyticsFilesJob(config.analytics, log)]),
    importJobsJob(
      (database) =>
        new ImportRunner({
          database,
          registry: recordRegistry,
          store: files.store,
          report: (error) => log.error({ error: errorFacts(error) }, 'import failed'),
        }),
      files.store,
    ),
    cardPrintsJob(
      (database) =>
        new CardPrinter({
          database,
          registry: recordRegistry,
          report: (error) => log.error({ error: errorFacts(error) }, 'print failed'),
        }),
    ),
    cardPaymentsJob({
      gateway: new CardGateway(config.cardGatewayUrl),
      registry: recordRegistry,
      seal: new SecretSeal(config.secretKey),
      log,
    }),
  ]
}

/** Exports the metrics that are the same for the whole deployment. */
export function observeDeployment(database: Database): void {
  observeServer(database)
  observeJobs(database)
  observeBackups(database)
  observeWebhooks(database)
}

export interface AppConfig
  extends Pick<
    Config,
    | 'publicUrl'
    | 'authFailuresPerMinute'
    | 'trustedProxies'
    | 'allowedOrigins'
    | 'metricsToken'
    | 'mail'
    | 'cardGatewayUrl'
    | 'webhookAllowedNetworks'
  > {
  /** Signs the addresses of public pages. */
  readonly secretKey: string
  /** Hashes passwords; with a queue of its own by default. */
  readonly passwords?: PasswordHasher
  /** The portal of students and guardians; none is served where it is absent. */
  readonly portal?: PortalBuild | null
  /** Request timeouts, where not the defaults. */
  readonly timeouts?: RequestTimeouts
  /** Graceful shutdown: aborted when the service should get no more requests. */
  readonly leaving?: AbortSignal
  readonly webhookCalls?: NonNullable<DeliverySettings['webhookCalls']>
}

/** The service over a database and its files: everything that answers requests, ready to listen. */
export function createApp(config: AppConfig, database: Database, files: VaultFiles, log: Logger): FastifyInstance {
  const { publicUrl, leaving } = config
  const customFields = new CachedCustomFields(database)
  const counts = new RequestCounts(database)
  const authenticator = new Authenticator(database, {
    failuresPerMinute: config.authFailuresPerMinute,
    counts,
    customFields,
  })
  const platform = {
    database,
    rateLimiter: new RateLimiter(database),
    shares: new TenantShares(),
    watermark: new SyncWatermark(database),
    disclosures: new DisclosureLog(database, log),
  }
  const addresses = new TenantAddresses(database, customFields)
  const watch = new EventWatch(database, (error) =>
    log.error({ error: errorFacts(error) }, 'events cannot be put in order'),
  )
  const routes = routesOver(files, config, database, watch)
  const runner = new BulkRunner({
    database,
    registry: recordRegistry,
    seal: new SecretSeal(config.secretKey),
    sendsMail: config.mail !== null,
    askOne: requestDocumentsOf,
    report: (error) => log.error({ error: errorFacts(error) }, 'bulk job failed'),
  })
  const imports = new ImportRunner({
    database,
    registry: recordRegistry,
    store: files.store,
    report: (error) => log.error({ error: errorFacts(error) }, 'import failed'),
  })
  const printer = new CardPrinter({
    database,
    registry: recordRegistry,
    report: (error) => log.error({ error: errorFacts(error) }, 'print failed'),
  })
  const envelope = clientEnvelope(publicUrl)
  const clientApi = {
    prefix: '/v1',
    routes: [...tokenRoutes, ...routes],
    authenticator: tokenAuthenticator(authenticator),
    envelope,
  }
  const people = {
    routes: [
      ...routesOfPeople(watch, runner, printer, files, imports, config.mail !== null, config.secretKey),
      ...routes,
    ],
    authenticator: sessionAuthenticator(database, addresses, publicUrl),
    envelope,
  }
  const mountings = [clientApi, { prefix: '/t/:slug/console/v1', ...people }, { prefix: '/console/v1', ...people }]
  const app = createHttpServer(mountings, platform, {
    publicUrl,
    log,
    ...(leaving !== undefined && { leaving }),
    trustedProxies: config.trustedProxies,
    showUnknown: (request, reply) => {
      if (asksForPage(request)) sendUnknownPage(request, reply)
      return asksForPage(request)
    },
    ...(config.timeouts !== undefined && { timeouts: config.timeouts }),
  })
  app.addHook('preClose', () => Promise.all([runner.stop(), imports.stop(), printer.stop()]).then(() => {}))
  // After the last response: the database is closed after the application.
  app.addHook('onClose', () => platform.disclosures.close())
  const documents = addReferenceRoutes(app, { publicUrl })
  const assets = addPageAssets(app)
  const records = recordsOver(new CardGateway(config.cardGatewayUrl), runner)
  const seal = new SecretSeal(config.secretKey)
  const recordPlatform = {
    ...platform,
    authenticator,
    addresses,
    passwords: config.passwords ?? new PasswordHasher(),
    storage: files,
    seal,
    sendsMail: config.mail !== null,
  }
  const { nameServers, ca } = config.webhookCalls ?? {}
  const guard = new AddressGuard(config.webhookAllowedNetworks, nameServers)
  const issuers = new IssuerClient(guard, seal, ca === undefined ? {} : { ca })
  app.addHook('onClose', async () => issuers.close())
  if (config.portal != null) addPortalFiles(app, config.portal)
  addProtocolRoutes(app, recordPlatform, records, {
    publicUrl,
    assets,
    home: 'docs',
    pages: [accountPages({ seal, issuers }), ...(config.portal == null ? [] : [portalPages(config.portal)])],
    allowedOrigins: config.allowedOrigins,
  })
  addRecordReferenceRoutes(documents, { publicUrl }, records.registry.declared(), [
    ...sessionMethods.values(),
    ...records.methods.values(),
  ])
  addOneRoster(app, { ...recordPlatform, publicUrl })
  addCardWebhook(app, { database, addresses, registry: records.registry, seal, log })
  addFileRoutes(app, files.store, {
    onRefused: (grant, problem, visit) => recordRejectedUpload(database, grant, problem, visit),
  })
  const publicPages = { secretKey: config.secretKey, sendsMail: config.mail !== null }
  const pages = [...requestPages(files, database, publicPages), ...formPages(files, database, publicPages)]
  addPublicPages(app, pages, { publicUrl, assets, log, counts })
  observeDatabase(database)
  // With several processes the first one, which does what the deployment does, tells of it.
  if (!cluster.isWorker) observeDeployment(database)
  addConsolePages(app, { addresses, build: readConsoleBuild(), store: files.store, publicUrl })
  addHealthRoutes(app, {
    database,
    checkStorage: () => files.store.check(),
    metricsToken: config.metricsToken,
    log,
    leaving,
  })
  return app
}
