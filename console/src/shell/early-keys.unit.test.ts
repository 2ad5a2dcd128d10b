import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepEarlyKeys } from './early-keys.ts'

const press = (target: EventTarget, key: string, more: object = {}) => {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...more })
  target.dispatchEvent(event)
  return event.defaultPrevented
}

test('what is typed before its field is there is kept in order, and taken once', () => {
  const target = new EventTarget()
  const early = keepEarlyKeys(target)
  for (const key of ['g', 'ä', ' ', 'x', 'Backspace', '😀']) assert.equal(press(target, key), true)
  for (const [key, more] of [
    ['Enter', {}],
    ['Escape', {}],
    ['k', { ctrlKey: true }],
    ['v', { metaKey: true }],
    ['n', { isComposing: true }],
  ] as const) {
    assert.equal(press(target, key, more), false, key)
  }
  assert.equal(early.take(), 'gä 😀')
  assert.equal(press(target, 'z'), false)
  assert.equal(early.take(), '')
})
