import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'
import { aSchoolOnScreens, faultsOf, unfold } from './every-screen.fixture.ts'

const service = await startTestService()
const { tenant, screens } = await aSchoolOnScreens(service)

test('every screen of the console is looked at', () => {
  const source = readFileSync(new URL('../../../../../console/src/route-table.ts', import.meta.url), 'utf8')
  const patterns = [...source.matchAll(/route\(\s*\/(\^.*\$)\/,/g)].map(([, pattern]) => new RegExp(pattern as string))
  assert.ok(patterns.length > 30)
  const paths = screens.map((path) => path.split('?')[0] as string)
  for (const pattern of patterns)
    assert.ok(
      paths.some((path) => pattern.test(path)),
      String(pattern),
    )
})

const administrator = ['System Manager', 'Instructor']

/** The staff of a school, by what they may do. */
const roles = [
  administrator,
  ['Education Manager', 'Academics User'],
  ['Admissions Officer'],
  ['Accounts Manager'],
  ['Instructor'],
]

for (const held of roles) {
  test(`whatever can be pressed on a phone is 44 px high and wide, and has a name: ${held.join(', ')}`, {
    skip: withoutBrowser,
  }, async () => {
    const staff = await aStaffMember(service, tenant, { roles: held, screen: 'phone' })
    const found: string[] = []
    for (const path of screens) {
      await unfold(staff, path)
      found.push(...(await faultsOf(staff, path)))
    }
    staff.refusedCalls()
    await staff.leave()
    assert.deepEqual(found, [])
  })
}

for (const dark of [false, true]) {
  test(`every screen is accessible on a phone, ${dark ? 'dark' : 'light'}`, { skip: withoutBrowser }, async () => {
    const staff = await aStaffMember(service, tenant, { roles: administrator, screen: 'phone', dark })
    for (const path of screens) {
      await unfold(staff, path)
      await staff.assertAccessible(path)
    }
    staff.refusedCalls()
    await staff.leave()
  })
}
