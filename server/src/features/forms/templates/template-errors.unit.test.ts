import assert from 'node:assert/strict'
import { test } from 'node:test'
import { always, type TemplateSettings } from '../form-definition.ts'
import { templateErrors } from './template-errors.ts'

type Field = TemplateSettings['fields'][number]

function aField(key: string, field: Partial<Field> = {}): Field {
  return {
    key,
    label: key,
    type: 'text',
    isRequired: false,
    options: [],
    helpText: '',
    validation: {},
    visibleWhen: always,
    section: '',
    ...field,
  }
}

function getErrors(settings: Partial<TemplateSettings>): string[] {
  const template: TemplateSettings = {
    key: 'it',
    name: 'It',
    description: '',
    category: '',
    status: 'draft',
    isPublic: true,
    entityType: 'none',
    sections: [],
    fields: [],
    mapping: {},
    translations: {},
    ...settings,
  }
  return templateErrors(template).map(({ path, detail }) => `${path.join('.')}: ${detail}`)
}

function fieldError(field: Partial<Field>, ...earlier: Field[]): string {
  const found = getErrors({ fields: [...earlier, aField('it', field)] })
  assert.ok(found.length <= 1, found.join('\n'))
  return found[0] ?? ''
}

const yesNo = ['yes', 'no'].map((value) => ({ value, label: value }))

test('form templates: keys are unique, and a question belongs to a section of its form', () => {
  assert.deepEqual(
    getErrors({
      sections: [
        { key: 'one', title: 'One' },
        { key: 'one', title: 'Again' },
      ],
      fields: [aField('name', { section: 'one' }), aField('name', { section: 'two' })],
    }),
    [
      'sections.1.key: one is used twice; every key must be unique',
      'fields.1.key: name is used twice; every key must be unique',
      'fields.1.section: two is not a section of this form; its sections: one, one',
    ],
  )
})

test('form templates: only choices have options, each once', () => {
  assert.match(fieldError({ type: 'select' }), /^fields\.0\.options: a select needs options/)
  assert.match(fieldError({ type: 'text', options: yesNo }), /a text has no options/)
  assert.match(
    fieldError({ type: 'select', options: [...yesNo, ...yesNo.slice(1)] }),
    /options\.2\.value: no is used twice/,
  )
  assert.equal(fieldError({ type: 'multiselect', options: yesNo }), '')
})

test('form templates: a bound is valid for its type only, and the minimum is not above the maximum', () => {
  assert.match(
    fieldError({ type: 'number', validation: { maxLength: 1 } }),
    /maxLength: is not allowed for a number, which/,
  )
  assert.match(fieldError({ type: 'checkbox', validation: { min: 1 } }), /takes nothing/)
  assert.match(fieldError({ validation: { minLength: 3, maxLength: 2 } }), /minLength: 3 is more than the maximum/)
  assert.match(
    fieldError({ type: 'date', validation: { minDate: '2027-01-01', maxDate: '2026-01-01' } }),
    /minDate: 2027/,
  )
  assert.match(fieldError({ validation: { pattern: '(a+)+' } }), /pattern: could take too long/)
  assert.match(fieldError({ type: 'file', validation: { maxItems: 21 } }), /maxItems: must be at most 20/)
  assert.equal(fieldError({ validation: { pattern: 'a*a*', minLength: 1, maxLength: 9 } }), '')
})

test('form templates: a condition compares an earlier question with a possible answer', () => {
  const bus = aField('bus', { type: 'select', options: yesNo })
  const age = aField('age', { type: 'number' })
  const proof = aField('proof', { type: 'file' })
  const conditionError = (visibleWhen: Field['visibleWhen']) => fieldError({ visibleWhen }, bus, age, proof)
  assert.equal(conditionError({ all: [{ field: 'bus', in: ['yes'] }, { any: [{ field: 'proof', isSet: true }] }] }), '')
  assert.match(
    conditionError({ field: 'it', isSet: true }),
    /visibleWhen\.field: it is not the key of an earlier question/,
  )
  assert.match(
    conditionError({ field: 'bus', equals: 'maybe' }),
    /visibleWhen\.equals: maybe is not an option of bus; its .*yes, no/,
  )
  assert.match(
    conditionError({ field: 'bus', equals: true }),
    /true is never an answer to bus, which is a text in quotes/,
  )
  assert.match(conditionError({ all: [{ field: 'age', equals: '3' }] }), /all\.0\.equals: 3 is never an answer to age/)
  assert.match(conditionError({ field: 'proof', equals: 'x' }), /must be isSet: proof is a file/)
  assert.match(conditionError({ field: 'bus' }), /visibleWhen: takes field with one of/)
  assert.match(conditionError({ field: 'bus', equals: 'yes', isSet: true }), /takes field with one of/)
  assert.match(conditionError({ field: 'bus', equals: 'yes', all: [] }), /takes field with one of/)
  assert.match(conditionError({}), /takes field with one of/)
  assert.match(conditionError({ any: [] }), /any: must contain a condition/)
})

test('form templates: a mapping fits the type of its question, and an application gets a name', () => {
  const name = aField('name', { isRequired: true })
  const application = (mapping: TemplateSettings['mapping'], ...fields: Field[]) =>
    getErrors({ entityType: 'application', fields: [name, ...fields], mapping })
  const mail = aField('mail', { type: 'email' })
  assert.deepEqual(application({ name: 'fullName', mail: 'email' }, mail), [])
  assert.deepEqual(application({ name: 'fullName', mail: 'contact.email' }, mail), [])
  assert.deepEqual(application({ name: 'fullName', mail: 'customFields.mail' }, mail), [])
  const [error] = application({ name: 'contact.displayName' })
  assert.match(error ?? '', /^mapping: an application needs a name/)
  const hidden = aField('other', { isRequired: true, visibleWhen: { field: 'name', isSet: true } })
  assert.match(application({ other: 'fullName' }, hidden)[0] ?? '', /needs a name/)
  for (const [mapping, field, pattern] of [
    [{ nobody: 'email' }, mail, /mapping\.nobody: nobody is not a question/],
    [{ mail: 'status' }, mail, /status is not a member of an application; members: fullName/],
    [{ mail: 'phone' }, mail, /phone takes a question of type phone/],
    [{ mail: 'fullName' }, mail, /fullName is already mapped from another question/],
    [{ city: 'city' }, aField('city'), /city has at most 120 characters; set validation\.maxLength of city/],
    [{ proof: 'customFields.x' }, aField('proof', { type: 'file' }), /becomes a document/],
  ] as const) {
    const found = application({ name: 'fullName', ...mapping } as TemplateSettings['mapping'], field)
    assert.match(found.join('\n'), pattern)
    assert.equal(found.length, 1)
  }
  assert.match(
    getErrors({ mapping: { name: 'fullName' }, fields: [name] })[0] ?? '',
    /is only allowed with entityType application/,
  )
})
