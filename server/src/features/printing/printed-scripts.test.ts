import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)

/** The last name of somebody by its script. */
const names: Readonly<Record<string, string>> = {
  Latin: 'Żółkiewski',
  Vietnamese: 'Nguyễn',
  Cyrillic: 'Ковалёва',
  Greek: 'Παπαδόπουλος',
  Arabic: 'الرحمن',
  Hebrew: 'גוריון',
  Devanagari: 'विद्यार्थी',
  Bengali: 'রবীন্দ্রনাথ',
  Gurmukhi: 'ਗੁਰਪ੍ਰੀਤ',
  Gujarati: 'નરેન્દ્ર',
  Oriya: 'ଜଗନ୍ନାଥ',
  Tamil: 'தமிழ்ச்செல்வி',
  Telugu: 'శ్రీనివాస్',
  Kannada: 'ಶ್ರೀನಿವಾಸ',
  Malayalam: 'ശ്രീജിത്ത്',
  Sinhala: 'ශ්‍රී',
  Thai: 'สมชาย',
  Lao: 'ສົມສັກ',
  Khmer: 'សុខា',
  Myanmar: 'အောင်ဆန်း',
  Tibetan: 'བསྟན་འཛིན',
  Georgian: 'გიორგი',
  Armenian: 'Արմեն',
  Ethiopic: 'አበበ',
  Chinese: '王小明',
  'Chinese of Taiwan': '陳大文',
  Korean: '김민준',
  Japanese: 'さくら田中',
  'rare Chinese': '𠮷田',
  Syriac: 'ܐܒܪܗܡ',
  Cherokee: 'ᏣᎳᎩ',
  Inuktitut: 'ᐃᓄᒃᑎᑐᑦ',
}

const hasReader = spawnSync('pdftotext', ['-v']).error === undefined
const skip = !hasReader && 'pdftotext is not installed: apt-get install poppler-utils'

const listed = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The characters of a text in any order: readers put what is read from right to left in one that is their own. */
const sorted = (text: string) =>
  [...listed.segment(text)]
    .map(({ segment }) => segment)
    .sort()
    .join('')

test('names in more than 25 scripts are printed, read back by pdftotext, on a document with a title and a language', {
  skip,
}, async () => {
  const made = new Map<string, string>()
  for (const [script, last_name] of Object.entries(names)) {
    const { status, body, text } = await api.post('/api/resource/Guardian', { guardian_name: `Ann ${last_name}` })
    assert.equal(status, 200, `${script}: ${text}`)
    made.set(script, body.data.name)
  }
  const folder = await mkdtemp(join(tmpdir(), 'matricula-pdf-'))
  try {
    for (const [script, name] of made) {
      const query = new URLSearchParams({ doctype: 'Guardian', name, format: 'Standard' })
      const { status, bytes } = await api.get(`/api/method/frappe.utils.print_format.download_pdf?${query}`)
      assert.equal(status, 200, script)
      const file = join(folder, 'printed.pdf')
      await writeFile(file, bytes)
      const { stdout } = spawnSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' })
      const last = names[script] as string
      const found = stdout
        .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
        .split(/\s+/)
        .some((word) => word === last || sorted(word) === sorted(last))
      assert.ok(found, `${script}: ${last} is not in\n${stdout}`)
      assert.ok(!/\?/.test(stdout), `${script}: ${stdout}`)
      const start = bytes.toString('latin1')
      assert.match(start, /\/Lang \(en\)/)
      assert.match(start, /\/Marked true/)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
