import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVisible } from '../browser/visible-when.ts'
import { aField, aFormView } from '../example-views.fixture.ts'
import { renderFormPage } from './form-page.ts'
import type { FieldType } from './form-view.ts'

const options = [
  { value: 'yes', label: 'Certainly' },
  { value: 'no', label: 'No' },
]

test('a question may be called like what every object has', () => {
  assert.match(renderFormPage(aFormView([aField({ key: 'constructor' })])), /name="answer\.constructor"[^>]* value=""/)
})

test('every kind of question has a control with its name, a label and what was answered', () => {
  const expected: Record<FieldType, RegExp> = {
    text: /<input id="field-q" name="answer\.q"[^>]* value="yes">/,
    textarea: /<textarea rows="5" id="field-q"[^>]*>\nyes<\/textarea>/,
    number: /<input type="number"[^>]* value="yes">/,
    date: /<input type="date"[^>]* value="yes">/,
    email: /<input type="email"[^>]* value="yes">/,
    phone: /<input type="tel"[^>]* value="yes">/,
    select: /<option value="yes" selected>Certainly<\/option>/,
    multiselect: /<fieldset[\s\S]*<input type="checkbox" id="field-q-0" name="answer\.q" value="yes" checked/,
    checkbox: /<input type="checkbox" id="field-q" name="answer\.q" value="true"/,
    file: /<input type="file" id="field-q"/,
    signature: /<input class="signature"[^>]* value="yes">/,
  }
  for (const [type, pattern] of Object.entries(expected) as [FieldType, RegExp][]) {
    const field = aField({ key: 'q', label: 'Question', type, options: type.includes('select') ? options : [] })
    const html = renderFormPage(aFormView([field], { answers: { q: ['yes'] } }))
    assert.match(html, pattern, type)
    assert.match(html, type === 'multiselect' ? /<legend>Question/ : /<label for="field-q">Question/, type)
  }
})

test('a fault is said at its question and at the top, with what would be right', () => {
  const fields = [
    aField({ validation: { maxLength: 3 } }),
    aField({ key: 'born', label: 'Born?', type: 'date', validation: { maxDate: '2020-01-31' } }),
    aField({ key: 'tongue', label: 'Language', type: 'multiselect', options, validation: { minItems: 2 } }),
  ]
  const validationErrors = [
    { fieldKey: 'full_name', code: 'too_long', bounds: { maximum: 3 } },
    { fieldKey: 'born', code: 'too_late', bounds: { maximum: '2020-01-31' } },
    { fieldKey: 'tongue', code: 'too_few', bounds: { minimum: 2 } },
  ]
  const html = renderFormPage(aFormView(fields, { faults: validationErrors }))
  assert.match(html, /There are 3 problems/)
  assert.match(html, /<a href="#field-full_name">Full name: Write at most 3 characters\.<\/a>/)
  assert.match(html, /<a href="#field-born">Born: Enter January 31, 2020 or an earlier day\.<\/a>/)
  assert.match(html, /<a href="#field-tongue-0">Language: Choose at least 2\.<\/a>/)
  assert.match(html, /aria-describedby="fault-full_name" aria-invalid="true"/)
})

test('a question under a condition is there, says its condition in words, and carries it for the script', () => {
  const fields = [
    aField({ key: 'bus', label: 'Bus?', type: 'select', options }),
    aField({ key: 'stop', label: 'Stop', visibleWhen: { field: 'bus', equals: 'yes' } }),
    aField({ key: 'why', label: 'Why', visibleWhen: { any: [{ field: 'bus', equals: 'no' }, { all: [] }] } }),
  ]
  const html = renderFormPage(aFormView(fields))
  assert.match(html, /Answer only if “Bus\?” is Certainly\./)
  assert.match(html, /Answer only if it applies, given your answers above\./)
  assert.match(html, /data-when="\{&#34;field&#34;:&#34;bus&#34;,&#34;equals&#34;:&#34;yes&#34;\}"/)
})

test('what was typed stands in the form again as text', () => {
  const html = renderFormPage(aFormView([aField()], { answers: { full_name: ['"><script>x</script>'] } }))
  assert.doesNotMatch(html, /<script>x/)
})

test('conditions compare texts, numbers, boxes and choices, alone or together', () => {
  const answers: Record<string, string[]> = { bus: ['yes'], age: ['12'], box: ['true'], many: ['a', 'b'], empty: [] }
  const given = (key: string) => answers[key] ?? []
  for (const [when, expected] of [
    [{ all: [] }, true],
    [{ any: [] }, false],
    [{ field: 'bus', equals: 'yes' }, true],
    [{ field: 'bus', notEquals: 'yes' }, false],
    [{ field: 'age', equals: 12 }, true],
    [{ field: 'box', equals: true }, true],
    [{ field: 'empty', notEquals: true }, true],
    [{ field: 'empty', equals: false }, false],
    [{ field: 'many', equals: 'b' }, true],
    [{ field: 'many', in: ['x', 'a'] }, true],
    [{ field: 'none', isSet: true }, false],
    [{ field: 'none', isSet: false }, true],
    [
      {
        all: [
          { field: 'bus', equals: 'yes' },
          { field: 'age', equals: 13 },
        ],
      },
      false,
    ],
    [
      {
        any: [
          { field: 'bus', equals: 'no' },
          { field: 'age', equals: 12 },
        ],
      },
      true,
    ],
  ] as const) {
    assert.equal(isVisible(when, given), expected, JSON.stringify(when))
  }
})
