import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../app/config.ts'
import { MailSettingError, parseMailFrom, parseSmtpUrl } from './mailer.ts'

test('SMTP_URL is a mail server with or without TLS and credentials, and carries no options', () => {
  for (const text of ['smtp://localhost', 'smtps://a%40b:p%2Fw@mail.example:465', 'smtp://[::1]:2525/']) {
    assert.equal(parseSmtpUrl(text).href.startsWith('smtp'), true)
  }
  for (const text of [
    '',
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://x:0',
    'smtp://x?pool=true',
    'smtp://x/a',
  ]) {
    assert.throws(() => parseSmtpUrl(text), MailSettingError, text)
  }
})

test('MAIL_FROM is an address, with or without a name', () => {
  assert.deepEqual(parseMailFrom('a@b.example'), { name: '', address: 'a@b.example' })
  assert.deepEqual(parseMailFrom('Hillside College <a@b.example>'), {
    name: 'Hillside College',
    address: 'a@b.example',
  })
  assert.deepEqual(parseMailFrom('"Hillside, College" <a@b.example>'), {
    name: 'Hillside, College',
    address: 'a@b.example',
  })
  for (const text of ['', 'Hillside', 'a@b@c', 'x <a b@c>', 'a@b\r\nBcc: c@d']) {
    assert.throws(() => parseMailFrom(text), MailSettingError, text)
  }
})

test('mail needs both settings or none; a wrong one stops the start with its name', () => {
  const [SMTP_URL, MAIL_FROM] = ['smtp://localhost:2525', 'a@b.example']
  assert.equal(readConfig({}).mail, null)
  assert.equal(readConfig({ MAIL_FROM }).mail, null)
  assert.deepEqual(readConfig({ SMTP_URL, MAIL_FROM }).mail, { smtpUrl: SMTP_URL, mailFrom: MAIL_FROM })
  for (const [environment, name] of [
    [{ SMTP_URL }, 'MAIL_FROM'],
    [{ SMTP_URL: 'localhost', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL, MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
  ] as const) {
    assert.throws(
      () => readConfig(environment),
      (error: Error) => error instanceof ConfigError && error.message.startsWith(name),
    )
  }
})
