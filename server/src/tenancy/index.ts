export { isRightTaken, type RoleLimit, type RoleLimits, readRoleLimits, scopesOfRoles } from './role-limits.ts'
export { domainOwners, isOwnedElsewhere, ownedElsewhere } from './system-of-record.ts'
export type { Credentials, Tenant } from './tenant.ts'
export { TenantAddresses } from './tenant-address.ts'
export {
  createTenant,
  findTenant,
  listTenants,
  parseModules,
  parseSystemOfRecord,
  requireSlug,
  type TenantRecord,
  type TenantRow,
  type TenantSettings,
  toTenant,
  updateTenant,
} from './tenants.ts'
export { clockIn, getDay, todayIn } from './time-zones.ts'
export {
  inLanguage,
  otherTexts,
  type Texts,
  type Translations,
  type WrittenText,
  withOwnTexts,
} from './translations.ts'
export {
  describeZoneError,
  findInstitutionsZones,
  knownZone,
  localTime,
  momentAt,
  watchZones,
  zoneKey,
} from './zone-differences.ts'
