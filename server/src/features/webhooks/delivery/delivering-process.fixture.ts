import { pino } from 'pino'
import { type Connection, Database } from '../../../database/index.ts'
import { parseNetworks } from '../../../outbound-http/index.ts'
import { deliverySender } from './delivery-sender.ts'
import { startDeliveries } from './start-deliveries.ts'

/** Delivers until it is killed: one of several processes or services that deliver from one database. */
const [connection, secretKey] = process.argv.slice(2) as [string, string]
const database = new Database(JSON.parse(connection) as Connection)
const config = { secretKey, webhookAllowedNetworks: parseNetworks('127.0.0.0/8') }
startDeliveries(database, deliverySender(config), pino({ level: 'error' }))
process.on('disconnect', () => process.exit(0))
