import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfFile, getStoredFileAddress } from './place.ts'

test('a page asks by itself for a single file below those of the institution, and for nothing else that somebody typed', () => {
  for (const stored of ['/files/photo.png', '/private/files/Zoë 1..2.pdf', '/files/a%20b.png', '/files/..a']) {
    assert.equal(getStoredFileAddress(stored), stored)
  }
  const others = [
    '',
    'photo.png',
    '/files/',
    '/files/.',
    '/files/..',
    '/files/%2e%2E',
    '/files/.%2e',
    '/files/.\t.',
    '/files/photo.png\n',
    '/files/../api/method/logout',
    '/files/..%2fapi%2fmethod%2flogout',
    '/files/..%5Capi',
    '/files/..\\api\\method\\logout',
    '/files/photo.png?fid=1',
    '/files/photo.png#top',
    '/api/method/logout',
    '//elsewhere.example/files/photo.png',
    'https://elsewhere.example/files/photo.png',
    'javascript:alert(1)',
  ]
  for (const other of others) assert.equal(getStoredFileAddress(other), null, other)
})

test('a link leads to files of the institution and to the web, and nowhere else', () => {
  assert.equal(addressOfFile('https://elsewhere.example/photo.png'), 'https://elsewhere.example/photo.png')
  assert.equal(addressOfFile('/private/files/photo.png'), '/private/files/photo.png')
  for (const other of ['/api/method/logout', 'javascript:alert(1)', '//elsewhere.example/x']) {
    assert.equal(addressOfFile(other), null, other)
  }
})
