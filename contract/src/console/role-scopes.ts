import { activeScopes, extensionScopes, type Scope } from '../access.ts'

const academic: readonly Scope[] = [
  'students:read',
  'students:write',
  'admissions:read',
  'admissions:write',
  'programs:read',
  'courses:read',
  'vault:read',
  'vault:write',
  'forms:read',
  'events:read',
]

const accounts: readonly Scope[] = ['students:read', 'payments:read', 'payments:write', 'billing:read', 'billing:write']

/**
 * What the roles of somebody who is logged in open at the console's door. A role that is not named opens nothing there;
 * teachers reach their own groups through the Resource API.
 */
export const roleScopes: Readonly<Record<string, readonly Scope[]>> = {
  'System Manager': [...activeScopes, ...extensionScopes],
  'Education Manager': academic,
  'Academics User': academic,
  'Accounts Manager': accounts,
  'Accounts User': accounts,
  'Admissions Officer': [
    'admissions:read',
    'admissions:write',
    'vault:read',
    'vault:write',
    'forms:read',
    'students:read',
    'programs:read',
    'courses:read',
  ],
  Instructor: [],
  Student: [],
  Guardian: [],
}
