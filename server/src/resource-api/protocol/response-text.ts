import type { Chunks } from '../../http/index.ts'
import { jsonOfRows } from '../../http/index.ts'
import type { RowStream, WorkMessage } from '../../record-engine/index.ts'
import type { CallResponse } from './call.ts'
import type { Target } from './target.ts'

/** Streams the JSON text of a response whose rows are read while it is sent. */
export function responseText(target: Target, response: CallResponse, rows: RowStream, isExpired: boolean): Chunks {
  return jsonOfRows((all) => responseBody(target, { ...response, result: rows.resultOf(all) }, isExpired), rows)
}

/** The body of a response: the result under `data`, or under `message` for methods of version 1. */
export function responseBody(target: Target, response: CallResponse, isExpired: boolean): object {
  const { result, documents = [], members = {}, messages = [], debug = [] } = response
  const key = target.version === 2 || target.action !== 'method' ? 'data' : 'message'
  return {
    ...(result !== undefined && result !== null && { [key]: result }),
    ...(documents.length > 0 && { docs: documents }),
    ...members,
    ...(messages.length > 0 && told(messages, target.version)),
    ...(debug.length > 0 && (target.version === 2 ? { debug } : { _debug_messages: JSON.stringify(debug) })),
    ...(isExpired && target.version === 1 && { session_expired: 1 }),
  }
}

function told(messages: readonly WorkMessage[], version: Target['version']): object {
  const shown = messages.map((message) => ({ title: 'Message', ...message }))
  if (version === 2) return { messages: shown }
  return { _server_messages: JSON.stringify(shown.map((message) => JSON.stringify(message))) }
}
