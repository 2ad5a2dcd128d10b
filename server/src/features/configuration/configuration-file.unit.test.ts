import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommandError } from '../../errors/command-error.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { readConfiguration } from './configuration-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'matricula-configuration-'))
afterFile(() => rm(folder, { recursive: true }))

async function read(text: string) {
  const file = join(folder, 'institution.yaml')
  await writeFile(file, text)
  return readConfiguration(file)
}

/** What is said of a file that is refused, line by line. */
async function refused(text: string): Promise<string[]> {
  const error = await read(text).then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CommandError, String(error))
  return error.message.split('\n').slice(1)
}

test('JSON is read as YAML is', async () => {
  const settings = { documentTypes: [{ key: 'photo', name: 'Portrait' }] }
  assert.deepEqual((await read(JSON.stringify(settings, null, '\t'))).configuration, settings)
})

test('every fault of form is told at once, with its line and what would be right', async () => {
  const text = `documentTypes:
  - key: photo
    maxSizeBytes: big
  - name: Nameless
surprise: 1
formTemplates:
  - key: leave
    name: Leave
    fields:
      - { key: why, label: Why, type: essay }
      - key: DAYS
        label: 3
        type: number
`
  assert.deepEqual(await refused(text), [
    '  line 3: documentTypes[1].maxSizeBytes: must be of type integer',
    '  line 4: documentTypes[2].key: is required',
    '  line 5: surprise: is not known here; there are: documentTypes, pipelineStatuses, requirementProfiles, formTemplates, roles, sessions, disclosures, oneroster, billing, issuers, requiredFactors, customFields',
    `  line 10: formTemplates[1].fields[1].type: must be one of text, textarea, number, date, email, phone, select, multiselect, checkbox, file, signature`,
    '  line 11: formTemplates[1].fields[2].key: must match the pattern ^[a-z][a-z0-9_-]*$',
    '  line 12: formTemplates[1].fields[2].label: must be of type string or object',
  ])
})

test('what is no YAML is told by line', async () => {
  for (const [text, line] of [
    ['documentTypes:\n  - key: photo\n    key: other\n', /^ {2}line 3: Map keys must be unique/],
    ['documentTypes: [\n', /^ {2}line 2: Flow sequence/],
  ] as const) {
    assert.match((await refused(text)).join('\n'), line)
  }
  for (const [text, pattern] of [
    ['just text', /holds no settings\. Begin with one of: documentTypes, /],
    ['', /holds no settings/],
    ['documentTypes: *nowhere', /alias/],
  ] as const) {
    await assert.rejects(read(text), (error) => error instanceof CommandError && pattern.test(error.message))
  }
  const missing = join(folder, 'missing.yaml')
  await assert.rejects(readConfiguration(missing), (error) => {
    assert.ok(error instanceof CommandError && error.code === 'invalid_file')
    assert.match(error.message, /missing\.yaml does not exist\. Check its name/)
    return true
  })
  await assert.rejects(readConfiguration(folder), /cannot be read \(EISDIR\)/)
})
