import type { DemoRecords } from '@matricula/server/commands/demo-records'
import { fillDemoTenant, isTenantEmpty } from './demo-tenant.ts'

/** What the command line fills a tenant with. */
export const demoRecords: DemoRecords = { fillDemoTenant, isTenantEmpty }
