import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueCourses, cataloguePrograms } from './index.ts'

test('codes and names are unique, and every course that a program names exists', () => {
  const codes = catalogueCourses.map(([code]) => code)
  for (const values of [
    codes,
    catalogueCourses.map(([, name]) => name),
    cataloguePrograms.map(({ code }) => code),
    cataloguePrograms.map(({ name }) => name),
  ]) {
    assert.equal(new Set(values).size, values.length)
  }
  for (const { courses } of cataloguePrograms) {
    assert.ok(courses.length >= 6 && courses.length <= 10)
    assert.equal(new Set(courses).size, courses.length)
    assert.deepEqual(
      courses.filter((code) => !codes.includes(code)),
      [],
    )
  }
})

test('there are programs and courses of every status, several levels, and for every age from 3 to 50', () => {
  assert.deepEqual(new Set(cataloguePrograms.map(({ status }) => status)), new Set(['active', 'inactive', 'archived']))
  assert.ok(new Set(cataloguePrograms.map(({ educationLevel }) => educationLevel)).size >= 7)
  for (let age = 3; age <= 50; age += 1) {
    const fits = cataloguePrograms.some(
      ({ status, ages: [youngest, oldest] }) => status === 'active' && youngest <= age && age <= oldest,
    )
    assert.ok(fits, `age ${age}`)
  }
})
