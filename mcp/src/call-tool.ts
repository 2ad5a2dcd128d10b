import { type Client, NoAnswer, Problem } from '@matricula/client'
import { type JsonObject, problems } from '@matricula/contract'
import { getRequest, type Tool } from './tools.ts'

/** What a tool answers: JSON as text. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError?: boolean
  readonly [more: string]: unknown
}

/** Calls the operation of a tool. A refusal is its problem, with what to do about it. */
export async function callTool(
  client: Client,
  tool: Tool,
  given: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const input = { ...getRequest(tool, given), signal }
    const { body, headers } = await client.call(tool.name, input as never)
    const nextCursor = headers.get('next-cursor')
    return getAnswer({ ...(body as object | undefined), ...(nextCursor !== null && { nextCursor }) })
  } catch (error) {
    return { ...getAnswer(refusalIn(error)), isError: true }
  }
}

/** What went wrong, in the words of the service, and what to do next. Throws what is a fault of this program. */
function refusalIn(error: unknown): object {
  if (error instanceof Problem) {
    const { retryAfter, explanation: _, name: __, ...members } = { ...error }
    const whatToDo = (problems as Record<string, { remedy: string }>)[error.code]?.remedy
    return { ...members, ...(retryAfter !== null && { retryAfter }), ...(whatToDo !== undefined && { whatToDo }) }
  }
  if (error instanceof NoAnswer) {
    return { code: 'no_answer', detail: error.message, whatToDo: toRemedy(error) }
  }
  if (error instanceof TypeError) return { code: 'validation_failed', detail: error.message }
  throw error
}

/** Codes of connections that were not made; an earlier try may have got through. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

function toRemedy({ cause }: NoAnswer): string {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string }
  if (code !== undefined && unreached.has(code)) {
    return 'The service is not reached: it must run, and MATRICULA_URL must be its address. Read the record before you try to change it again.'
  }
  return 'Whether anything was done is not known. Read the record before you try to change it again.'
}

function getAnswer(value: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}
