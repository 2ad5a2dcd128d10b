import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles, whyNotGenerated } from './generated-files.ts'

const skip = whyNotGenerated() ?? false

test('the generated files of the client say what the declarations say', { skip }, async () => {
  for (const { location, content } of await generatedFiles()) {
    const stored = await readFile(location, 'utf8').catch(() => '')
    assert.ok(stored === content, `${location.pathname} is out of step: run npm run generate`)
  }
})
