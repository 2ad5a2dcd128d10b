export { fillDemoTenant, isTenantEmpty, TenantNotEmptyError } from './demo-tenant.ts'
export type { DemoCounts } from './load.ts'
export type { DemoSize, DemoTenant } from './plan.ts'
