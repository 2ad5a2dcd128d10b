import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewWords } from '../documents/preview-words.ts'
import { sentences } from '../messages/sentences.ts'
import { splitWords } from '../records/page/split-messages.ts'
import { applicationWords } from './admissions/application-words.ts'
import { boardWords } from './admissions/board-words.ts'
import { requestWords } from './requests/requests-words.ts'

test('a screen with sentences of its own has them in each language', () => {
  for (const words of [applicationWords, boardWords, previewWords, requestWords, splitWords]) {
    const own = new Map(sentences(words.en))
    for (const language of ['es', 'pt'] as const) {
      const spoken = sentences(words[language])
      assert.deepEqual(
        spoken.map(([place]) => place),
        [...own.keys()],
      )
      const left = spoken.filter(([place, text]) => text === own.get(place))
      assert.deepEqual(left, [], language)
    }
  }
})
