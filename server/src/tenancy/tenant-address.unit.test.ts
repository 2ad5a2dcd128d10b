import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Sql } from '../database/index.ts'
import { CachedCustomFields } from './custom-fields/index.ts'
import { TenantAddresses } from './tenant-address.ts'

/** Addresses of tenants in a database that tells what it was asked. */
function withTenants(...tenants: readonly { readonly slug: string; readonly host: string | null }[]) {
  const asked: string[] = []
  const readGlobal = async ({ text, values }: Sql) => {
    asked.push(text)
    const found = tenants.filter(({ slug, host }) => values.includes(slug) || values.includes(host))
    return found.map(
      ({ slug, host }) => ({ tenant_id: slug, tenant_slug: slug, host, custom_fields_at: null }) as never,
    )
  }
  const database = { readGlobal, read: async () => [] } as unknown as Database
  return { asked, addresses: new TenantAddresses(database, new CachedCustomFields(database)) }
}

test('a host that is nobody’s and the slug of the key that is used there are looked up by one statement', async () => {
  const { asked, addresses } = withTenants({ slug: 'north', host: null })
  assert.equal(await addresses.byHost('service.example', 'north'), null)
  assert.equal((await addresses.bySlug('north'))?.slug, 'north')
  assert.equal(asked.length, 1)
})

test('the tenant of a host is found also when a key of another tenant is used there', async () => {
  const { asked, addresses } = withTenants({ slug: 'north', host: 'north.example' }, { slug: 'south', host: null })
  assert.equal((await addresses.byHost('North.example', 'south'))?.slug, 'north')
  assert.equal((await addresses.bySlug('south'))?.slug, 'south')
  assert.equal(asked.length, 1)
})
