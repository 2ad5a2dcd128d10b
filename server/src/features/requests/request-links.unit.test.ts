import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { buildRequestToken, openRequestToken, RequestLinks } from './request-links.ts'

const secretKey = randomBytes(32).toString('base64')
const reference = { tenantId: randomUUID(), requestId: randomUUID() }
const token = buildRequestToken(secretKey, reference)

test('request tokens: open their own request, and are part of the address', () => {
  assert.deepEqual(openRequestToken(secretKey, token), reference)
  const links = new RequestLinks({ secretKey, publicUrl: 'https://matricula.example' })
  assert.equal(links.getAddress(reference), `https://matricula.example/r/${token}`)
})

test('request tokens: invalid when any character differs', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let position = 0; position < token.length; position += 1) {
    for (const character of alphabet) {
      if (character === token[position]) continue
      const altered = token.slice(0, position) + character + token.slice(position + 1)
      assert.equal(openRequestToken(secretKey, altered), null)
    }
  }
})

test('request tokens: invalid with another key, signature or form', () => {
  assert.equal(openRequestToken(randomBytes(32).toString('base64'), token), null)
  const unsigned = Buffer.concat([Buffer.from(token, 'base64url').subarray(0, 32), Buffer.alloc(16)])
  for (const other of ['', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, unsigned.toString('base64url')]) {
    assert.equal(openRequestToken(secretKey, other), null)
  }
  const swapped = buildRequestToken(secretKey, { tenantId: reference.requestId, requestId: reference.tenantId })
  assert.notEqual(swapped.slice(-20), token.slice(-20))
})
