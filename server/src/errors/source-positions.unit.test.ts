import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const program = `
  const { inSources } = await import(${JSON.stringify(new URL('source-positions.js', import.meta.url).href)})
  const { parseCursor } = await import(${JSON.stringify(new URL('../listing/page-cursor.js', import.meta.url).href)})
  try { parseCursor('none') } catch (error) { console.log(JSON.stringify([error.stack, inSources(error.stack)])) }`

test('a place in the program is told as a place in its source, and one that has none as it is', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const [compiled, reported] = JSON.parse(stdout || JSON.stringify(['', stderr])) as [string, string]
  assert.match(compiled, /at parseCursor \(file:\S+\/listing\/page-cursor\.js:\d+:\d+\)/)
  assert.match(reported, /at parseCursor \(\/\S+\/listing\/page-cursor\.ts:\d+:\d+\)/)
  assert.doesNotMatch(reported, /listing\/\S+\.js/)
  assert.match(reported, /\[eval1\]:\d+:\d+/)
})
