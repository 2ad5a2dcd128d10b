import assert from 'node:assert/strict'
import { test } from 'node:test'
import { S3FileStore } from '../../../storage/backends/s3-file-store.ts'
import { consoleHeaders, FileOrigins } from './console-pages.ts'

const publicUrl = 'https://matricula.example/'
const signing = (address: string) => ({ signDownload: async () => address })

test('console CSP: files of the public address and of the storage may be shown, fetched and framed, not run', async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })
  const store = S3FileStore.open({ bucket: 'bucket', prefix: '', endpoint: null, region: 'eu-central-1' })
  const policy = consoleHeaders(await new FileOrigins({ store, publicUrl }).all())['content-security-policy'] ?? ''
  const directives = new Map(policy.split('; ').map((each) => [each.split(' ', 1)[0], each]))
  for (const name of ['img-src', 'connect-src', 'frame-src']) {
    assert.ok(
      directives.get(name)?.endsWith(' https://matricula.example https://bucket.s3.eu-central-1.amazonaws.com'),
      name,
    )
  }
  assert.equal(directives.get('script-src'), "script-src 'self'")
  assert.equal(directives.get('style-src'), "style-src 'self'")
})

test('console CSP: an origin appears once, and a storage that cannot sign is retried', async () => {
  const own = new FileOrigins({ store: signing('https://matricula.example/files/signed/a'), publicUrl })
  assert.deepEqual(await own.all(), ['https://matricula.example'])
  const addresses = ['', 'https://storage.example:9000/a']
  const late = new FileOrigins({ store: { signDownload: async () => addresses.shift() ?? '' }, publicUrl })
  assert.deepEqual(await late.all(), ['https://matricula.example'])
  assert.deepEqual(await late.all(), ['https://matricula.example', 'https://storage.example:9000'])
})
