import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createClient } from '@matricula/client'
import { Bridge } from './bridge.ts'
import { Ledger } from './ledger.ts'
import { createReceiver } from './receiver.ts'

const usage = `Writes a ledger of what is paid, as webhooks tell of it. It reads from the environment:

  MATRICULA_URL      address of the service; http://127.0.0.1:8080 unless set
  MATRICULA_TOKEN    a token with the scopes events:read and payments:read
  WEBHOOK_SECRET     whsec_…, as the endpoint was made with it
  LEDGER_FOLDER      where ledger.csv is kept; ./ledger unless set
  PORT               where it listens for webhooks, on this machine alone; 9090 unless set
`

const { MATRICULA_URL = 'http://127.0.0.1:8080', MATRICULA_TOKEN, WEBHOOK_SECRET, PORT = '9090' } = process.env
const { LEDGER_FOLDER = 'ledger' } = process.env

if (!MATRICULA_TOKEN || !WEBHOOK_SECRET) {
  process.stderr.write(usage)
  process.exit(2)
}

const say = (line: string) => process.stderr.write(`${line}\n`)
const tell = (error: unknown) => say(error instanceof Error ? error.message : String(error))

await mkdir(LEDGER_FOLDER, { recursive: true })
const ledger = await Ledger.open(LEDGER_FOLDER)
const client = createClient({ url: MATRICULA_URL, token: MATRICULA_TOKEN, onWait: say })
const bridge = new Bridge(client, ledger)
const receiver = createReceiver({ secret: WEBHOOK_SECRET, onWebhook: () => bridge.catchUp(), onFailure: tell })

// It listens first: what happens while it catches up is told by a webhook.
receiver.listen(Number(PORT), '127.0.0.1')
await once(receiver, 'listening')
say(`listening on port ${(receiver.address() as AddressInfo).port}`)
await bridge.catchUp().then(() => say('caught up'), tell)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    receiver.close(async () => {
      await ledger.close()
      process.exit(0)
    })
    receiver.closeIdleConnections()
  })
}
