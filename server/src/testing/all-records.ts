import { CardGateway } from '../features/billing/index.ts'
import { recordsOver } from '../record-protocol.ts'

/** Everything that the Resource and Method API reads, writes and calls; its card gateway answers nothing. */
export const records = recordsOver(new CardGateway('http://127.0.0.1:9'))
