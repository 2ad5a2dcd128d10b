import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@matricula/contract'
import fc from 'fast-check'
import { always, type FormDefinition, type FormFieldRecord } from '../form-definition.ts'
import { type GivenFile, parseAnswers, toStoredAnswers } from './form-answers.ts'

type Question = Partial<FormFieldRecord> & Pick<FormFieldRecord, 'key' | 'type'>

function aForm(...questions: Question[]): FormDefinition {
  const fields = questions.map((question, index) => ({
    id: `id-${question.key}`,
    label: question.key,
    isRequired: false,
    options: [],
    helpText: '',
    validation: {},
    visibleWhen: always,
    section: '',
    position: index + 1,
    ...question,
  }))
  return { entityType: 'none', sections: [], fields, mapping: {}, translations: {} }
}

const limits = () => ({ allowedMimeTypes: ['application/pdf', 'image/png'], maxSizeBytes: 1000 })

function read(form: FormDefinition, answers: Record<string, unknown>, files: GivenFile[] = []) {
  const found = parseAnswers(form, answers, files, limits)
  return {
    values: Object.fromEntries(found.values),
    shown: found.shown.map(({ key }) => key),
    errors: found.errors.map(({ fieldKey, code }) => `${fieldKey} ${code}`),
    bounds: found.errors.map(({ bounds }) => bounds),
  }
}

function options(...values: string[]) {
  return values.map((value) => ({ value, label: value.toUpperCase() }))
}

test('form answers: stored in the type of the question, whatever form the page sends', () => {
  const choice = { options: options('a', 'b', 'c') }
  for (const [type, given, stored] of [
    ['text', '  Ada\r\nByron ', 'Ada Byron'],
    ['text', 'e\u0301', 'é'],
    ['textarea', ' one\r\ntwo\rthree ', 'one\ntwo\nthree'],
    ['number', '12.50', 12.5],
    ['number', ' -3 ', -3],
    ['number', 7, 7],
    ['number', '-0', 0],
    ['date', '2026-02-28', '2026-02-28'],
    ['email', 'ada@example.org', 'ada@example.org'],
    ['phone', '+52 (55) 1234-5678 ext. 12', '+52 (55) 1234-5678 ext. 12'],
    ['select', 'b', 'b'],
    ['multiselect', 'b', ['b']],
    ['multiselect', ['c', 'a', 'c', ''], ['a', 'c']],
    ['checkbox', 'on', true],
    ['checkbox', true, true],
    ['signature', 'Ada Byron', 'Ada Byron'],
  ] as const) {
    const isChoice = type === 'select' || type === 'multiselect'
    const found = read(aForm({ key: 'it', type, ...(isChoice && choice) }), { it: given })
    assert.deepEqual([found.errors, found.values], [[], { it: stored }], `${type} ${JSON.stringify(given)}`)
  }
})

test('form answers: empty, blank, unchecked and unselected are unanswered, an error only where required', () => {
  for (const [type, given] of [
    ['text', undefined],
    ['text', null],
    ['text', '   '],
    ['number', ''],
    ['date', ''],
    ['select', ''],
    ['multiselect', []],
    ['multiselect', ''],
    ['checkbox', undefined],
    ['checkbox', 'off'],
    ['checkbox', false],
    ['file', ''],
    ['signature', ' '],
  ] as const) {
    const question = { key: 'it', type, options: options('a'), validation: { minLength: 2, minItems: 2, min: 1 } }
    const answers = given === undefined ? {} : { it: given }
    assert.deepEqual(read(aForm(question), answers).errors, [], `${type} ${given}`)
    assert.deepEqual(
      read(aForm({ ...question, isRequired: true }), answers).errors,
      ['it required'],
      `${type} ${given}`,
    )
  }
})

test('form answers: a bound is reported by code and limit, on both sides of it', () => {
  const many = options('a', 'b', 'c')
  for (const [question, right, wrong, code, bounds] of [
    [{ type: 'text', validation: { minLength: 2 } }, '😀😀', '😀', 'too_short', { minimum: 2 }],
    [{ type: 'text', validation: { maxLength: 2 } }, '😀😀', '😀😀😀', 'too_long', { maximum: 2 }],
    [{ type: 'text' }, 'x'.repeat(255), 'x'.repeat(256), 'too_long', { maximum: 255 }],
    [{ type: 'textarea' }, 'x'.repeat(10_000), 'x'.repeat(10_001), 'too_long', { maximum: 10_000 }],
    [{ type: 'text', validation: { pattern: '[A-Z]{2}\\d+' } }, 'AB1', 'xAB1', 'pattern', {}],
    [{ type: 'text', validation: { pattern: 'a|b' } }, 'b', 'ab', 'pattern', {}],
    [{ type: 'number', validation: { min: 1 } }, '1', '0.9', 'too_small', { minimum: 1 }],
    [{ type: 'number', validation: { max: 9 } }, 9, 9.1, 'too_large', { maximum: 9 }],
    [{ type: 'number' }, '1', '1e5', 'format', {}],
    [{ type: 'number' }, '1', '1,5', 'format', {}],
    [{ type: 'number' }, 1, Number.POSITIVE_INFINITY, 'format', {}],
    [{ type: 'number' }, 1, true, 'wrong_type', {}],
    [{ type: 'date' }, '2024-02-29', '2026-02-29', 'format', {}],
    [
      { type: 'date', validation: { minDate: '2026-01-01' } },
      '2026-01-01',
      '2025-12-31',
      'too_early',
      { minimum: '2026-01-01' },
    ],
    [
      { type: 'date', validation: { maxDate: '2026-01-01' } },
      '2026-01-01',
      '2026-01-02',
      'too_late',
      { maximum: '2026-01-01' },
    ],
    [{ type: 'email' }, 'a@b.org', 'a@b@c', 'format', {}],
    [{ type: 'phone' }, '555 1234', 'call me', 'format', {}],
    [{ type: 'select', options: many }, 'a', 'A', 'not_in_options', {}],
    [{ type: 'multiselect', options: many }, ['a'], ['a', 'x'], 'not_in_options', {}],
    [{ type: 'multiselect', options: many, validation: { minItems: 2 } }, ['a', 'b'], ['a'], 'too_few', { minimum: 2 }],
    [
      { type: 'multiselect', options: many, validation: { maxItems: 1 } },
      ['a'],
      ['a', 'b'],
      'too_many',
      { maximum: 1 },
    ],
    [{ type: 'checkbox' }, 'on', 'maybe', 'wrong_type', {}],
    [{ type: 'text' }, 'a', ['a'], 'wrong_type', {}],
    [{ type: 'text' }, 'a', 'a\0', 'invalid_text', {}],
    [{ type: 'textarea' }, 'a', '\ud800', 'invalid_text', {}],
  ] as [Omit<Question, 'key'>, Json, unknown, string, object][]) {
    const form = aForm({ key: 'it', ...question })
    assert.deepEqual(read(form, { it: right }).errors, [], `${question.type} ${JSON.stringify(right)}`)
    const found = read(form, { it: wrong })
    assert.deepEqual([found.errors, found.bounds, found.values], [[`it ${code}`], [bounds], {}], JSON.stringify(wrong))
  }
})

test('form answers: files are checked by count, media type and size', () => {
  const file = (mimeType = 'application/pdf', sizeBytes = 1000): GivenFile => ({
    fieldKey: 'proof',
    mimeType,
    sizeBytes,
  })
  const form = aForm({ key: 'proof', type: 'file', isRequired: true, validation: { minItems: 2, maxItems: 3 } })
  assert.deepEqual(read(form, {}, [file(), file('image/png')]).errors, [])
  assert.deepEqual(read(form, {}).errors, ['proof required'])
  assert.deepEqual(read(form, {}, [file()]).errors, ['proof too_few'])
  assert.deepEqual(read(form, {}, Array(4).fill(file())).errors, ['proof too_many'])
  assert.deepEqual(read(form, {}, [file('text/html', 1001), file()]).errors, [
    'proof media_type_not_allowed',
    'proof file_too_large',
  ])
  const single = aForm({ key: 'proof', type: 'file' }, { key: 'name', type: 'text' })
  assert.deepEqual(read(single, {}, [file(), file()]).bounds, [{ maximum: 1 }])
  assert.deepEqual(read(single, { proof: 'a.pdf' }).errors, ['proof wrong_type'])
  assert.deepEqual(read(single, {}, [{ ...file(), fieldKey: 'name' }]).errors, ['name wrong_type'])
  assert.deepEqual(read(single, {}, [{ ...file(), fieldKey: 'other' }]).errors, ['other unknown_field'])
})

test('form answers: a hidden question is not required, and its answer is dropped', () => {
  const form = aForm(
    { key: 'bus', type: 'select', options: options('yes', 'no') },
    { key: 'stop', type: 'text', isRequired: true, visibleWhen: { field: 'bus', equals: 'yes' } },
    { key: 'far', type: 'checkbox', visibleWhen: { field: 'stop', isSet: true } },
    { key: 'ticket', type: 'file', isRequired: true, visibleWhen: { field: 'bus', equals: 'yes' } },
  )
  const ticket = { fieldKey: 'ticket', mimeType: 'text/html', sizeBytes: 1e9 }
  const hidden = read(form, { bus: 'no', stop: 'x'.repeat(999), far: 'on' }, [ticket])
  assert.deepEqual([hidden.errors, hidden.values, hidden.shown], [[], { bus: 'no' }, ['bus']])
  assert.deepEqual(read(form, { bus: 'yes' }).errors, ['stop required', 'ticket required'])
  const shown = read(form, { bus: 'yes', stop: 'Centro' }, [{ ...ticket, mimeType: 'image/png', sizeBytes: 1 }])
  assert.deepEqual([shown.errors, shown.shown], [[], ['bus', 'stop', 'far', 'ticket']])
})

test('form conditions: compare, and combine by all and any', () => {
  const asked = (visibleWhen: FormFieldRecord['visibleWhen']) =>
    aForm(
      { key: 'n', type: 'number' },
      { key: 'tick', type: 'checkbox' },
      { key: 'several', type: 'multiselect', options: options('a', 'b') },
      { key: 'it', type: 'text', visibleWhen },
    )
  const n2 = { field: 'n', equals: 2 }
  const hasA = { field: 'several', equals: 'a' }
  for (const [condition, answers, isShown] of [
    [n2, { n: '2' }, true],
    [n2, {}, false],
    [{ field: 'n', notEquals: 2 }, {}, true],
    [{ field: 'n', notEquals: 2 }, { n: 2 }, false],
    [{ field: 'n', in: [1, 2] }, { n: 2 }, true],
    [{ field: 'n', in: [] }, { n: 2 }, false],
    [{ field: 'n', isSet: false }, { n: 'x' }, true],
    [{ field: 'tick', isSet: true }, { tick: 'off' }, false],
    [{ field: 'tick', equals: true }, { tick: 'on' }, true],
    [hasA, { several: ['b', 'a'] }, true],
    [{ field: 'several', notEquals: 'a' }, { several: ['b', 'a'] }, false],
    [{ field: 'several', in: ['a', 'z'] }, { several: ['b'] }, false],
    [{ all: [n2, hasA] }, { n: 2 }, false],
    [{ any: [n2, hasA] }, { n: 2 }, true],
    [{ any: [{ all: [n2, hasA] }, { field: 'tick', equals: true }] }, { tick: true }, true],
    [{ all: [] }, {}, true],
  ] as const) {
    const shown = read(asked(condition), answers).shown.includes('it')
    assert.equal(shown, isShown, `${JSON.stringify(condition)} with ${JSON.stringify(answers)}`)
  }
})

test('form answers: every error is reported at once, unknown keys included, prototype names too', () => {
  const form = aForm(
    { key: 'name', type: 'text', isRequired: true },
    { key: 'age', type: 'number', validation: { min: 18 } },
    { key: 'mail', type: 'email' },
  )
  const sent = JSON.parse('{"age":"3","mail":"nobody","__proto__":"x","constructor":"y","hidden":1}')
  assert.deepEqual(read(form, sent).errors, [
    ...['name required', 'age too_small', 'mail format'],
    ...['__proto__ unknown_field', 'constructor unknown_field', 'hidden unknown_field'],
  ])
  const flood = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, '']))
  assert.equal(read(form, { ...flood, name: 'Ada' }).errors.length, 20)
})

test('form answers: every visible question is stored in order, unanswered ones included', () => {
  const form = aForm(
    { key: 'name', type: 'text', label: 'Your name' },
    { key: 'tick', type: 'checkbox' },
    { key: 'several', type: 'multiselect', options: options('a') },
    { key: 'proof', type: 'file' },
    { key: 'never', type: 'text', visibleWhen: { field: 'tick', equals: true } },
  )
  const found = parseAnswers(form, { name: 'Ada' }, [], limits)
  assert.deepEqual(
    toStoredAnswers(found, (key) => [`document of ${key}`]),
    [
      { fieldKey: 'name', label: 'Your name', type: 'text', value: 'Ada' },
      { fieldKey: 'tick', label: 'tick', type: 'checkbox', value: false },
      { fieldKey: 'several', label: 'several', type: 'multiselect', value: [] },
      { fieldKey: 'proof', label: 'proof', type: 'file', value: ['document of proof'] },
    ],
  )
})

const types = ['text', 'textarea', 'number', 'date', 'email', 'phone', 'select', 'multiselect', 'checkbox'] as const

const anyForm = fc
  .array(
    fc.record({
      type: fc.constantFrom(...types),
      isRequired: fc.boolean(),
      least: fc.integer({ min: 0, max: 3 }),
      most: fc.integer({ min: 3, max: 9 }),
      dependsOn: fc.option(fc.nat(9), { nil: null }),
      compared: fc.constantFrom('a', 1, true),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((questions) =>
    aForm(
      ...questions.map(({ type, isRequired, least: min, most: max, dependsOn, compared }, index) => ({
        key: `q${index}`,
        type,
        isRequired,
        options: type === 'select' || type === 'multiselect' ? options('a', 'b', 'c') : [],
        validation: { minLength: min, maxLength: max, min: min, max: max, minItems: min, maxItems: max },
        visibleWhen: dependsOn === null || index === 0 ? always : { field: `q${dependsOn % index}`, equals: compared },
      })),
    ),
  )

const anyAnswers = fc.dictionary(
  fc.constantFrom(...Array.from({ length: 11 }, (_, index) => `q${index}`)),
  fc.oneof(
    fc.constantFrom<unknown>('', 'a', 'b', 'on', '5', '2026-01-01', 'a@b.org', '555 1234', ['a', 'b'], true),
    fc.anything(),
  ),
)

test('form answers: any input is parsed without an exception, each error once, only visible questions stored', () => {
  fc.assert(
    fc.property(anyForm, anyAnswers, (form, answers) => {
      const { shown, values, errors: validationErrors } = parseAnswers(form, answers, [], limits)
      const keys = shown.map(({ key }) => key)
      for (const key of values.keys()) assert.ok(keys.includes(key))
      for (const { fieldKey, code } of validationErrors) assert.ok(keys.includes(fieldKey) || code === 'unknown_field')
      const reported = validationErrors.map(({ fieldKey, code }) => `${fieldKey} ${code}`)
      assert.equal(new Set(reported).size, reported.length)
      for (const { key, isRequired } of shown) {
        if (isRequired && !values.has(key)) assert.ok(validationErrors.some(({ fieldKey }) => fieldKey === key))
      }
    }),
    { numRuns: 500 },
  )
})

test('form answers: stored answers are valid and unchanged when sent again', () => {
  fc.assert(
    fc.property(anyForm, anyAnswers, (form, answers) => {
      const first = parseAnswers(form, answers, [], limits)
      if (first.errors.length > 0) return
      const second = parseAnswers(form, Object.fromEntries(first.values), [], limits)
      assert.deepEqual(second, first)
    }),
    { numRuns: 500 },
  )
})
