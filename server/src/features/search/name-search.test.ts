import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { foldedNames } from '../../values/folded-names.fixture.ts'

const service = await startTestService()

/** Names as schools write them, and what people type for them. */
const typed: readonly (readonly [fullName: string, ...searches: string[]])[] = [
  ['Łukasz Wójcik', 'Lukasz', 'lukasz wojcik', 'Wójcik łukasz'],
  ['Trần Đức', 'Duc', 'Tran Duc', 'duc tran'],
  ['Søren Ægir', 'Soren', 'aegir'],
  ['Jürgen Weiß', 'WEISS', 'weiß jurgen'],
  ['Işık Yıldız', 'IŞIK', 'YILDIZ', 'isik'],
  ['Shaun O’Neil', "O'Neil", 'ONEIL', 'O’neil'],
  ['小明 王', '王小明', '王', '王 小明'],
  ['김 민준', '김민준', '민준'],
  ['Ａｎａ Full', 'ana'],
  ['สมชาย ใจดี', 'สมชาย', 'ใจดี สมชาย'],
  ['مُحَمَّد أحمد', 'محمد', 'احمد'],
  ['Ёлка Йодль', 'елка', 'йодль'],
]

test('names are folded by the service and by the database alike', async () => {
  for (const [said, folded] of foldedNames) {
    const [row] = await service.database.inspect<{ folded: string }>('select fold_for_search($1) as folded', [said])
    assert.equal(row?.folded, folded, said)
  }
})

test('GET /v1/students and the search of the console find names as people type them, and nobody else', async () => {
  const tenant = await service.tenant()
  const { caller } = await aPerson(service, tenant)
  for (const [fullName] of typed) await aStudent(tenant.api, { fullName })
  for (const [fullName, ...searches] of typed) {
    for (const search of searches) {
      const { status, body } = await tenant.api.get(`/students?search=${encodeURIComponent(search)}`)
      assert.equal(status, 200)
      assert.deepEqual(
        body.data.map((student: { fullName: string }) => student.fullName),
        [fullName],
        search,
      )
      const found = await caller.get(`/console/v1/search?${new URLSearchParams({ q: search })}`)
      assert.equal(found.status, 200)
      assert.equal(found.body.data[0]?.title, fullName, `${search} in the console`)
    }
  }
})
