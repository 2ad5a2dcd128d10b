export { changeCompanyCurrency } from './company-currency.ts'
export { defaultCompany, loadSuspenseAccount, organisationRecords } from './organisation-records.ts'
export { seedOrganisation } from './organisation-seeds.ts'
export { welcomeUser } from './welcome-user.ts'
