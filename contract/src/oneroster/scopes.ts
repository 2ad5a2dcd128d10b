import type { Scope } from '../access.ts'

/** What a OneRoster scope opens. */
export interface OneRosterGrant {
  /** The right that a key needs for it; null: any right of OneRoster. */
  readonly right: Scope | null
  /** Whether it opens lists below another object, such as the classes of a school. */
  readonly opensNested: boolean
}

const core = (right: Scope): OneRosterGrant => ({ right, opensNested: false })
const full = (right: Scope): OneRosterGrant => ({ right, opensNested: true })

/** The scopes of OneRoster 1.1 and 1.2 by their last part, and what each opens. */
export const oneRosterScopes: Readonly<Record<string, OneRosterGrant>> = {
  'roster-core.readonly': core('roster:read'),
  'roster.readonly': full('roster:read'),
  'roster-demographics.readonly': full('roster-demographics:read'),
  'gradebook-core.readonly': full('gradebook:read'),
  'gradebook.readonly': full('gradebook:read'),
  'assessment.readonly': full('gradebook:read'),
  'gradebook.createput': full('gradebook:write'),
  'gradebook.createpost': full('gradebook:write'),
  'gradebook.delete': full('gradebook:write'),
  'assessment.createput': full('gradebook:write'),
  'assessment.delete': full('gradebook:write'),
  'resource-core.readonly': { right: null, opensNested: true },
  'resource.readonly': { right: null, opensNested: true },
}

/** The rights of keys that OneRoster uses. */
export const oneRosterRights = [
  'roster:read',
  'roster-demographics:read',
  'gradebook:read',
  'gradebook:write',
] as const satisfies readonly Scope[]

/** The address before the last part of a scope, by version. */
export const oneRosterScopePrefix = 'https://purl.imsglobal.org/spec/or/v1p2/scope/'

/** Reads a scope: `https` or `http`, of 1.1 or 1.2. Null where it is none of OneRoster. */
export function findOneRosterGrant(scope: string): OneRosterGrant | null {
  const name = /^https?:\/\/purl\.imsglobal\.org\/spec\/or\/v1p[12]\/scope\/([\w.-]+)$/.exec(scope)?.[1]
  if (name === undefined || !Object.hasOwn(oneRosterScopes, name)) {
    return name !== undefined && /^resource[\w-]*\.readonly$/.test(name) ? { right: null, opensNested: true } : null
  }
  return oneRosterScopes[name] ?? null
}
