import { activeScopes, extensionScopes, requestsPerMinute } from '../access.ts'
import { deletedRecordDays } from '../client-api/deleted-records.ts'
import { feedBounds } from '../client-api/events.ts'
import { idempotencyRetentionHours, pageBounds } from '../operation.ts'
import { faultCodes, maximumFaults } from '../problems.ts'

/** The conventions of all operations: the description of the document, in CommonMark. */
export function conventions(publicUrl: string): string {
  const { limit } = pageBounds
  return `The interface between an institution’s own systems and Matricula: students, admission applications, payments, programs, courses and documents of one tenant. It is for servers. A token opens everything that it was granted, so use it only from a secure client of your own: this reference has no playground, and the service answers no cross-origin request of a browser.

## Authentication

Send \`Authorization: Bearer <token>\`. A token belongs to one tenant and carries scopes, the domains that it may write (\`masterDomains\`) and a quota. \`GET /me\` needs no scope and shows all of it, and so explains every refusal. The scopes are ${activeScopes.map((scope) => `\`${scope}\``).join(', ')}; beyond them, and granted by name, ${extensionScopes.map((scope) => `\`${scope}\``).join(', ')}.

Students, admissions and payments have a system of record each. A write is taken only where the token’s master domains hold the domain and the tenant’s setting for it is \`integration\` or \`shared\`.

## Requests and answers

- One record is \`{ "data": { … } }\`, a list is \`{ "data": [ … ], "pagination": { … } }\`.
- Every field of a record is always there, as \`null\` when it has no value. Fields may be added to answers: read the ones that you know.
- A field or parameter that an operation does not know is refused, never ignored.
- Date-times go out as RFC 3339 in UTC with milliseconds, and come in with \`Z\` or an offset. Ids are UUIDs. Money is a JSON number and is returned as it was sent.
- Bodies are one JSON object in UTF-8 of at most 1 MiB, as \`application/json\`; PATCH also takes \`application/merge-patch+json\`.
- Every answer carries \`Request-Id\`. HEAD works wherever GET does.

## Order of checks

A request is answered by the first check that it fails: route (404), method (405 with \`Allow\`), token (401), tenant (403), quota (429), scope (403), modules (403), domain (403), Idempotency-Key (400), media type, size and syntax of the body (415, 413, 400), path, query and body (400, all faults at once), state of the Idempotency-Key (409, 422 or the kept answer), the record (404), \`If-Match\` (412), rules (409, 422).

## Lists and synchronisation

Lists are ordered by \`createdAt\`, then \`id\`, ascending; neither ever changes. \`limit\` is ${limit.default} unless given, ${limit.minimum} to ${limit.maximum}; out of bounds is refused, not capped. \`total\` and the records come from one snapshot. A page beyond the end is empty. The \`Link\` header has the addresses of the first, previous, next and last page.

To keep a copy in step, read every page with \`updatedSince\`, which is inclusive, and send next time the \`Sync-Watermark\` of the first page of this sweep. A record may come twice, none is left out, whatever is written meanwhile. A record also counts as updated when something that it shows of another one changes: a payment when its student is renamed, a student when the program is.

What is deleted, or merged into another record, leaves its list and stands for ${deletedRecordDays} days in the list of the deleted, such as \`GET /students/deleted\`. Sweep both with the same watermark. Pages by number move when a record before them goes in the middle of a sweep, and one may then be left out; a walk by \`cursor\` leaves out none.

A long list is best walked with \`cursor\`: start with \`cursor=*\`, go on with the \`Next-Cursor\` of each answer until there is none. It costs the same at any depth. \`total\` is counted on the first page and repeated on the others, so it is that of the walk’s beginning.

To learn of changes as they happen instead, follow \`GET /events\`: keep the \`next\` of each answer, send it as \`after\`, and wait for up to ${feedBounds.wait.maximum} seconds with \`wait\`, or keep a stream open.

## Writes

PATCH and PUT merge: an absent field stays as it is. \`metadata\` and \`customFields\` are merged by RFC 7396. A field that cannot be written is taken when it equals the stored value, so that a record that was read can be sent back. PUT by \`externalId\`, the key in your own system, creates or updates, and is the simplest way to synchronise.

One record carries an \`ETag\`. GET honours \`If-None-Match\` (304), changes honour \`If-Match\` (412 when the record has changed since) and never require it.

## Idempotency

Each operation says its kind. \`required\`: send an \`Idempotency-Key\`, the same on every retry; the outcome is kept ${idempotencyRetentionHours} hours and given again with \`Idempotent-Replayed: true\`. The key belongs to the API key record and outlives a rotation of its secret. While the first request runs, a second one is answered with 409 \`idempotency_key_in_use\`; the key with another operation, path or body is 422 \`idempotency_key_reused\`. Refusals of the checks before the record, and failures of the service, are not kept: correct or repeat the request with the same key. \`natural\`: the path is the key. \`none\`: repetition has no treatment.

## Errors

Every refusal is \`application/problem+json\` (RFC 9457). Decide by \`code\`; \`detail\` is for people, and \`type\` is the address of a page that says when the code is given and what to do next. All of them are at [${publicUrl}/problems](${publicUrl}/problems). A \`validation_failed\` lists up to ${maximumFaults} faults in \`errors\`, each with one of the codes ${faultCodes.map((code) => `\`${code}\``).join(', ')}. A record of another tenant is answered exactly as one that does not exist.

## Rate limit

Each token has a quota of requests per minute, ${requestsPerMinute.default} unless the operator set another. Every authenticated answer says what is left in \`RateLimit-Policy\` and \`RateLimit\` (IETF draft) and in \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`. Beyond it the answer is 429 with \`Retry-After\`; a refused request does nothing and uses up no Idempotency-Key.

## Versioning

\`/v1\` does not break. Operations, optional parameters, fields of answers, event types, and codes on conditions that failed before may be added. What is deprecated answers with \`Deprecation\`, \`Sunset\` at least 12 months ahead, and \`Link\`.`
}
