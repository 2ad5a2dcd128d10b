import { Type } from 'typebox'
import { Actor, feedBounds } from '../client-api/events.ts'
import { operation } from '../operation.ts'
import { described, label, listOf, nullable, optional, record, Uuid } from '../schema.ts'

/** That something happened to a record, without what it is. */
export const LiveEvent = record(
  'LiveEvent',
  'That something happened to a record: what a page needs to know that it shows something old. It has nothing of the record itself.',
  {
    position: label('Position in the feed: digits, to be stored unchanged.'),
    type: label('What happened, `noun.past_verb`.'),
    entity: label('The kind of record.'),
    id: described(Uuid, 'Id of the record.'),
    recordType: nullable(label('Its record type on the Resource API; null where it has none.')),
    name: nullable(label('Its name there; null where it has none, or is gone.')),
    changed: listOf(label('Name of a field.'), 'The fields that differ from before.'),
    actor: Actor,
  },
  {
    position: '20417',
    type: 'student.updated',
    entity: 'student',
    id: '01985b2e-5a00-7000-8000-000000000101',
    recordType: 'Student',
    name: 'EDU-STU-2026-00042',
    changed: ['city'],
    actor: { type: 'user', id: '01985b2e-5a00-7000-8000-00000000000c', name: 'registrar@grand-bend.example' },
  },
)

export const liveOperations = {
  followLive: operation(
    { tag: 'Live', modules: [], domain: null },
    {
      method: 'GET',
      path: '/live',
      scope: null,
      idempotency: 'none',
      summary: 'Follow what happens to records',
      description: `What happens from now on to the records that the caller may read, as a stream of server-sent events (WHATWG HTML) with \`Accept: text/event-stream\`: \`id\` is the position, \`data\` the event, \`Last-Event-ID\` resumes after it, and an event \`beat\` every five seconds shows that the connection lives. Without that header it is asked for by \`after\`, and waits for \`wait\` seconds.`,
      query: Type.Object(
        {
          after: optional(
            Type.Unsafe<string>({
              type: 'string',
              pattern: '^(latest|[0-9]{1,18})$',
              description: 'Only events after this position. Absent, or `latest`: from now on.',
            }),
          ),
          limit: optional(
            Type.Unsafe<number>({
              type: 'integer',
              ...feedBounds.limit,
              description: 'The most events of one answer.',
            }),
          ),
          wait: optional(
            Type.Unsafe<number>({
              type: 'integer',
              ...feedBounds.wait,
              description: 'Seconds to wait for an event where there is none yet. It changes nothing of a stream.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      shape: 'feed',
      record: LiveEvent,
      status: 200,
      errors: ['position_expired'],
      events: [],
    },
  ),
}
