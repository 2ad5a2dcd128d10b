import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSealed, SealError, SecretSeal, sealedLength } from './sealed-secrets.ts'

const seal = new SecretSeal('a secret key of at least 32 characters')

test('a sealed secret opens for its purpose under its key, and tells only how long it is', () => {
  for (const secret of ['', 'x', 'rzp_secret', 'contraseña', '<script>&</script>']) {
    const stored = seal.seal(secret, 'one')
    assert.ok(isSealed(stored), stored)
    assert.ok(secret.length < 2 || !stored.includes(secret))
    assert.equal(seal.open(stored, 'one'), secret)
    assert.equal(sealedLength(stored), Buffer.byteLength(secret))
    assert.notEqual(seal.seal(secret, 'one'), stored)
    assert.ok(seal.isOwn(stored))
  }
})

test('under another key it says which key it needs and what to do; for another purpose, altered or damaged, that it must be entered anew', () => {
  const stored = seal.seal('secret', 'one')
  const other = new SecretSeal('another secret key of 32 characters and more')
  const refused = (error: unknown) =>
    error instanceof SealError &&
    error.message.includes(`key id ${seal.keyId}`) &&
    /SECRET_KEY again/.test(error.message)
  assert.throws(() => other.open(stored, 'one'), refused)
  assert.ok(!other.isOwn(stored))
  const altered = stored.replace(/([\w-])([\w-]{3})$/, (_, first, rest) => `${first === 'A' ? 'B' : 'A'}${rest}`)
  const swapped = stored.replace(/:([\w-])([\w-]{15}):/, (_, first, rest) => `:${first === 'A' ? 'B' : 'A'}${rest}:`)
  for (const text of [altered, swapped, 'sealed:1:', 'plain', '']) {
    assert.throws(
      () => seal.open(text, 'one'),
      (error) => error instanceof SealError && /anew/.test(error.message),
      text,
    )
  }
  assert.throws(() => seal.open(stored, 'two'), SealError)
  assert.ok(!isSealed('sealed:1:not really'))
})
