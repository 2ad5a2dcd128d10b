import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../random.ts'
import { countries } from './index.ts'

test('families of at least eight countries, whose shares make a hundred', () => {
  assert.ok(countries.length >= 8)
  assert.equal(
    countries.reduce((total, { share }) => total + share, 0),
    100,
  )
})

for (const country of countries) {
  test(`${country.name}: names are plain, unique, and enough for the children of a family`, () => {
    for (const names of [country.names.Female, country.names.Male, country.surnames]) {
      assert.equal(new Set(names).size, names.length)
      for (const name of names) assert.match(name, /^[\p{L}' ]{2,}$/u)
    }
    // Children of a family are five names apart.
    for (const names of [country.names.Female, country.names.Male]) assert.notEqual(names.length % 5, 0)
    const known = new Set([...country.names.Female, ...country.names.Male])
    for (const [name, nickname] of Object.entries(country.nicknames)) assert.ok(known.has(name), `${name}: ${nickname}`)
  })

  test(`${country.name}: addresses, telephone numbers and documents fill their patterns within the contract's bounds`, () => {
    const random = new Random(1, 2, 3, 4)
    for (const street of country.streets) assert.match(random.filled(street), /^[^#*@]{5,500}$/)
    for (const { postalCode, phone } of country.places) {
      assert.match(random.filled(postalCode), /^[0-9-]{4,9}$/)
      assert.match(random.filled(phone ?? country.phone), /^\+[0-9 -]{9,39}$/)
    }
    const holder = {
      givenNames: country.names.Female[0] as string,
      familyNames: `${country.surnames[0]} ${country.surnames[1]}`,
      gender: 'Female',
      dateOfBirth: '2010-02-28',
    } as const
    for (const { number } of country.documents) {
      const text = typeof number === 'string' ? random.filled(number) : number(holder, random)
      assert.match(text, /^[A-Z0-9 .-]{6,20}$/)
    }
    for (const age of [4, 12, 30]) assert.ok(country.documents.some(({ ages: [from, to] }) => from <= age && age <= to))
  })
}
