import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewMessages } from '../documents/preview-messages.ts'
import { sentences } from '../messages/sentences.ts'
import { splitMessages } from '../records/page/split-messages.ts'
import { applicationMessages } from './admissions/application-messages.ts'
import { boardMessages } from './admissions/board-messages.ts'
import { attendanceMessages } from './attendance/attendance-messages.ts'
import { importMessages } from './imports/import-messages.ts'
import { cardMessages } from './report-cards/card-messages.ts'
import { requestMessages } from './requests/request-messages.ts'

test('a screen with sentences of its own has them in each language', () => {
  for (const messages of [
    applicationMessages,
    attendanceMessages,
    boardMessages,
    cardMessages,
    importMessages,
    previewMessages,
    requestMessages,
    splitMessages,
  ]) {
    const own = new Map(sentences(messages.en))
    for (const language of ['es', 'pt'] as const) {
      const spoken = sentences(messages[language])
      assert.deepEqual(
        spoken.map(([location]) => location),
        [...own.keys()],
      )
      const left = spoken.filter(([location, text]) => text === own.get(location))
      assert.deepEqual(left, [], language)
    }
  }
})
