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

function faults(settings: Partial<TemplateSettings>): string[] {
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

function getError(field: Partial<Field>, ...earlier: Field[]): string {
  const found = faults({ fields: [...earlier, aField('it', field)] })
  assert.ok(found.length <= 1, found.join('\n'))
  return found[0] ?? ''
}

const yesNo = ['yes', 'no'].map((value) => ({ value, label: value }))

test('keys are their own, and a question stands in a section of its form', () => {
  assert.deepEqual(
    faults({
      sections: [
        { key: 'one', title: 'One' },
        { key: 'one', title: 'Again' },
      ],
      fields: [aField('name', { section: 'one' }), aField('name', { section: 'two' })],
    }),
    [
      'sections.1.key: one stands there twice; every key must be its own',
      'fields.1.key: name stands there twice; every key must be its own',
      'fields.1.section: two is no section of this form; its sections: one, one',
    ],
  )
})

test('choices have options, each once; nothing else has', () => {
  assert.match(getError({ type: 'select' }), /^fields\.0\.options: a select needs options/)
  assert.match(getError({ type: 'text', options: yesNo }), /a text has no options/)
  assert.match(getError({ type: 'select', options: [...yesNo, ...yesNo.slice(1)] }), /options\.2\.value: no stands/)
  assert.equal(getError({ type: 'multiselect', options: yesNo }), '')
})

test('a bound goes with the type of its question, and the lower one is not above the upper one', () => {
  assert.match(
    getError({ type: 'number', validation: { maxLength: 1 } }),
    /maxLength: does not go with a number, which/,
  )
  assert.match(getError({ type: 'checkbox', validation: { min: 1 } }), /takes nothing/)
  assert.match(getError({ validation: { minLength: 3, maxLength: 2 } }), /minLength: 3 is more than the largest/)
  assert.match(
    getError({ type: 'date', validation: { minDate: '2027-01-01', maxDate: '2026-01-01' } }),
    /minDate: 2027/,
  )
  assert.match(getError({ validation: { pattern: '(a+)+' } }), /pattern: could take too long/)
  assert.match(getError({ type: 'file', validation: { maxItems: 21 } }), /maxItems: at most 20 files/)
  assert.equal(getError({ validation: { pattern: 'a*a*', minLength: 1, maxLength: 9 } }), '')
})

test('a condition asks an earlier question for something that it can answer', () => {
  const bus = aField('bus', { type: 'select', options: yesNo })
  const age = aField('age', { type: 'number' })
  const proof = aField('proof', { type: 'file' })
  const fault = (visibleWhen: Field['visibleWhen']) => getError({ visibleWhen }, bus, age, proof)
  assert.equal(fault({ all: [{ field: 'bus', in: ['yes'] }, { any: [{ field: 'proof', isSet: true }] }] }), '')
  assert.match(fault({ field: 'it', isSet: true }), /visibleWhen\.field: it is no question before this one/)
  assert.match(
    fault({ field: 'bus', equals: 'maybe' }),
    /visibleWhen\.equals: maybe is no option of bus; its .*yes, no/,
  )
  assert.match(fault({ field: 'bus', equals: true }), /true is never an answer to bus, which is a text in quotes/)
  assert.match(fault({ all: [{ field: 'age', equals: '3' }] }), /all\.0\.equals: 3 is never an answer to age/)
  assert.match(fault({ field: 'proof', equals: 'x' }), /of the file proof only isSet/)
  assert.match(fault({ field: 'bus' }), /visibleWhen: takes field with one of/)
  assert.match(fault({ field: 'bus', equals: 'yes', isSet: true }), /takes field with one of/)
  assert.match(fault({ field: 'bus', equals: 'yes', all: [] }), /takes field with one of/)
  assert.match(fault({}), /takes field with one of/)
  assert.match(fault({ any: [] }), /any: never holds/)
})

test('a mapping leads from a question to a field that takes it, and an application always gets a name', () => {
  const name = aField('name', { isRequired: true })
  const application = (mapping: TemplateSettings['mapping'], ...fields: Field[]) =>
    faults({ entityType: 'application', fields: [name, ...fields], mapping })
  const mail = aField('mail', { type: 'email' })
  assert.deepEqual(application({ name: 'fullName', mail: 'email' }, mail), [])
  assert.deepEqual(application({ name: 'fullName', mail: 'contact.email' }, mail), [])
  assert.deepEqual(application({ name: 'fullName', mail: 'customFields.mail' }, mail), [])
  const [validationError] = application({ name: 'contact.displayName' })
  assert.match(validationError ?? '', /^mapping: an application needs a name/)
  const hidden = aField('other', { isRequired: true, visibleWhen: { field: 'name', isSet: true } })
  assert.match(application({ other: 'fullName' }, hidden)[0] ?? '', /needs a name/)
  for (const [mapping, field, messages] of [
    [{ nobody: 'email' }, mail, /mapping\.nobody: nobody is no question/],
    [{ mail: 'status' }, mail, /status is no field of an application: fullName/],
    [{ mail: 'phone' }, mail, /phone takes a question of type phone/],
    [{ mail: 'fullName' }, mail, /fullName is filled by another question/],
    [{ city: 'city' }, aField('city'), /city has at most 120 characters; set validation\.maxLength of city/],
    [{ proof: 'customFields.x' }, aField('proof', { type: 'file' }), /becomes a document/],
  ] as const) {
    const found = application({ name: 'fullName', ...mapping } as TemplateSettings['mapping'], field)
    assert.match(found.join('\n'), messages)
    assert.equal(found.length, 1)
  }
  assert.match(faults({ mapping: { name: 'fullName' }, fields: [name] })[0] ?? '', /goes with entityType application/)
})
