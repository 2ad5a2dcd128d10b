import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles } from './generated-files.ts'

test('the generated files of the repository say what the declarations say', async () => {
  for (const { location, content } of generatedFiles()) {
    const stored = await readFile(location, 'utf8').catch(() => '')
    assert.ok(stored === content, `${location.pathname} is out of step: run npm run generate`)
  }
})
