import assert from 'node:assert/strict'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'

const paths = {
  add_comment: 'form.utils',
  update_comment: 'form.utils',
  add_tag: 'doctype.tag.tag',
  remove_tag: 'doctype.tag.tag',
  get_tags: 'doctype.tag.tag',
  add: 'form.assign_to',
  remove: 'form.assign_to',
  close: 'form.assign_to',
  get: 'form.assign_to',
  getdoc: 'form.load',
  get_docinfo: 'form.load',
  toggle_like: 'like',
} as const

/** Calls one of the methods below `frappe.desk` by its last name. */
export function ask(caller: RecordCaller, method: keyof typeof paths, args: object): Promise<RecordResponse> {
  return caller.post(`/api/method/frappe.desk.${paths[method]}.${method}`, args)
}

/** What such a call gave, which must not have been refused. */
export async function told(caller: RecordCaller, method: keyof typeof paths, args: object) {
  const { status, body, text } = await ask(caller, method, args)
  assert.equal(status, 200, text)
  return body.message
}

/** The status and the class of a refusal. */
export async function refusal(response: Promise<RecordResponse>): Promise<[number, string | undefined]> {
  const { status, body } = await response
  return [status, body?.exc_type]
}

/** Somebody who logs in with roles. */
export async function someone(
  service: TestService,
  tenant: TestTenant,
  email: string,
  ...roles: string[]
): Promise<RecordCaller> {
  const { password } = await aUser(service, tenant, { email, name: email.split('@', 1)[0] as string, roles })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}
