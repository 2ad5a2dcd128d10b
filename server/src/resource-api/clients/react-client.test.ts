import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type * as ReactSdk from 'frappe-react-sdk'
import { createElement, useEffect } from 'react'
import { create } from 'react-test-renderer'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

// The package does not say of itself that it is a module, so it is loaded as what it says first: a script.
const sdk = createRequire(import.meta.url)('frappe-react-sdk') as typeof ReactSdk
const service = await startTestService()
const tenant = await service.tenant()
const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })

/**
 * Renders hooks within the provider of the package until what they give is there, and gives what is made of it then.
 */
async function rendered<Given, Made = Given>(
  useHooks: () => Given,
  isThere: (given: Given) => boolean,
  make: (given: Given) => Made | Promise<Made> = (given) => given as unknown as Made,
): Promise<Made> {
  let shown: Given | undefined
  function Page(): null {
    const given = useHooks()
    // A page is drawn again only for what it looks at.
    const isShown = isThere(given)
    useEffect(() => {
      if (isShown) shown = given
    })
    return null
  }
  const provided = {
    url: `${service.address}/t/${tenant.slug}`,
    tokenParams: { useToken: true, type: 'token' as const, token: () => `${id}:${secret}` },
    enableSocket: false,
    swrConfig: { provider: () => new Map() },
    children: createElement(Page),
  }
  const page = create(createElement(sdk.FrappeProvider, provided))
  try {
    await until(() => shown !== undefined, 'a page that shows what was asked for')
    return await make(shown as Given)
  } finally {
    page.unmount()
  }
}

/** Renders a hook that gives a function, and calls that. */
function called<Given, Result>(useHook: () => Given, call: (given: Given) => Promise<Result>): Promise<Result> {
  return rendered(useHook, () => true, call)
}

const doctype = 'Academic Year'
const year = (start: number) => ({
  academic_year_name: `${start}-${start + 1}`,
  year_start_date: `${start}-08-01`,
  year_end_date: `${start + 1}-06-30`,
})
const isRead = ({ data, error }: { data?: unknown; error?: unknown }) => data !== undefined || error !== undefined

test('frappe-react-sdk (1.17.1) makes, lists, reads, counts, searches, changes and deletes records by its hooks', async () => {
  for (const start of [2026, 2027, 2028]) {
    const made = await called(sdk.useFrappeCreateDoc, ({ createDoc }) => createDoc(doctype, year(start)))
    assert.equal(made.name, `${start}-${start + 1}`)
  }
  const args = { fields: ['name', 'year_end_date'], orderBy: { field: 'name', order: 'desc' }, limit: 2 } as const
  const useYears = () => sdk.useFrappeGetDocList(doctype, args as unknown as ReactSdk.GetDocListArgs)
  assert.deepEqual((await rendered(useYears, isRead)).data, [
    { name: '2028-2029', year_end_date: '2029-06-30' },
    { name: '2027-2028', year_end_date: '2028-06-30' },
  ])
  const update = { year_end_date: '2027-07-15' }
  await called(sdk.useFrappeUpdateDoc, ({ updateDoc }) => updateDoc(doctype, '2026-2027', update))
  const one = await rendered(() => sdk.useFrappeGetDoc(doctype, '2026-2027'), isRead)
  assert.equal(one.data?.year_end_date, '2027-07-15')
  const count = await rendered(() => sdk.useFrappeGetDocCount(doctype, [['name', 'like', '202%']]), isRead)
  assert.equal(count.data, 3)
  const found = await rendered(() => sdk.useSearch(doctype, '2027', [], 10, 0), isRead)
  assert.equal(found.data?.message[0]?.value, '2027-2028')
  await called(sdk.useFrappeDeleteDoc, ({ deleteDoc }) => deleteDoc(doctype, '2028-2029'))
  const gone = await rendered(() => sdk.useFrappeGetDoc(doctype, '2028-2029'), isRead)
  assert.deepEqual([gone.error?.httpStatus, gone.error?.exception], [404, 'DoesNotExistError'])
})

test('frappe-react-sdk calls methods with GET and POST, such as those of comments', async () => {
  const { name } = await called(sdk.useFrappeCreateDoc, ({ createDoc }) => createDoc(doctype, year(2030)))
  const comment = { reference_doctype: doctype, reference_name: name, content: 'To be approved' }
  const useComment = () => sdk.useFrappePostCall('frappe.desk.form.utils.add_comment')
  const said = await called(useComment, ({ call }) => call(comment))
  assert.equal(said.message.content, 'To be approved')
  const asked = { doctype: 'Comment', filters: JSON.stringify({ reference_name: name }), fields: '["content"]' }
  const listed = await rendered(() => sdk.useFrappeGetCall('frappe.client.get_list', asked), isRead)
  assert.deepEqual(listed.data, { message: [{ content: 'To be approved' }] })
  const user = await rendered(
    () => sdk.useFrappeAuth(),
    ({ isLoading }) => !isLoading,
  )
  assert.equal(user.currentUser, 'Administrator')
})
